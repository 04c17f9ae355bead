import type { Question } from '../src/core/task.ts'
import type { SettingEnvironment, SettingOutcome } from './setting.ts'

/**
 * Who works on a task in the online setting: our own loop (`tablehunt`), or an agent from outside behind the gateway
 * (`behindGateway` makes one of a function, a command line makes one of a program).
 *
 * @example
 * import { type Agent, behindGateway } from 'tablehunt'
 *
 * const silent: Agent = behindGateway({
 *   summary: 'an agent that never answers',
 *   run: async () => ({ answerText: null, failure: 'it had no idea' }),
 * })
 */
export interface Agent {
  /** One line for --help and reports. */
  readonly summary: string
  /** Makes one attempt. Never rejects except for bugs: every end of an attempt is a termination. */
  run(question: Question, environment: SettingEnvironment): Promise<SettingOutcome>
}
