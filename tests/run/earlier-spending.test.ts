import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createBlobStore } from '../../logs/blobs.ts'
import type { EventBody } from '../../logs/events.ts'
import { readTrace } from '../../logs/reader.ts'
import { openTrace } from '../../logs/writer.ts'
import { resolveConfig } from '../../src/config.ts'
import { systemClock } from '../../src/core/runtime.ts'
import { withCutOffNote } from '../../src/core/termination.ts'
import { sumSearchTime } from '../../src/report/model/search-services.ts'
import { watchAttempt } from '../../src/run/attempt/watch.ts'
import { readEarlierSpending } from '../../src/run/records/earlier-spending.ts'
import { readRepeatedSpending } from '../../src/run/records/repeated-spending.ts'
import { withTextChecksum } from '../../src/system/record-checksum.ts'
import { newManifest } from './new-manifest.ts'

const events: readonly EventBody[] = [
  { type: 'budget-charged', kind: 'tokens', amount: 100, total: 100, what: 'model call' },
  {
    type: 'checkpoint',
    tokens: 100,
    answer: { text: '' },
    usage: { inputTokens: 40_000, cachedInputTokens: null, outputTokens: 2_000, reasoningTokens: null },
    usd: 0.5,
  },
]
const usage = {
  inputTokens: 80,
  cachedInputTokens: null,
  outputTokens: 20,
  reasoningTokens: null,
  modelCalls: 1,
  searchCalls: 0,
  fetchCalls: 0,
  toolErrors: 0,
  wallMs: 1,
  workingMs: 1,
  usd: 0,
  usdModel: 0,
  usdSearch: 0,
  usdFetch: 0,
}
const record = {
  attemptId: 'a',
  taskId: 't',
  benchmark: 'aoe',
  domain: 'financial',
  language: 'en',
  setting: 'online',
  options: {},
  model: 'm',
  trial: 0,
  seed: 0,
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: '2026-01-01T00:00:01.000Z',
  termination: {
    cause: 'agent',
    reason: 'answered',
    answerProduced: true,
    forcedFinal: false,
    lastHealthyStep: 1,
    detail: null,
  },
  usage,
  answer: { csv: null, rows: null, columns: null, parseStatus: 'none', parseNote: null },
  context: null,
  discovery: null,
  retrieval: null,
}

const cutOff = {
  ...record,
  usage: { ...usage, inputTokens: 10, outputTokens: 5 },
  termination: { ...record.termination, detail: withCutOffNote(1, null) },
}

it.each([
  ['left unfinished', null],
  ['recorded', record],
  ['recorded without a call that was cut off', cutOff],
])(
  'counts the spending of an attempt that was %s, including checkpoints, as it did during the attempt',
  async (_how, recorded) => {
    const out = await mkdtemp(join(tmpdir(), 'earlier-'))
    await mkdir(join(out, 'traces'))
    const blobs = createBlobStore({ folder: out, secrets: [] })
    const trace = await openTrace(
      { folder: out, attemptId: 'a', clock: systemClock, blobs, secrets: [] },
      'refuse',
    )
    const watch = watchAttempt(trace)
    for (const event of events) watch.tell(1, event)
    await trace.close()
    await writeFile(join(out, 'attempts.jsonl'), recorded === null ? '' : `${JSON.stringify(recorded)}\n`)
    const spent = await readEarlierSpending(resolveConfig({ tasks: '-', out, checkpointTokens: '100' }))
    expect(spent).toEqual({ tokens: 42_100, usd: 0.5, searchCalls: 0 })
    expect(watch.spent()).toEqual(spent)
  },
)

/** Writes the unfinished trace of a fork, whose replay charged what its source had. */
async function writeFork(out: string): Promise<void> {
  await mkdir(join(out, 'traces'))
  const blobs = createBlobStore({ folder: out, secrets: [] })
  const charge = (kind: 'searchCalls' | 'tokens', amount: number, total: number): EventBody => ({
    ...{ type: 'budget-charged', kind, amount, total, what: 'a call' },
  })
  const answered: EventBody = {
    ...{ type: 'model-answered', text: { text: '' }, reasoning: null, toolCalls: [], malformedCalls: [] },
    ...{ finishReason: 'stop', wallMs: 1 },
    usage: { inputTokens: 90, cachedInputTokens: null, outputTokens: 10, reasoningTokens: null },
  }
  const searched: EventBody = {
    ...{ type: 'tool-answered', callId: 'c', tool: 'web_search', text: { text: '' }, truncated: false },
    ...{ observations: [], wallMs: 700 },
  }
  const replayed = [...events, answered, charge('searchCalls', 1, 1), searched, charge('searchCalls', 1, 2)]
  const at = '2026-01-01T00:00:00.000Z'
  const lines = replayed.map((body, seq) => ({ attemptId: 'source', seq, at, step: 1, ...body }))
  const prefix = blobs.put(lines.map(line => withTextChecksum(JSON.stringify(line))).join('\n'))
  const trace = await openTrace({ folder: out, attemptId: 'a', clock: systemClock, blobs, secrets: [] })
  trace.emit(0, { type: 'attempt-started', taskId: 't', setting: 'online', model: 'm', trial: 0, caps: {} })
  trace.emit(0, { type: 'forked', source: 'source', atStep: 2, prefix })
  for (const body of [charge('tokens', 7, 107), answered, charge('searchCalls', 1, 3)]) trace.emit(2, body)
  trace.emit(2, searched)
  await trace.close()
}

it('does not count what a fork replayed', async () => {
  const out = await mkdtemp(join(tmpdir(), 'earlier-'))
  await writeFork(out)
  expect(await readEarlierSpending(resolveConfig({ tasks: '-', out }))).toEqual({
    ...{ tokens: 7, usd: 0, searchCalls: 1 },
  })
  const { events: all } = await readTrace(out, 'a')
  expect(all).toHaveLength(12)
  expect(sumSearchTime(all)).toEqual({ ms: 700, calls: 1 })
  await writeFile(join(out, 'manifest.json'), JSON.stringify(newManifest({})))
  expect(await readRepeatedSpending(out, [])).toMatchObject({
    ...{ attempts: 1, tokens: 100, searchCalls: 1, usd: 0 },
  })
})
