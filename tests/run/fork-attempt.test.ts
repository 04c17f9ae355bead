import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { runOwnAgent } from '../../agents/loop.ts'
import type { Setting, SettingEnvironment } from '../../agents/setting.ts'
import { createBlobStore } from '../../logs/blobs.ts'
import type { EventBody } from '../../logs/events.ts'
import { openTrace } from '../../logs/writer.ts'
import { resolveConfig } from '../../src/config.ts'
import type { BudgetCaps } from '../../src/core/budget.ts'
import type { Question } from '../../src/core/task.ts'
import { forkSetting } from '../../src/run/attempt/fork-attempt.ts'
import { watchAttempt } from '../../src/run/attempt/watch.ts'
import type { RunResources } from '../../src/run/open-run/open-resources.ts'
import type { PlannedAttempt } from '../../src/run/plan/plan.ts'
import { calls, question, type Script, says, scripted, table, world } from '../agents/harness.ts'

const minute = 60_000
const turns = ['a', 'b', 'c'].map(query => calls(['web_search', { queries: [query] }]))

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fork-attempt-'))
})

/** Writes the trace of a source, whose model takes a minute for each event. */
async function recordSource(script: Script): Promise<void> {
  const blobs = createBlobStore({ folder })
  let now = 0
  const clock = { now: () => now, sleep: async () => {} }
  const trace = await openTrace({ folder, attemptId: 'source', clock, blobs, secrets: [] })
  const task = { taskId: 't', setting: 'online', model: 'm', trial: 0 }
  trace.emit(0, { type: 'attempt-started', ...task, caps: {} })
  const emit = (step: number, event: EventBody): void => {
    if (event.type === 'model-called') now += minute
    trace.emit(step, event)
  }
  const { environment } = world(scripted(script), { emit })
  const { termination } = await runOwnAgent(question, environment)
  now += 60 * minute
  const leak = { how: 'blocked' as const, url: 'https://answers.example/', detail: 'on the block list: x' }
  trace.emit(1, { type: 'leak-found', ...leak })
  trace.emit(1, { type: 'answer-parsed', parseStatus: 'table', rows: 1, columns: [] })
  trace.emit(1, { type: 'terminated', termination })
  await trace.close()
}

interface ForkToTry {
  readonly atStep: number
  readonly script: Script
  readonly options?: Record<string, unknown>
  /** What the environment allows: the attempt's share of the run's budget. */
  readonly share?: BudgetCaps
  readonly caps?: BudgetCaps
}

/** Makes a fork of the source. Returns its end, its events, and the caps with which it began. */
async function makeFork({ atStep, script, options = {}, share = {}, caps = {} }: ForkToTry) {
  const config = resolveConfig({ tasks: 'none.jsonl', setting: 'online', out: folder, ...options })
  const fork = {
    run: 'r',
    attemptId: 'source',
    traceSha256: '',
    atStep,
    isImported: false,
    documents: [],
    earlier: [],
  }
  const change = { intervention: { kind: 'none', value: null }, text: null, callId: null, caps, values: {} }
  const planned = { setting: 'online', fork: { ...fork, ...change } } as unknown as PlannedAttempt
  let began: BudgetCaps = {}
  const setting = {
    run: async (asked: Question, environment: SettingEnvironment) => {
      began = { ...environment.caps }
      return await runOwnAgent(asked, environment)
    },
  } as unknown as Setting
  const texts = new Map<string, string>()
  const keepText = (text: string): string => {
    texts.set(String(texts.size), text)
    return String(texts.size - 1)
  }
  const watch = watchAttempt({ emit: () => undefined, close: async () => {} })
  const emit = watch.tell
  const events: EventBody[] = []
  const live = world(scripted(script), {
    keepText,
    caps: share,
    emit(step, event) {
      events.push(event)
      emit(step, event)
    },
  })
  const forked = forkSetting(
    {
      planned,
      setting,
      options: { ...config, forks: folder },
      resources: {} as RunResources,
    },
    watch,
  )
  const outcome = await forked.setting.run(question, live.environment)
  return { outcome, events, began, texts: [...texts.values()], spent: watch.spent() }
}

it('gives a fork the wall time of its own budget, without the time before its step', async () => {
  await recordSource({ turns: [...turns, says(table)] })
  const script = { turns: [says(table)] }
  const before = await makeFork({ atStep: 3, script, options: { budgetWall: 30 * 60 } })
  expect(before.began.wallMs).toBe(28 * minute)
  const more = { options: { budgetWall: 30 * 60 }, caps: { wallMs: 90 * minute } }
  expect((await makeFork({ atStep: 3, script, ...more })).began.wallMs).toBe(88 * minute)
  const least = await makeFork({ atStep: 3, script, options: { budgetWall: 10 } })
  expect(least.began.wallMs).toBe(1_000)
})

it('stores the events before the step, without the end of the source', async () => {
  await recordSource({ turns: [...turns, says(table)] })
  const { events, texts } = await makeFork({ atStep: 3, script: { turns: [says(table)] } })
  expect(events[0]).toMatchObject({ type: 'forked', atStep: 3 })
  const stored = texts.find(text => text.includes('"type":"tool-answered"'))!
  expect(stored).not.toMatch(/"type":"(leak-found|answer-parsed|terminated|attempt-started)"/)
})

it('counts the live calls alone towards the share of the run budget', async () => {
  await recordSource({ turns: [...turns, says(table)] })
  const options = { runBudgetSearchCalls: 1, runBudgetTokens: 1_000_000 }
  const script = { turns: [turns[2]!, calls(['web_search', { queries: ['d'] }]), says(table)] }
  const { outcome, events, spent } = await makeFork({
    ...{ atStep: 3, script, options, share: { searchCalls: 1, tokens: 1_000_000 } },
    caps: { searchCalls: 50 },
  })
  expect(outcome.termination.reason).toBe('answered')
  expect(spent.searchCalls).toBe(1)
  expect(events.filter(({ type }) => type === 'budget-refused')).toMatchObject([
    { kind: 'searchCalls', left: 0 },
  ])
})
