import type { Setting, SettingEnvironment, SettingOutcome } from '../../../agents/setting.ts'
import type { Termination } from '../../core/attempt.ts'
import type { Question } from '../../core/task.ts'
import { isFatalToRun } from '../../system/system-errors.ts'
import { unknownUsage } from './unknown-usage.ts'

/**
 * Runs a setting. An unexpected error in it ends the attempt as harness / crash, with the error as its detail.
 *
 * @throws errors that end the whole run, such as a full disk
 */
export async function runSetting(
  setting: Setting,
  question: Question,
  environment: SettingEnvironment,
): Promise<SettingOutcome> {
  try {
    return await setting.run(question, environment)
  } catch (error) {
    if (isFatalToRun(error)) throw error
    return {
      answerText: null,
      termination: crashed(error),
      usage: unknownUsage,
      context: null,
      retrieval: null,
      chunks: null,
    }
  }
}

function crashed(error: unknown): Termination {
  const detail = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return {
    cause: 'harness',
    reason: 'crash',
    answerProduced: false,
    forcedFinal: false,
    lastHealthyStep: 0,
    detail,
  }
}
