import { cp, mkdir, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createBlobStore } from '../../../logs/blobs.ts'
import { createSample } from '../../../logs/export/inspect.ts'
import { createHeader } from '../../../logs/export/inspect-header.ts'
import { readTrace } from '../../../logs/reader.ts'
import { tracePath } from '../../../logs/writer.ts'
import { type AttemptEnd, endSchema, terminationReasons } from '../../../src/core/termination.ts'
import { writeInspectLogs } from '../../../src/run/export/agent-logs.ts'
import type { ExportedAttempt } from '../../../src/run/export/table.ts'
import { exportRuns } from '../../../src/run/export-runs.ts'
import { importLogs } from '../../../src/run/import/import-logs.ts'
import { readAnswers } from '../../../src/run/records/answer-files.ts'
import { readRun } from '../../../src/run/records/read-records.ts'
import { RunFolder } from '../../../src/run/records/run-folder.ts'
import { packageRoot } from '../../../src/system/paths.ts'
import { withTextChecksum } from '../../../src/system/record-checksum.ts'
import { openZip } from '../../../src/system/zip.ts'
import { writeZip } from '../../../src/system/zip-writer.ts'
import { sampleAttempt } from '../../../src/testing/scorer.ts'

const fixtures = join(packageRoot, 'tests', 'logs', 'import', 'fixtures')
const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'agent-logs-'))
const keptRun = join(packageRoot, 'tests', 'fixtures', 'kept-run')
const keptAttempt = 'hotels.offline.scripted_script.jsonl.0.2a36660719'

/** A run with scores, and with the answer that the kept one lacks. */
async function copyKeptRun(): Promise<string> {
  const run = join(await newFolder(), 'kept-run')
  await cp(keptRun, run, { recursive: true })
  await mkdir(join(run, 'answers'))
  await writeFile(join(run, 'answers', `${keptAttempt}.txt`), 'Hotel,Beds\nAlder,12\n')
  return run
}

const formats = ['atif', 'inspect'] as const
type Format = (typeof formats)[number]

async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.flatMap(entry => (entry.isFile() ? [join(entry.parentPath, entry.name)] : [])).sort()
}

async function exportLogs(run: string, format: Format): Promise<string[]> {
  const to = join(await newFolder(), 'logs')
  const { notices } = await exportRuns([run], { to, format })
  expect(notices).toEqual([])
  return await listFiles(to)
}

async function importAs(format: Format, files: readonly string[]): Promise<string> {
  const run = join(await newFolder(), 'run')
  const { skipped } = await importLogs(format, files, run)
  expect(skipped).toEqual([])
  return run
}

/** Everything of a run that an export must bring back, by task and trial. */
async function readFacts(run: string) {
  const { attempts, scores } = await readRun(run)
  const facts = attempts.map(async ({ files, sourceId: _, ...attempt }) => ({
    attempt,
    answers: await readAnswers(run, attempt),
    scores: scores.filter(({ attemptId }) => attemptId === attempt.attemptId),
    events: (await readTrace(run, attempt.attemptId)).events,
    texts: (files ?? []).filter(({ name }) => name.includes('blobs')),
  }))
  const all = await Promise.all(facts)
  return all.sort((a, b) => (a.attempt.attemptId < b.attempt.attemptId ? -1 : 1))
}

const ends = Object.entries(terminationReasons).flatMap(([cause, reasons]) =>
  reasons.map(reason => endSchema.parse({ cause, reason })),
)

/** A run with each termination, a long answer and a failed tool. */
async function makeRun(): Promise<string> {
  const log = join(await newFolder(), 'log.jsonl')
  const records = ends.map((end, at) => ({
    ...{ id: `s${at}`, taskId: `t${at}`, model: 'm', termination: { ...end, detail: `words ${at}` } },
    answer: at === 0 ? `Hotel,Beds\n${'Alder,12\n'.repeat(1000)}` : 'Hotel,Beds\nAlder,12\n',
    messages: [
      { role: 'user', content: `Which beds has hotel ${at}?` },
      {
        ...{ role: 'assistant', content: 'I look.', reasoning: 'First the page.' },
        tool_calls: [
          { id: 'c1', function: { name: 'fetch_page', arguments: '{"url":"https://example.org/a"}' } },
          { id: 'c2', function: { name: 'fetch_page', arguments: '"not an object"' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: `Hotel ${at}. ${'It has beds. '.repeat(500)}` },
      { role: 'tool', tool_call_id: 'c2', content: '', error: 'timed out' },
      { role: 'assistant', content: 'Done.' },
    ],
    usage: {
      inputTokens: 900 + at,
      cachedInputTokens: 300,
      outputTokens: 50,
      reasoningTokens: 20,
      usdModel: 0.25,
    },
  }))
  await writeFile(log, records.map(record => `${JSON.stringify(record)}\n`).join(''))
  const run = join(await newFolder(), 'made')
  await importLogs('generic', [log], run)
  return run
}

it.each(formats)('%s brings a run back whole: terminations, answers, scores, usage, traces', async format => {
  for (const run of [await copyKeptRun(), await makeRun()])
    expect(await readFacts(await importAs(format, await exportLogs(run, format)))).toEqual(
      await readFacts(run),
    )
})

it('exports what it imported from ATIF, and reads it again', async () => {
  for (const name of ['atif.json', 'atif-continued.json']) {
    const run = join(await newFolder(), 'run')
    await importLogs('atif', [join(fixtures, name)], run)
    for (const format of formats)
      expect(await readFacts(await importAs(format, await exportLogs(run, format)))).toEqual(
        await readFacts(run),
      )
  }
})

/** A run whose first attempt is a fork: its trace refers to the first five events after its start. */
async function makeForkedRun(): Promise<string> {
  const run = await makeRun()
  const { attempts } = await readRun(run)
  const { files: _, ...attempt } = attempts[0]!
  const { attemptId } = attempt
  const path = tracePath(run, attemptId)
  const [first = '', ...lines] = (await readFile(path, 'utf8')).trimEnd().split('\n')
  const prefix = lines.splice(0, 5).join('\n')
  const blobs = createBlobStore({ folder: run })
  const { seq, at } = JSON.parse(first)
  const forked = { type: 'forked', source: 'source', atStep: 2, prefix: blobs.put(prefix) }
  const line = withTextChecksum(JSON.stringify({ ...forked, step: 0, seq: seq + 1, at, attemptId }))
  await writeFile(path, `${[first, line, ...lines].join('\n')}\n`)
  const folder = await RunFolder.open(run, { blobs })
  await folder.append(attempt, [], (await readAnswers(run, attempt)) ?? { answerText: null })
  await folder.close()
  return run
}

it.each(formats)('%s contains the recorded part of a fork once', async format => {
  const run = await makeForkedRun()
  const copy = await importAs(format, await exportLogs(run, format))
  const listTypes = async (folder: string) =>
    (await readFacts(folder))[0]!.events.map(({ type }) => type).filter(type => type !== 'forked')
  expect(await listTypes(run)).toEqual(await listTypes(await makeRun()))
  expect(await listTypes(copy)).toEqual(await listTypes(run))
})

/** Removes the record of Tablehunt from exported logs, as another program would that copies what it knows. */
async function withoutOriginal(format: Format, file: string): Promise<string> {
  const to = join(await newFolder(), format === 'atif' ? 'log.json' : 'log.eval')
  const strip = (text: string): string =>
    JSON.stringify(JSON.parse(text), (name, value) => (name === 'tablehunt' ? undefined : value))
  if (format === 'atif') await writeFile(to, strip(await readFile(file, 'utf8')))
  else {
    const entries = [...openZip(await readFile(file), 1e9).values()]
    await writeFile(to, writeZip(Object.fromEntries(entries.map(entry => [entry.name, strip(entry.text())]))))
  }
  return to
}

it.each(formats)(
  '%s is a log of its own: answers, calls and usage come back without our record',
  async format => {
    const run = await makeRun()
    const files = await exportLogs(run, format)
    const stripped = await Promise.all(files.map(file => withoutOriginal(format, file)))
    const originals = await readFacts(run)
    const copies = await readFacts(await importAs(format, stripped))
    const questionOf = ({ events }: (typeof copies)[number]) =>
      events.find(event => event.type === 'model-called')?.messages.find(({ role }) => role === 'user')
        ?.content
    expect(copies).toHaveLength(ends.length)
    for (const original of originals) {
      const copy = copies.find(
        other => JSON.stringify(questionOf(other)) === JSON.stringify(questionOf(original)),
      )
      const { wallMs: _, workingMs: _w, usd: _u, ...usage } = original.attempt.usage
      expect(copy?.attempt.usage).toMatchObject(usage)
      const callsOf = (events: (typeof originals)[number]['events']) =>
        events.flatMap(event =>
          event.type === 'tool-called' || event.type === 'tool-failed'
            ? [{ ...event, at: '', attemptId: '', seq: 0 }]
            : [],
        )
      expect(callsOf(copy?.events ?? []).filter(call => call.callId === 'c1')).toEqual(
        callsOf(original.events).filter(call => call.callId === 'c1'),
      )
      const { answerText } = original.answers
      if (copy?.attempt.termination.answerProduced === true)
        expect(copy.answers.answerText).toBe(answerText ?? 'Done.')
    }
  },
)

const limitTypes: Readonly<Record<string, string>> = {
  'budget/tokens': 'token',
  'budget/model-calls': 'message',
  'budget/search-calls': 'custom',
  'budget/fetch-calls': 'custom',
  'budget/wall-clock': 'time',
  'budget/cost': 'cost',
  'budget/context-window': 'context',
  'operator/cancelled': 'operator',
}
const stopReasons: Readonly<Record<string, string>> = {
  'budget/output-limit': 'max_tokens',
  'provider/content-filter': 'content_filter',
}

function sampleOf(end: AttemptEnd, caps: Record<string, number> = {}) {
  const attempt = sampleAttempt(end, { startedAt: '2026-01-01T00:00:00Z', endedAt: '2026-01-01T00:00:01Z' })
  const log = { run: 'r', attempt, scores: [], answerText: null, messages: [], caps }
  return createSample({ ...log, original: {} as never }).sample as {
    limit?: { type: string; limit: number }
    error?: { message: string }
    output: { choices: { stop_reason: string }[] }
  }
}

it.each(ends.map(end => [`${end.cause}/${end.reason}`, end] as const))(
  'tells Inspect AI how an attempt ended: %s',
  (words, end) => {
    const { limit, error, output } = sampleOf(end)
    const isError = words === 'agent/crashed' || /^(?:provider|harness|unknown)/.test(words)
    const stop = stopReasons[words]
    expect(limit?.type).toBe(limitTypes[words])
    expect(error?.message).toBe(isError && stop === undefined ? words : undefined)
    if (stop !== undefined) expect(output.choices[0]?.stop_reason).toBe(stop)
  },
)

it('writes the caps of limits in the units of Inspect AI', () => {
  const caps = { tokens: 5000, wallMs: 90_000, usd: 2.5, modelCalls: 7 }
  const limitOf = (reason: string) => sampleOf({ cause: 'budget', reason } as AttemptEnd, caps).limit?.limit
  expect(['tokens', 'wall-clock', 'cost', 'model-calls', 'context-window'].map(limitOf)).toEqual([
    ...[5000, 90, 2.5, 7, 0],
  ])
})

it('refuses a record whose texts have names that are no hashes', async () => {
  const [file] = await exportLogs(await copyKeptRun(), 'atif')
  const log = JSON.parse(await readFile(file!, 'utf8'))
  const answered = log.extra.tablehunt.events.find(
    (event: { type: string }) => event.type === 'model-answered',
  )
  answered.text = { blob: '../../../secret' }
  await writeFile(file!, JSON.stringify(log))
  await expect(importLogs('atif', [file!], join(await newFolder(), 'run'))).rejects.toMatchObject({
    message: expect.stringMatching(/'tablehunt' .*\.\.\/secret is no SHA-256/),
  })
})

it('writes one file for each attempt, and one Inspect log for each arm', async () => {
  expect(
    (await exportLogs(await copyKeptRun(), 'atif')).map(file => file.split('/').slice(-2).join('/')),
  ).toEqual([`kept-run/${keptAttempt}.json`])
  const [log] = await exportLogs(await copyKeptRun(), 'inspect')
  expect([...openZip(await readFile(log!), 1e9).keys()]).toEqual([
    'samples/hotels_epoch_1.json',
    '_journal/start.json',
    'summaries.json',
    'header.json',
  ])
})

it('writes a log for each arm of each run, also when their names are alike', async () => {
  const [to, run] = [await newFolder(), await copyKeptRun()]
  const [attempt] = (await readRun(run)).attempts
  const { scores } = await readRun(run)
  async function* attempts(): AsyncGenerator<ExportedAttempt> {
    for (const [name, arm] of [
      ['a-b', 'c'],
      ['a', 'b-c'],
      ['a', '中文一'],
      ['a', '中文二'],
    ])
      yield {
        ...{ run: { name, report: { run: { runId: name } } }, arm, events: null, blob: () => null },
        ...{ attempt, scores, readAnswers: async () => null },
      } as unknown as ExportedAttempt
  }
  await writeInspectLogs(attempts(), to)
  expect((await readdir(to)).sort()).toEqual(
    ['a-b-c.eval', 'a-b-c-2.eval', 'a-中文一.eval', 'a-中文二.eval'].sort(),
  )
})

it('makes the header of a log with any number of samples', async () => {
  const [first] = (await readRun(keptRun)).attempts
  const facts = { taskId: 't', startedAt: '', endedAt: '', scores: [] }
  const samples = Array.from({ length: 200_000 }, (_, trial) => ({ ...facts, trial }))
  const header = createHeader({ runId: 'r', arm: 'a', first: first!, samples })
  expect(header.eval).toMatchObject({ config: { epochs: 200_000 } })
})
