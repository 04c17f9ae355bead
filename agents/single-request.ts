import type { AttemptRun } from './attempt-run.ts'
import { answeredEnd, type Ended, stoppedEnd, written } from './conclude.ts'
import { createConversation } from './conversation.ts'
import { callModel } from './model-call.ts'
import type { PromptMessages } from './prompts/prompts.ts'
import { budgetReason } from './termination.ts'

/** One request, one answer: what offline and rag do once their prompt stands. */
export async function askOnce(run: AttemptRun, prompt: PromptMessages): Promise<Ended> {
  const { model } = run.environment
  const conversation = createConversation(text => model.countTokens(text))
  if (prompt.system !== '') conversation.addSystem(prompt.system)
  conversation.addUser({ text: prompt.user, result: null })
  run.step = 1
  const { answer, overrun } = await callModel(run, conversation, {
    tools: [],
    toolTokens: 0,
    final: false,
    maxOutputTokens: null,
  })
  const answerText = written(answer.text)
  const stopped = stoppedEnd(answer)
  if (stopped !== null) return { end: stopped, answerText }
  if (answerText !== null) run.lastHealthyStep = 1
  if (overrun !== null) {
    const detail = 'the provider billed more than its reservation'
    return { end: { cause: 'budget', reason: budgetReason(overrun), detail }, answerText }
  }
  return { end: answeredEnd(run, answer, answer.text), answerText }
}

/** Tokens of a window that are left for an answer: a quarter of it, at most this. */
const mostAnswerTokens = 16_384

/** Local tokens that a prompt may have in the model's window; null: no limit. */
export function promptTokens(run: AttemptRun): number | null {
  const { model, maxOutputTokens } = run.environment
  if (model.contextWindow === null) return null
  const answer = Math.min(maxOutputTokens ?? mostAnswerTokens, Math.floor(model.contextWindow / 4))
  return Math.floor((model.contextWindow - answer) / (run.meter.inputFor(1_000) / 1_000)) - messageTokens
}

/** What roles and separators of the two messages cost. */
const messageTokens = 16
