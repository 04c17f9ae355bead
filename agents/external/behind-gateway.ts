import type { Agent } from '../setting.ts'
import type { ExternalAgent } from './agent-job.ts'

/**
 * Returns an agent that gets a gateway of its own for each attempt. Model calls, searches and fetches through the gateway are
 * charged, traced and guarded like those of Tablehunt's own agent.
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
 *     const answer = JSON.parse(await response.text())
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
