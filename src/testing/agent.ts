import { equal, ok } from 'node:assert/strict'
import type { AIMessage } from '@langchain/core/messages'
import { agents } from '../../agents/agent-registry.ts'
import type { SettingEnvironment } from '../../agents/setting.ts'
import { ProviderError } from '../core/errors.ts'
import { systemClock } from '../core/runtime.ts'
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
 * What an agent is tested with. Its model always answers with the same table, and it has no tools. An agent that needs
 * nothing else is tested with `{}`.
 *
 * @example
 * import type { AgentSample } from 'tablehunt/testing'
 *
 * const oneQuestion: AgentSample = { environment: { maxOutputTokens: 100 } }
 */
export interface AgentSample {
  /** Parts of the environment that the agent uses besides, such as `tools`. */
  readonly environment?: Partial<SettingEnvironment>
}

/** Returns the checks that every agent must pass. */
export function agentContract(name: string, { environment }: AgentSample = {}): readonly Check[] {
  const run = async (turn: AIMessage | Error, more: Partial<SettingEnvironment> = {}) => {
    const { model, calls } = countingModel(turn)
    const outcome = await agents.get(name).run(testQuestion, {
      // An agent behind the gateway does real work, which takes real time.
      ...attemptEnvironment(model),
      clock: systemClock,
      ...environment,
      ...more,
    })
    checkOutcome(outcome, calls())
    return { ...outcome, calls: calls() }
  }
  return [
    {
      name: 'answers, with records that a run can keep',
      async run() {
        const { answerText, termination } = await run(says(table))
        equal(termination.cause, 'agent')
        ok(answerText !== null && answerText.trim() !== '', 'it has no answer')
      },
    },
    {
      name: 'ends by its provider or by itself when the model fails, without a rejection',
      async run() {
        const { termination } = await run(new ProviderError('auth', 'bad key', { retryable: false }))
        ok(['provider', 'agent'].includes(termination.cause), `it ends by ${termination.cause}`)
      },
    },
    {
      name: 'calls no model beyond its budget',
      async run() {
        const { termination, calls } = await run(says(table), { caps: { modelCalls: 0 } })
        equal(calls, 0)
        ok(['budget', 'agent'].includes(termination.cause), `it ends by ${termination.cause}`)
      },
    },
    {
      name: 'ends by its operator when it is cancelled',
      async run() {
        const { termination } = await run(says(table), { signal: AbortSignal.abort(new Error('cancelled')) })
        equal(`${termination.cause}/${termination.reason}`, 'operator/cancelled')
      },
    },
  ]
}
