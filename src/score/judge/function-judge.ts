import { ProviderError, RunError } from '../../core/errors.ts'
import { systemClock } from '../../core/runtime.ts'
import { defaultRetry } from '../../system/retry.ts'
import type { ModelJudge } from '../contract/judge.ts'
import { createModelJudge } from './model-judge.ts'

/**
 * A judge function of the caller: receives a prompt and returns the model's reply. When the reply is not in the form
 * that the prompt asks for, the function is called again, up to three times in total. Throw ProviderError with
 * `retryable: true` to be called again after a failure.
 *
 * @example
 * import { type JudgeFunction, score } from 'tablehunt'
 *
 * // Stands in for a model that says yes to everything.
 * const judge: JudgeFunction = async () => 'Judge: True'
 * const task = { question: 'Capital of France?', gold: { kind: 'text' as const, references: ['Paris'] } }
 * const { metrics } = await score('It is Paris.', task, { scorer: 'judge-accuracy', judge })
 * console.log(metrics) // { judgeAccuracy: 1 }
 */
export type JudgeFunction = (prompt: string) => Promise<string>

/** The name of such a judge in records, such as `function:askMyModel`. */
export function nameFunctionJudge(ask: JudgeFunction): string {
  return ask.name === '' ? 'function' : `function:${ask.name}`
}

/**
 * Creates a judge that asks a function. Replies are not cached; their tokens count as 0 and their cost is unknown
 * (null). Rejects with RunError [judge-failed] when the function throws anything but a ProviderError.
 */
export function createFunctionJudge(
  ask: JudgeFunction,
  options: { readonly signal: AbortSignal; readonly batch: boolean },
): ModelJudge {
  const name = nameFunctionJudge(ask)
  return createModelJudge({
    name,
    complete: async prompt => ({ text: await askOnce(ask, prompt), ...unknownBill }),
    cache: null,
    retry: { ...defaultRetry, clock: systemClock, signal: options.signal },
    batch: options.batch,
  })
}

const unknownBill = { inputTokens: null, outputTokens: null, usd: null }

async function askOnce(ask: JudgeFunction, prompt: string): Promise<string> {
  let reply: unknown
  try {
    reply = await ask(prompt)
  } catch (cause) {
    if (cause instanceof ProviderError) throw cause
    const why = cause instanceof Error ? cause.message : String(cause)
    throw new RunError(
      `judge ${nameFunctionJudge(ask)} failed: ${why}. Correct the function; throw ProviderError for failures to retry.`,
      { code: 'judge-failed', cause },
    )
  }
  if (typeof reply === 'string') return reply
  throw new RunError(
    `judge ${nameFunctionJudge(ask)} returned ${typeof reply}. Return the model's reply as a string.`,
    { code: 'judge-failed' },
  )
}
