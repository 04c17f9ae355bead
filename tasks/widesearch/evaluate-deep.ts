import { type EvaluationInput, type EvaluationResult, evaluateBy, publishedRules } from './evaluate.ts'
import type { JudgeCall } from './judge-calls.ts'
import { PythonFailure } from './python-failure.ts'

/**
 * Evaluates one answer as DeepWideSearch's published code does once the subject is named (AIDC-AI, commit 57965f0): as
 * WideSearch, but with the last table of the answer and with stricter criteria.
 */
export async function evaluateDeep(input: EvaluationInput): Promise<EvaluationResult> {
  const ask: EvaluationInput['ask'] = async call => await input.ask(stricter(call))
  return await evaluateBy({ ...publishedRules, table: 'last' }, { ...input, ask })
}

/** The demand is that of the published code in our words. */
function stricter(call: JudgeCall): JudgeCall {
  if (call.call !== 'grade') return call
  if (typeof call.criterion !== 'string')
    throw new PythonFailure('TypeError', `column '${call.of}' has no criterion in words`)
  const criterion = `${call.criterion} Be strict: the wording may differ only where the response and the target agree. When they name different things, the response is wrong, even where some of its words are in the target.`
  return { ...call, criterion }
}
