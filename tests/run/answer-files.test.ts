import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Answer, Attempt } from '../../src/core/attempt.ts'
import { createSigner } from '../../src/run/queue/queue-secret.ts'
import { packResult, unpackResult } from '../../src/run/queue/result.ts'
import { readAnswers, writeAnswers } from '../../src/run/records/answer-files.ts'
import { makeFolder } from '../../src/system/files.ts'
import { makeAttempt } from '../report/records.ts'

let folder = ''
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tablehunt-answers-'))
  await makeFolder(join(folder, 'answers'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const answer = (parseStatus: Answer['parseStatus']): Answer => ({
  csv: null,
  rows: null,
  columns: null,
  parseStatus,
  parseNote: null,
})
const record = (statuses: readonly Answer['parseStatus'][]) =>
  ({
    attemptId: 'a',
    answer: answer(statuses.at(-1)!),
    turns: statuses.map(status => ({ answer: answer(status) })),
  }) as unknown as Attempt

it('stores the last answer of a conversation in ID.txt and earlier answers in ID.turn-N.txt, and reads them all back', async () => {
  await writeAnswers(folder, 'a', { answerText: 'three', turnTexts: ['one', null, 'three'] })
  expect(readFileSync(join(folder, 'answers/a.txt'), 'utf8')).toBe('three')
  expect(readFileSync(join(folder, 'answers/a.turn-1.txt'), 'utf8')).toBe('one')
  expect(existsSync(join(folder, 'answers/a.turn-2.txt'))).toBe(false)
  const read = await readAnswers(folder, record(['unreadable', 'none', 'unreadable']))
  expect(read).toEqual({ answerText: 'three', turnTexts: ['one', null, 'three'] })
})

it('stores one file and no turn texts for a task with one question', async () => {
  await writeAnswers(folder, 'a', { answerText: 'one' })
  const { turns: _, ...single } = record(['unreadable'])
  expect(await readAnswers(folder, single)).toEqual({ answerText: 'one' })
})

it('deletes the answers of an earlier attempt when the new attempt has none', async () => {
  await writeAnswers(folder, 'a', { answerText: 'two', turnTexts: ['one', 'two'] })
  await writeAnswers(folder, 'a', { answerText: null, turnTexts: ['one', null] })
  expect(existsSync(join(folder, 'answers/a.txt'))).toBe(false)
  expect(existsSync(join(folder, 'answers/a.turn-1.txt'))).toBe(true)
})

it('refuses a turn whose answer file is missing', async () => {
  await writeAnswers(folder, 'a', { answerText: 'two', turnTexts: [null, 'two'] })
  await expect(readAnswers(folder, record(['unreadable', 'unreadable']))).rejects.toMatchObject({
    code: 'answer-missing',
    message: expect.stringContaining('turn-1.txt'),
  })
})

it('sends the turn texts from a worker to the coordinator', async () => {
  const result = {
    attempt: { ...makeAttempt({ task: 't', setting: 'offline' }), ...record(['none', 'unreadable']) },
    scores: [],
    answerText: 'two',
    turnTexts: [null, 'two'],
    leaks: [],
    trace: '',
    blobs: {},
  }
  const job = { runId: 'run', attemptId: result.attempt.attemptId }
  const signer = createSigner('a secret of the test')
  expect(await unpackResult(await packResult(result, job, signer), job, signer)).toEqual(result)
})
