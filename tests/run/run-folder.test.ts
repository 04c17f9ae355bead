import { appendFile, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createBlobStore } from '../../logs/blobs.ts'
import type { Attempt } from '../../src/core/attempt.ts'
import type { Score } from '../../src/core/score.ts'
import { findEarlierRun, readManifest } from '../../src/run/records/manifest-file.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { replaceScores } from '../../src/run/records/replace-scores.ts'
import { RunFolder } from '../../src/run/records/run-folder.ts'
import { isPartialFile } from '../../src/system/atomic-write.ts'
import { withRecordChecksum } from '../../src/system/record-checksum.ts'
import { makeAttempt } from '../report/records.ts'
import { newManifest } from './new-manifest.ts'

const attempt = (attemptId: string, reason: 'answered' | 'no-progress' = 'answered'): Attempt => ({
  ...makeAttempt({ task: 't', setting: 'offline', end: { cause: 'agent', reason } }),
  attemptId,
})

const score = (attemptId: string): Score => ({
  attemptId,
  taskId: 't',
  setting: 'offline',
  model: 'm',
  trial: 0,
  options: {},
  scorer: 'aoe',
  judge: 'rules',
  status: 'unscored',
  cause: 'provider',
  answered: false,
  success: null,
  metrics: {},
  kind: 'table',
  items: [],
  explanation: [],
  infrastructureFailures: 0,
  overall: null,
  counts: {},
  judgeUsage: { calls: 0, callsSaved: 0, inputTokens: 0, outputTokens: 0, usd: null },
  cells: [],
})

const newRun = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-run-'))
  const run = await RunFolder.open(folder, { blobs: createBlobStore({ folder }) })
  await run.writeManifest(newManifest())
  return { folder, run }
}

it('drops a half-written last line and keeps every line before it', async () => {
  const { folder, run } = await newRun()
  await run.append(attempt('a'), [score('a')], { answerText: 'text' })
  await run.close()
  await appendFile(join(folder, 'attempts.jsonl'), '{"attemptId":"b","tas')
  expect((await readRun(folder)).attempts.map(record => record.attemptId)).toEqual(['a'])
  const again = await RunFolder.open(folder, { blobs: createBlobStore({ folder }) })
  await again.append(attempt('c'), [score('c')], { answerText: null })
  await again.close()
  expect((await readRun(folder)).attempts.map(record => record.attemptId)).toEqual(['a', 'c'])
})

it('keeps the later of two records of one attempt and marks the earlier one as superseded', async () => {
  const { folder, run } = await newRun()
  await run.append(attempt('a', 'no-progress'), [score('a')], { answerText: null })
  await run.append(attempt('a'), [score('a')], { answerText: null })
  await run.putInOrder(['a'])
  await run.close()
  const { attempts, scores } = await readRun(folder)
  expect(attempts.map(record => record.termination.reason)).toEqual(['answered'])
  expect(scores).toHaveLength(1)
  expect(await readFile(join(folder, 'superseded.jsonl'), 'utf8')).toContain('no-progress')
})

it('stores records in the order of the plan, whatever order the attempts ended in', async () => {
  const { folder, run } = await newRun()
  for (const id of ['c', 'a', 'b']) await run.append(attempt(id), [score(id)], { answerText: id })
  await run.putInOrder(['a', 'b', 'c'])
  await run.close()
  const { attempts, scores } = await readRun(folder)
  expect(attempts.map(record => record.attemptId)).toEqual(['a', 'b', 'c'])
  expect(scores.map(record => record.attemptId)).toEqual(['a', 'b', 'c'])
  expect(await readFile(join(folder, 'answers', 'a.txt'), 'utf8')).toBe('a')
})

it('refuses the folder of another version of the records', async () => {
  const { folder, run } = await newRun()
  await run.close()
  await writeFile(join(folder, 'manifest.json'), JSON.stringify({ ...newManifest(), recordVersion: 2 }))
  const refusal = {
    code: 'other-record-version',
    message: expect.stringContaining('its records have other fields (records 2, here 3)'),
  }
  await expect(readManifest(folder)).rejects.toMatchObject(refusal)
  await expect(findEarlierRun(folder)).rejects.toMatchObject(refusal)
})

it('names an invalid line, and a folder without a run', async () => {
  const { folder, run } = await newRun()
  await run.close()
  await writeFile(join(folder, 'attempts.jsonl'), '{"attemptId": 5}\n')
  await expect(readRun(folder)).rejects.toMatchObject({
    code: 'invalid-record',
    message: expect.stringContaining('attempts.jsonl:1: '),
  })
  await expect(readRun(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'not-a-run' })
})

it('explains how to fix a damaged manifest, and tells lost manifests from folders without a run', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-folder-'))
  expect(await findEarlierRun(folder)).toEqual({ kind: 'none' })
  const damages = ['{', '[]', '{"runId":"r"}', '', '\0\0\0\0']
  for (const text of damages) {
    await writeFile(join(folder, 'manifest.json'), text)
    await expect(readManifest(folder)).rejects.toMatchObject({
      code: 'damaged-manifest',
      message: expect.stringMatching(/manifest\.json .*Run the command that made the run again/),
    })
    expect(await findEarlierRun(folder)).toEqual({ kind: 'none' })
  }
  await writeFile(join(folder, 'attempts.jsonl'), `${JSON.stringify(attempt('one'))}\n`)
  for (const text of damages) {
    await writeFile(join(folder, 'manifest.json'), text)
    expect(await findEarlierRun(folder)).toEqual({ kind: 'manifest-lost' })
  }
  await rm(join(folder, 'manifest.json'))
  expect(await findEarlierRun(folder)).toEqual({ kind: 'manifest-lost' })
})

it('replaces scores when all new ones are complete, and keeps the old ones when scoring is interrupted', async () => {
  const { folder, run } = await newRun()
  for (const id of ['a', 'b']) await run.append(attempt(id), [score(id)], { answerText: id })
  await run.close()
  const toScore = { folder, lock: { requireHeld: () => undefined }, attemptIds: ['a', 'b'] }
  const answered = async () => (await readRun(folder)).scores.map(one => [one.attemptId, one.answered])
  const interrupted = replaceScores(toScore, async keep => {
    keep({ ...score('a'), answered: true })
    throw new Error('stopped')
  })
  await expect(interrupted).rejects.toThrow('stopped')
  expect(await answered()).toEqual([
    ['a', false],
    ['b', false],
  ])
  await replaceScores(toScore, async keep => keep({ ...score('b'), answered: true }))
  expect(await answered()).toEqual([
    ['a', false],
    ['b', true],
  ])
  expect((await readdir(folder)).filter(isPartialFile)).toEqual([])
})

describe('another program that writes to the records during a run', () => {
  const open = async () => {
    const { folder, run } = await newRun()
    for (const id of ['b', 'a']) await run.append(attempt(id), [score(id)], { answerText: null })
    const attempts = join(folder, 'attempts.jsonl')
    const ids = async () => (await readRun(folder)).attempts.map(record => record.attemptId)
    return { folder, run, attempts, ids }
  }

  it.each([
    ['a record', '{"attemptId":"x"}\n'],
    ['blank lines', '\n\n'],
    ['no JSON', 'x\n'],
    ['half a line', '{"attemptId":"x"'],
    ['a copy of a record with another checksum', '{"attemptId":"a","checksum":"00000000"}\n'],
  ])('adds %s: no record is lost, also not one that is written afterwards', async (_what, text) => {
    const { run, attempts, ids } = await open()
    await appendFile(attempts, text)
    await run.append(attempt('c'), [score('c')], { answerText: null })
    const { lostAttempts } = await run.putInOrder(['a', 'b', 'c'])
    await run.close()
    expect([await ids(), [...lostAttempts]]).toEqual([['a', 'b', 'c'], []])
  })

  it('changes a record and its checksum: the record is moved to damaged.txt, and its attempt is named', async () => {
    const { folder, run, attempts, ids } = await open()
    const [first = '', second = ''] = (await readFile(attempts, 'utf8')).split('\n')
    const { checksum: _old, ...record } = JSON.parse(first)
    await writeFile(attempts, `${withRecordChecksum({ ...record, trial: 7 })}\n${second}\n`)
    const { notices, lostAttempts } = await run.putInOrder(['a', 'b'])
    await run.close()
    expect([await ids(), [...lostAttempts]]).toEqual([['a'], ['b']])
    expect(await readFile(join(folder, 'damaged.txt'), 'utf8')).toContain('"trial":7')
    expect(notices).toEqual([
      `${attempts}: another program wrote to it during the run; moved 1 line that the run did not write to damaged.txt; the records of 1 attempt are gone. Run the same command again: it makes them again`,
    ])
  })

  it.each([
    ['the later of two records of an attempt', 'attempts.jsonl', 1],
    ['one of two scores of an attempt', 'scores.jsonl', 0],
    ['the other of two scores of an attempt', 'scores.jsonl', 1],
  ])('removes %s: the attempt is named', async (_what, name, at) => {
    const { folder, run } = await newRun()
    await run.append(attempt('a', 'no-progress'), [score('a')], { answerText: null })
    await run.append(attempt('a'), [{ ...score('a'), judge: 'model' }], { answerText: null })
    const path = join(folder, name)
    const lines = (await readFile(path, 'utf8')).trimEnd().split('\n')
    await writeFile(path, `${lines.toSpliced(at, 1).join('\n')}\n`)
    const { lostAttempts } = await run.putInOrder(['a'])
    await run.close()
    expect([lines.length, [...lostAttempts]]).toEqual([2, ['a']])
  })

  it('removes the earlier of two records of an attempt: nothing is lost', async () => {
    const { run, attempts } = await open()
    await run.append(attempt('a', 'no-progress'), [score('a')], { answerText: null })
    await run.append(attempt('a'), [score('a')], { answerText: null })
    const lines = (await readFile(attempts, 'utf8')).trimEnd().split('\n')
    await writeFile(attempts, `${lines.filter(line => !line.includes('no-progress')).join('\n')}\n`)
    const { lostAttempts } = await run.putInOrder(['a', 'b'])
    await run.close()
    expect(lostAttempts.size).toBe(0)
  })

  it('replaces or removes the file: the records are written back', async () => {
    for (const change of [(path: string) => rm(path), (path: string) => rename(path, `${path}.moved`)]) {
      const { run, attempts, ids } = await open()
      await change(attempts)
      const { lostAttempts } = await run.putInOrder(['a', 'b'])
      await run.close()
      expect([await ids(), lostAttempts.size]).toEqual([['a', 'b'], 0])
    }
  })

  it('does nothing: there is nothing to say', async () => {
    const { run } = await open()
    expect(await run.putInOrder(['a', 'b'])).toEqual({ notices: [], lostAttempts: new Set() })
    await run.close()
  })
})
