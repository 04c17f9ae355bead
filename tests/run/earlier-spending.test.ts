import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createBlobStore } from '../../logs/blobs.ts'
import type { EventBody } from '../../logs/events.ts'
import { openTrace } from '../../logs/writer.ts'
import { resolveConfig } from '../../src/config.ts'
import { systemClock } from '../../src/core/runtime.ts'
import { withCutOffNote } from '../../src/core/termination.ts'
import { watchAttempt } from '../../src/run/attempt/watch.ts'
import { readEarlierSpending } from '../../src/run/records/earlier-spending.ts'

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
