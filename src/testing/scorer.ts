import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { scorers } from '../../tasks/registry.ts'
import { findScorer } from '../../tasks/scorers.ts'
import { writeGoldAsText } from '../../tasks/validate/score-limits.ts'
import type { Attempt } from '../core/attempt.ts'
import type { Gold } from '../core/gold.ts'
import { systemClock } from '../core/runtime.ts'
import { type Score, scoreSchema } from '../core/score.ts'
import { listItems } from '../core/score-items.ts'
import type { AnswerForm } from '../core/task.ts'
import type { AttemptEnd } from '../core/termination.ts'
import { type Judge, rulesJudge } from '../score/contract/judge.ts'
import { scoreAttempt } from '../score/score-attempt.ts'
import type { Check } from './contract.ts'

/**
 * Creates an attempt without an answer, as tests of scorers need it.
 *
 * @param end how the attempt ended
 * @param rest fields that differ from those of the sample
 */
export const sampleAttempt = (end: AttemptEnd, rest: Partial<Attempt> = {}): Attempt => ({
  attemptId: 'a',
  taskId: 't',
  benchmark: 'contract',
  domain: 'general',
  language: 'en',
  setting: 'offline',
  options: {},
  model: 'm',
  trial: 0,
  seed: 0,
  startedAt: '',
  endedAt: '',
  termination: { ...end, answerProduced: true, forcedFinal: false, lastHealthyStep: 1, detail: null },
  usage: {
    inputTokens: 0,
    cachedInputTokens: 0,
    outputTokens: 0,
    reasoningTokens: 0,
    modelCalls: 1,
    searchCalls: 0,
    fetchCalls: 0,
    toolErrors: 0,
    wallMs: 0,
    workingMs: 0,
    usd: 0,
    usdModel: 0,
    usdSearch: 0,
    usdFetch: 0,
  },
  answer: { csv: null, rows: null, columns: null, parseStatus: 'none', parseNote: null },
  context: null,
  discovery: null,
  retrieval: null,
  ...rest,
})

/**
 * A gold that a scorer is tested with.
 *
 * @example
 * import type { ScorerSample } from 'tablehunt/testing'
 *
 * const paris: ScorerSample = { gold: { kind: 'text', references: ['Paris'] }, wrongAnswer: 'Rome' }
 */
export interface ScorerSample {
  /** The true answer. */
  readonly gold: Gold
  /** An answer that can be read but is wrong. */
  readonly wrongAnswer: string
  /** Replies to the prompts of a scorer that asks a judge model. The default is the judge of fixed rules. */
  readonly judge?: (prompt: string) => string
  /** The question. Absent: `Which?`. */
  readonly query?: string
}

/** Returns the checks that every scorer must pass. */
export function scorerContract(name: string, sample: ScorerSample): readonly Check[] {
  const { gold, wrongAnswer } = sample
  const right = writeGoldAsText(scorers.get(name), gold)
  const score = async (answer: string | null) => await scoreSample(name, sample, answer)
  return [
    {
      name: 'declares each metric once, exactly one of them primary, with a range',
      run: async () => checkMetrics(name),
    },
    {
      name: 'scores its gold with the best value of its primary metric, and every item as right',
      async run() {
        const scored = await score(right)
        ok(scored.answered === true, 'the gold as an answer could not be read')
        equal(scored.success, true)
        equal(readPrimary(name, scored), findBest(name))
        for (const item of listItems(scored)) equal(item.score, 1, `item ${JSON.stringify(item)}`)
      },
    },
    {
      name: 'scores a wrong answer and a missing one lower than the gold',
      async run() {
        const wrong = await score(wrongAnswer)
        equal(wrong.answered, true, 'the wrong answer could not be read')
        equal(wrong.success, false)
        notEqual(readPrimary(name, wrong), findBest(name))
        const missing = await score(null)
        deepEqual([missing.answered, missing.success], [false, false])
        notEqual(readPrimary(name, missing), findBest(name))
      },
    },
    {
      name: 'returns a value within its range for each metric, and the same items, for any answer',
      async run() {
        const ids = listItems(await score(right)).map(item => identifyItem(item))
        deepEqual(ids, [...new Set(ids)], 'ids of items are unique')
        for (const answer of [right, wrongAnswer, ...strangeAnswers, null]) {
          const scored = await score(answer)
          checkValues(name, scored)
          deepEqual(
            listItems(scored).map(identifyItem),
            ids,
            `items for the answer ${JSON.stringify(answer)}`,
          )
          ok((scored.explanation ?? []).length > 0, `no explanation for the answer ${JSON.stringify(answer)}`)
        }
      },
    },
    {
      name: 'returns the same score for the same answer, in a form that a record can store',
      async run() {
        for (const answer of [right, wrongAnswer, null]) {
          const scored = await score(answer)
          deepEqual(await score(answer), scored)
          deepEqual(scoreSchema.parse(JSON.parse(JSON.stringify(scored))), scored)
        }
      },
    },
  ]
}

/** Answers for which a scorer must not throw. */
const strangeAnswers = [
  '',
  ' \n ',
  'I could not find it.',
  '```csv\n```',
  '{"a": [',
  '\u0000|\ud800,"',
  '[1, null]',
]

function checkMetrics(name: string): void {
  const { metrics } = scorers.get(name)
  const keys = metrics.map(metric => metric.key)
  deepEqual(keys, [...new Set(keys)])
  for (const key of ['answered', 'success'])
    ok(!keys.includes(key), `every scorer has the metric ${key} already`)
  equal(metrics.filter(metric => metric.primary).length, 1, 'exactly one metric is primary')
  for (const { key, label, description, range } of metrics) {
    ok(label.trim() !== '' && description.trim() !== '', `${key}: label and description are texts`)
    const [least, most] = range
    ok(least === null || most === null || least < most, `${key}: its range is empty`)
  }
}

function checkValues(name: string, { status, metrics }: Score): void {
  if (status === 'unscored') return
  const declared = scorers.get(name).metrics
  deepEqual(Object.keys(metrics).sort(), declared.map(metric => metric.key).sort())
  for (const { key, range } of declared) {
    const value = metrics[key]
    if (value === null || value === undefined) continue
    const [least, most] = [range[0] ?? Number.NEGATIVE_INFINITY, range[1] ?? Number.POSITIVE_INFINITY]
    ok(value >= least && value <= most, `${key} is ${value}, out of its range ${JSON.stringify(range)}`)
  }
}

function readPrimary(name: string, { metrics }: Score): number | null {
  return metrics[scorers.get(name).metrics.find(metric => metric.primary)!.key] ?? null
}

/** The best possible value of the primary metric. */
function findBest(name: string): number | null {
  const { better, range } = scorers.get(name).metrics.find(metric => metric.primary)!
  return range[better === 'higher' ? 1 : 0]
}

function identifyItem(item: ReturnType<typeof listItems>[number]): string {
  return 'id' in item ? String(item.id) : JSON.stringify([item.goldRow, item.column])
}

const forms: Readonly<Record<Gold['kind'], AnswerForm>> = {
  table: { kind: 'table' },
  json: { kind: 'json', schema: {} },
  text: { kind: 'text' },
}

async function scoreSample(scorer: string, sample: ScorerSample, answer: string | null): Promise<Score> {
  const { gold, judge, query = 'Which?' } = sample
  const { taskId, benchmark, domain, language } = attempt
  const question = { taskId, benchmark, domain, language, query, documentNames: [], form: forms[gold.kind] }
  return await scoreAttempt({
    attempt,
    answers: [answer],
    task: { question, gold },
    scorer: findScorer(scorer),
    judge: judge === undefined ? rulesJudge : judgeReplying(judge),
    clock: systemClock,
    infrastructureFailures: 0,
    successAt: null,
  })
}

function judgeReplying(reply: (prompt: string) => string): Judge {
  return {
    kind: 'model',
    name: 'test',
    batch: false,
    async ask({ prompt, parse }) {
      const value = parse(reply(prompt))
      const failure = value === null ? 'out of form' : null
      return { value, failure, calls: 1, inputTokens: 1, outputTokens: 1, usd: 0 }
    },
  }
}

const attempt = sampleAttempt({ cause: 'agent', reason: 'answered' })
