import type { Agent } from '../setting.ts'
import type { AgentJob, AgentResult } from './agent-job.ts'

/**
 * An agent that is not ours: a function that starts it, or does its work, and waits for its answer.
 *
 * @example
 * import type { ExternalAgent } from 'tablehunt'
 *
 * const silent: ExternalAgent = {
 *   summary: 'an agent that never answers',
 *   run: async () => ({ answerText: null, failure: 'it had no idea' }),
 * }
 */
export interface ExternalAgent {
  /** One line for reports. */
  readonly summary: string
  /**
   * Makes one attempt. When `job.signal` aborts, it stops the agent and returns what the agent has answered so far. What it
   * throws is a failure of the agent.
   */
  run(job: AgentJob): Promise<AgentResult>
}

/**
 * Returns an agent whose model calls, searches and fetches go through a gateway of its own for each attempt: they are
 * charged, traced and guarded like those of our own loop.
 *
 * @example
 * import { behindGateway, definePlugin } from 'tablehunt'
 *
 * const oneQuestion = behindGateway({
 *   summary: 'asks the model once, without tools',
 *   async run({ task, addresses, signal }) {
 *     const response = await fetch(`${addresses.OPENAI_BASE_URL}/chat/completions`, {
 *       method: 'POST',
 *       signal,
 *       body: JSON.stringify({ model: 'tablehunt', messages: [{ role: 'user', content: task.prompt.user }] }),
 *     })
 *     const answer = await response.json()
 *     if (!response.ok) return { answerText: null, failure: answer.error.message }
 *     return { answerText: answer.choices[0].message.content, failure: null }
 *   },
 * })
 *
 * export default definePlugin({ agents: { 'one-question': oneQuestion } })
 */
export function behindGateway(agent: ExternalAgent): Agent {
  return {
    summary: agent.summary,
    run: async (question, environment) =>
      await (await import('./run-external.ts')).runExternal(agent, question, environment),
  }
}
