import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { prepareCampaign } from '../../bench/parts/campaign.ts'
import { fixedDelayWeb } from '../../bench/parts/fixed-delay-web.ts'
import { readTrace } from '../../logs/reader.ts'
import { type RunConfig, resolveConfig } from '../../src/config.ts'
import type { Attempt } from '../../src/core/attempt.ts'
import { readManifest } from '../../src/run/records/manifest-file.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { executeRun } from '../../src/run.ts'
import { hasValidRecordChecksum, hasValidTextChecksum } from '../../src/system/record-checksum.ts'

const newFolder = () => mkdtemp(join(tmpdir(), 'tablehunt-storage-'))
const linesOf = async (path: string): Promise<string[]> =>
  (await readFile(path, 'utf8')).split('\n').filter(Boolean)
const recordsOf = async <T>(path: string): Promise<T[]> =>
  (await linesOf(path)).map(line => JSON.parse(line) as T)

/** A run of so many attempts that ended; gives what the next start of the same command has to do. */
async function finishedRun(attempts: number) {
  const folder = await newFolder()
  const times = { turnMs: 0 }
  const config = await prepareCampaign({ folder, attempts, steps: 3, concurrency: 2, ...times })
  const start = async (options: Partial<RunConfig> = {}) => {
    const [notices, started]: [string[], string[]] = [[], []]
    const tell = (event: { type: string; text?: string; attemptId?: string }) => {
      if (event.type === 'notice') notices.push(event.text ?? '')
      if (event.type === 'attempt-started') started.push(event.attemptId ?? '')
    }
    await executeRun({ ...config, ...options }, { web: fixedDelayWeb(0), tell })
    return { notices, started }
  }
  await start()
  return { out: config.out, start, script: config.model[0]!.slice('scripted:'.length) }
}

/** Changes one byte in a line of a file. */
async function damage(path: string, line: number, from: string, to: string): Promise<void> {
  const lines = await linesOf(path)
  const text = lines[line]!
  expect(text).toContain(from)
  lines[line] = text.replace(from, to)
  await writeFile(path, `${lines.join('\n')}\n`)
}

describe('the checksums of a run', () => {
  it('are the last field of every record and event, and are equal in two equal runs', async () => {
    const [first, second] = [await finishedRun(3), await finishedRun(3)]
    for (const name of ['attempts.jsonl', 'scores.jsonl']) {
      const [a, b] = await Promise.all([first, second].map(run => linesOf(join(run.out, name))))
      for (const line of a!) {
        expect(Object.keys(JSON.parse(line)).at(-1)).toBe('checksum')
        expect(hasValidRecordChecksum(JSON.parse(line))).toBe(true)
      }
      const sums = (lines: readonly string[]) => lines.map(line => JSON.parse(line).checksum)
      expect(sums(a!)).toEqual(sums(b!))
    }
    const traces = join(first.out, 'traces')
    for (const name of (await readdir(traces)).filter(file => file.endsWith('.jsonl')))
      for (const line of await linesOf(join(traces, name))) expect(hasValidTextChecksum(line)).toBe(true)
  })

  it('reveal every change of a record except in its times', async () => {
    const { out } = await finishedRun(1)
    const [line] = await linesOf(join(out, 'attempts.jsonl'))
    const other = { ...JSON.parse(line!), startedAt: 'later' }
    other.usage.wallMs = 99
    expect(hasValidRecordChecksum(other)).toBe(true)
    other.usage.modelCalls = 99
    expect(hasValidRecordChecksum(other)).toBe(false)
  })
})

describe('a damaged line', () => {
  it('of an attempt is named and kept, and only its attempt is repeated', async () => {
    const { out, start } = await finishedRun(4)
    const path = join(out, 'attempts.jsonl')
    const before = await recordsOf<Attempt>(path)
    await damage(path, 1, '"modelCalls":3', '"modelCalls":8')
    await expect(readRun(out)).rejects.toMatchObject({
      code: 'damaged-record',
      message: expect.stringContaining('attempts.jsonl:2: '),
    })
    const again = await start()
    expect(again.started).toEqual([before[1]!.attemptId])
    expect(again.notices.join('\n')).toMatch(/attempts\.jsonl:2: damaged.*made again/)
    expect(await readFile(join(out, 'damaged.txt'), 'utf8')).toContain('"modelCalls":8')
    const after = (await readRun(out)).attempts
    expect(after.map(attempt => attempt.attemptId)).toEqual(before.map(attempt => attempt.attemptId))
    expect((await start()).started).toEqual([])
  })

  it('of a score is named, its attempt is repeated, and the old record is marked as superseded', async () => {
    const { out, start } = await finishedRun(3)
    const ids = (await readRun(out)).attempts.map(attempt => attempt.attemptId)
    await damage(join(out, 'scores.jsonl'), 2, '"gold"', '"gol')
    const again = await start()
    expect(again.started).toEqual([ids[2]])
    expect(again.notices.join('\n')).toMatch(/scores\.jsonl:3: damaged/)
    const aside = await recordsOf<Attempt & { superseded: boolean }>(join(out, 'superseded.jsonl'))
    expect(aside).toMatchObject([{ attemptId: ids[2], superseded: true }])
    const { scores } = await readRun(out)
    expect(scores.map(score => score.attemptId)).toEqual(ids)
  })

  it('that is only half written is dropped, and the file is kept', async () => {
    const { out, start } = await finishedRun(3)
    const path = join(out, 'attempts.jsonl')
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.slice(0, -40))
    expect((await readRun(out)).attempts).toHaveLength(2)
    const again = await start()
    expect(again.started).toHaveLength(1)
    expect(again.notices.join('\n')).toContain('half written')
    expect((await readRun(out)).attempts).toHaveLength(3)
  })

  it('is removed together with the unfinished files of a killed process', async () => {
    const { out, start } = await finishedRun(1)
    const places = ['manifest.json', 'answers/a.txt', 'traces/a.jsonl', 'traces/blobs/abc']
    for (const place of places) await writeFile(join(out, `${place}.4f1c.part`), 'ha')
    await writeFile(join(out, 'traces', 'blobs', 'whole'), 'a text')
    await start()
    const left = await readdir(out, { recursive: true })
    expect(left.filter(name => name.endsWith('.part'))).toEqual([])
    expect(left).toContain('traces/blobs/whole')
  })

  it('of a trace is named', async () => {
    const { out } = await finishedRun(1)
    const [attempt] = (await readRun(out)).attempts
    const path = join(out, 'traces', `${attempt!.attemptId}.jsonl`)
    await damage(path, 2, 'Never guess.', 'Always guess.')
    await expect(readTrace(out, attempt!.attemptId)).rejects.toThrow(/\.jsonl:3: .*checksum does not match/)
  })
})

describe('attempts that were killed', () => {
  /** A run in which the provider failed one attempt of four and refused another its key. */
  async function killedRun() {
    const run = await finishedRun(4)
    const { attempts } = await readRun(run.out)
    const path = join(run.out, 'attempts.jsonl')
    const reasons = ['unavailable', 'auth'] as const
    const ended = attempts.map((attempt, at): Attempt => {
      const reason = reasons[at]
      if (reason === undefined) return attempt
      return { ...attempt, termination: { ...attempt.termination, cause: 'provider', reason, detail: 'x' } }
    })
    await writeFile(path, ended.map(attempt => `${JSON.stringify(attempt)}\n`).join(''))
    return { ...run, ids: attempts.map(attempt => attempt.attemptId) }
  }

  it('are kept without --retry', async () => {
    const { start } = await killedRun()
    expect((await start()).started).toEqual([])
  })

  it('are repeated by --retry with a reason, or all by --retry unscored; old records are kept and marked', async () => {
    const { out, start, ids } = await killedRun()
    expect((await start({ retry: 'auth' })).started).toEqual([ids[1]])
    expect((await start({ retry: 'unscored' })).started).toEqual([ids[0]])
    expect((await start({ retry: 'unscored' })).started).toEqual([])
    const aside = await recordsOf<Attempt & { superseded: boolean }>(join(out, 'superseded.jsonl'))
    expect(aside.map(({ attemptId, superseded }) => [attemptId, superseded])).toEqual([
      [ids[1], true],
      [ids[0], true],
    ])
    expect(aside.every(hasValidRecordChecksum)).toBe(true)
    const { attempts } = await readRun(out)
    expect(attempts.map(attempt => attempt.attemptId)).toEqual(ids)
    expect(attempts.every(attempt => attempt.termination.cause === 'agent')).toBe(true)
    expect((await readdir(join(out, 'traces', 'superseded'))).sort()).toEqual(
      [`${ids[0]}.1.jsonl`, `${ids[1]}.1.jsonl`].sort(),
    )
  })

  it('can be selected only by reasons that leave an attempt unscored', () => {
    const options = { tasks: 't', out: 'o' }
    expect(() => resolveConfig({ ...options, retry: 'answered' })).toThrow(/--retry: 'answered'/)
    expect(() => resolveConfig({ ...options, retry: 'unavailible' })).toThrow(/unavailable/)
  })
})

it('a run resumes only with the same faults and search price', async () => {
  const folder = await newFolder()
  const times = { turnMs: 0 }
  const config = await prepareCampaign({ folder, attempts: 1, steps: 1, concurrency: 1, ...times })
  const [faults, prices] = [join(folder, 'faults.json'), join(folder, 'prices.json')]
  const start = async (share: number, call: number) => {
    const fault = { kind: 'reset', on: 'page', share, times: null }
    await writeFile(faults, JSON.stringify({ summary: 'of this test', faults: [fault] }))
    await writeFile(prices, JSON.stringify({ 'search:serper': { call } }))
    await executeRun({ ...config, faults, prices }, { web: fixedDelayWeb(0) })
  }
  await start(0.5, 1)
  await start(0.5, 1)
  await expect(start(0.6, 1)).rejects.toMatchObject({
    code: 'different-run',
    message: expect.stringContaining('faultsSha256 was'),
  })
  await expect(start(0.5, 2)).rejects.toThrow('searchUsd was 1, is 2')
})

describe('--resume', () => {
  it('is refused for a folder without a run, and creates nothing there', async () => {
    const { start } = await finishedRun(1)
    const out = join(await newFolder(), 'none')
    await expect(start({ out, resume: true })).rejects.toMatchObject({
      code: 'no-run-to-resume',
      message: expect.stringContaining(out),
    })
    await expect(readManifest(out)).rejects.toThrow('there is no such folder')
  })

  it('resumes a run with its original options', async () => {
    const { out } = await finishedRun(2)
    const { resolveRunOptions } = await import('../../src/run/records/resume.ts')
    const { config } = await readManifest(out)
    const resumed = await resolveRunOptions({ resume: true, out, concurrency: 7 })
    expect(resumed).toEqual({ ...config, resume: true, concurrency: 7 })
  })
})

describe('the same --out under other options', () => {
  it('is refused, and the error lists each difference with its place', async () => {
    const { start, script } = await finishedRun(1)
    await expect(start({ seed: 3 })).rejects.toThrow('seed was 0, is 3')
    await expect(start({ budgetTokens: 9_000 })).rejects.toThrow('budgetTokens was null, is 9000')
    await expect(start({ contextWindow: 9_000 })).rejects.toThrow(
      /models\.scripted:script\.jsonl\.contextWindow was null, is 9000/,
    )
    await expect(start({ model: ['extractive'] })).rejects.toThrow(/models\.scripted:script\.jsonl was/)
    expect((await start({ concurrency: 3 })).started).toEqual([])
    await writeFile(script, `${await readFile(script, 'utf8')}\n`)
    await expect(start()).rejects.toThrow(/environment\.files\.scripted:script\.jsonl was/)
  })

  it('is refused when a document has changed, even if its name is written in another form', async () => {
    const docs = await newFolder()
    const path = join(docs, 'GROUP-000000-A.PDF')
    await writeFile(path, 'Revenue was 1.')
    const { start, out } = await finishedRun(1)
    const again: Partial<RunConfig> = { docs, setting: ['offline'], out: `${out}-2` }
    await start(again)
    await writeFile(path, 'Revenue was 2.')
    await expect(start(again)).rejects.toThrow(/documentsSha256 was/)
  })
})
