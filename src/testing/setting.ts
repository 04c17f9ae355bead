import { deepEqual, equal, ok } from 'node:assert/strict'
import { AIMessage } from '@langchain/core/messages'
import { ownPrompts } from '../../agents/prompts/own-prompts.ts'
import { settings } from '../../agents/registry.ts'
import type { SettingEnvironment, SettingOutcome } from '../../agents/setting.ts'
import { eventBodySchema } from '../../logs/events.ts'
import { contextSchema, terminationSchema, usageSchema } from '../core/attempt.ts'
import { ProviderError } from '../core/errors.ts'
import type { Question } from '../core/task.ts'
import { sha256 } from '../system/hash.ts'
import type { Check } from './contract.ts'
import { countingTransport, instantClock } from './web.ts'

/**
 * What a setting is tested with. A setting that needs nothing is tested with `{}`.
 *
 * @example
 * import type { SettingSample } from 'tablehunt/testing'
 *
 * const hops: SettingSample = { environment: { options: { hops: 2 } } }
 */
export interface SettingSample {
  /** Further parts of the environment that the setting uses, such as `documents` or `options`. */
  readonly environment?: Partial<SettingEnvironment>
}

/** Returns the checks that every setting must pass. */
export function settingContract(name: string, { environment }: SettingSample = {}): readonly Check[] {
  const run = async (turn: AIMessage | Error, more: Partial<SettingEnvironment> = {}) => {
    let calls = 0
    const model: SettingEnvironment['model'] = {
      name: 'test:model',
      contextWindow: null,
      nativeTools: true,
      price: null,
      countTokens: text => text.length,
      async call() {
        calls++
        if (turn instanceof Error) throw turn
        return turn
      },
    }
    const outcome = await settings
      .get(name)
      .run(question, { ...environmentOf(model), ...environment, ...more })
    checkRecord(outcome, calls)
    return { ...outcome, calls }
  }
  return [
    {
      name: "returns the model's answer, with records that a run can keep",
      async run() {
        const { answerText, termination } = await run(says(table))
        equal(answerText, table)
        deepEqual([termination.cause, termination.answerProduced], ['agent', true])
      },
    },
    {
      name: 'ends with the cause provider when the model fails, without a rejection',
      async run() {
        const down = new ProviderError('auth', 'bad key', { retryable: false })
        const { termination } = await run(down)
        deepEqual([termination.cause, termination.reason], ['provider', 'auth'])
      },
    },
    {
      name: 'calls no model beyond its budget, and ends with the cause budget',
      async run() {
        const { termination, calls } = await run(says(table), { caps: { modelCalls: 0 } })
        equal(calls, 0)
        deepEqual([termination.cause, termination.reason], ['budget', 'model-calls'])
      },
    },
    {
      name: 'ends with the cause operator when it is cancelled',
      async run() {
        const signal = AbortSignal.abort(new Error('cancelled'))
        const { termination } = await run(says(table), { signal })
        deepEqual([termination.cause, termination.reason], ['operator', 'cancelled'])
      },
    },
  ]
}

const table = 'Done.\n```csv\nname,revenue\na.pdf,"1,234"\n```'

const question: Question = {
  taskId: 't',
  benchmark: 'aoe',
  domain: 'financial',
  language: 'en',
  query: 'Compare revenue.',
  documentNames: ['a.pdf'],
  form: { kind: 'table' },
}

function says(content: string): AIMessage {
  const usage_metadata = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
  return new AIMessage({ content, usage_metadata } as never)
}

function checkRecord({ termination, usage, context }: SettingOutcome, calls: number): void {
  terminationSchema.parse(termination)
  usageSchema.parse(usage)
  if (context !== null) contextSchema.parse(context)
  ok((usage.modelCalls ?? calls) >= calls || calls === 0, `${calls} model calls, ${usage.modelCalls} counted`)
}

function environmentOf(model: SettingEnvironment['model']): SettingEnvironment {
  return {
    attemptId: 'attempt',
    model,
    caps: {},
    prompts: ownPrompts(),
    chainOfThought: true,
    cutStrategy: 'even',
    options: {},
    maxOutputTokens: null,
    clock: instantClock,
    signal: new AbortController().signal,
    documents: async () => [{ hint: 'a.pdf', sha256: null, text: 'Revenue 1,234', problem: null }],
    retrieve: async () => ({ chunks: [], retriever: 'aoe', embedder: 'hash', k: 250 }),
    tools: () => [],
    sharedToolEnvironment: {
      clock: instantClock,
      transport: countingTransport(undefined),
    } as unknown as SettingEnvironment['sharedToolEnvironment'],
    emit: (_step, body) => void eventBodySchema.parse(body),
    keepText: sha256,
    hasAnswer: answer => answer.includes('```csv'),
  }
}
