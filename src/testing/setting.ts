import { deepEqual, equal } from 'node:assert/strict'
import type { AIMessage } from '@langchain/core/messages'
import { settings } from '../../agents/registry.ts'
import type { SettingEnvironment } from '../../agents/setting.ts'
import { ProviderError } from '../core/errors.ts'
import {
  attemptEnvironment,
  checkOutcome,
  countingModel,
  says,
  table,
  testQuestion,
} from './attempt-environment.ts'
import type { Check } from './contract.ts'

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
    const { model, calls } = countingModel(turn)
    const outcome = await settings
      .get(name)
      .run(testQuestion, { ...attemptEnvironment(model), ...environment, ...more })
    checkOutcome(outcome, calls())
    return { ...outcome, calls: calls() }
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
