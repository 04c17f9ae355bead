import type { StructuredToolInterface } from '@langchain/core/tools'
import { ProviderError } from '../src/core/errors.ts'
import type { ModelHandle } from '../src/core/model.ts'
import type { PromptMessages } from '../src/core/prompts.ts'
import type { AttemptRun } from './attempt-run.ts'
import { answeredEnd, type Ended, stoppedEnd, written } from './conclude.ts'
import { type Conversation, createConversation } from './conversation.ts'
import type { ModelAnswer } from './model-answer.ts'
import { callModel } from './model-call.ts'
import { budgetReason } from './termination.ts'
import { tokensOfTools } from './tool-schema.ts'

/** A prompt, and what was said before it. */
export interface AskedPrompt extends PromptMessages {
  readonly before?: {
    addTo(conversation: Conversation): void
    /** Those that were called before; none may be called any more. */
    readonly tools: readonly StructuredToolInterface[]
  }
}

/** How often a prompt that the provider finds too long is made shorter, and by how much. */
const mostShorter = 3
const shorterShare = 0.75

/**
 * One request, one answer, with a prompt made to fit: `promptFor` gets the local tokens that it may have (null: any).
 * A provider's tokenizer may count more than ours, so a prompt that it finds too long is cut again, a few times.
 */
export async function askFitting(
  run: AttemptRun,
  promptFor: (limitTokens: number | null) => {
    readonly prompt: AskedPrompt
    readonly tokens: () => number
  },
): Promise<Ended> {
  let limit = promptTokens(run)
  const step = run.step + 1
  for (let shorter = 0; ; shorter++) {
    const { prompt, tokens } = promptFor(limit)
    try {
      run.step = step
      return await askOnce(run, prompt)
    } catch (error) {
      const tooLong = error instanceof ProviderError && error.reason === 'context-window'
      if (!tooLong || limit === null || shorter === mostShorter) throw error
      limit = Math.floor(Math.min(limit, tokens()) * shorterShare)
    }
  }
}

/** Asks with a prompt as it is, and ends the attempt with the answer. */
async function askOnce(run: AttemptRun, prompt: AskedPrompt): Promise<Ended> {
  const { answer, answerText, ended } = await askModel(run, prompt)
  return ended ?? { end: answeredEnd(run, answer, answer.text), answerText }
}

/** One answer of the model to a prompt, and the end of the attempt where the provider or the budget put one. */
export async function askModel(
  run: AttemptRun,
  prompt: AskedPrompt,
): Promise<{ answer: ModelAnswer; answerText: string | null; ended: Ended | null }> {
  const { model } = run.environment
  const conversation = createConversation(text => model.countTokens(text))
  if (prompt.system !== '') conversation.addSystem(prompt.system)
  prompt.before?.addTo(conversation)
  conversation.addUser({ text: prompt.user, result: null })
  const tools = prompt.before?.tools ?? []
  const { answer, overrun } = await callModel(run, conversation, {
    tools,
    toolTokens: tokensOfTools(model, tools),
    final: prompt.before !== undefined,
    maxOutputTokens: null,
  })
  const answerText = written(answer.text)
  const stopped = stoppedEnd(answer)
  if (stopped !== null) return { answer, answerText, ended: { end: stopped, answerText } }
  if (answerText !== null) run.lastHealthyStep = run.step
  if (overrun !== null) {
    const detail = 'the provider billed more than its reservation'
    const end = { cause: 'budget', reason: budgetReason(overrun), detail } as const
    return { answer, answerText, ended: { end, answerText } }
  }
  return { answer, answerText, ended: null }
}

/** Tokens of a prompt by the model's local count. */
export function promptSize(model: ModelHandle, { system, user }: PromptMessages): number {
  return model.countTokens(system) + model.countTokens(user)
}

/** Tokens of a window that are left for an answer: a quarter of it, at most this. */
const mostAnswerTokens = 16_384

/** Local tokens that a prompt may have in the model's window; null: no limit. */
function promptTokens(run: AttemptRun): number | null {
  const { model, maxOutputTokens } = run.environment
  if (model.contextWindow === null) return null
  const answer = Math.min(maxOutputTokens ?? mostAnswerTokens, Math.floor(model.contextWindow / 4))
  return Math.floor((model.contextWindow - answer) / (run.meter.inputFor(1_000) / 1_000)) - messageTokens
}

/** What roles and separators of the two messages cost. */
const messageTokens = 16
