import { AIMessage } from '@langchain/core/messages'
import type { StructuredToolInterface } from '@langchain/core/tools'
import { ProviderError } from '../src/core/errors.ts'
import type { ModelHandle } from '../src/core/model.ts'
import type { AnswerSource, PromptMessages } from '../src/core/prompts.ts'
import type { Question } from '../src/core/task.ts'
import type { AttemptRun } from './attempt-run.ts'
import { answeredEnd, stoppedEnd, written } from './conclude.ts'
import { type Conversation, createConversation } from './conversation.ts'
import type { ModelAnswer } from './model-answer.ts'
import { callModel } from './model-call.ts'
import { budgetReason, type Ended } from './termination.ts'
import { tokensOfTools } from './tool-schema.ts'
import { askTurns, turnsOf } from './turns.ts'

/** A question that was answered, and the next one. */
interface Exchange {
  readonly answer: string
  readonly next: string
}

/** A prompt, and what was said before and after it. */
export interface AskedPrompt extends PromptMessages {
  readonly after?: readonly Exchange[]
  readonly before?: {
    addTo(conversation: Conversation): void
    /** Those that were called before; none may be called any more. */
    readonly tools: readonly StructuredToolInterface[]
  }
}

/** The conversation of the last request, so that the next one goes on with it where its prompt is the same. */
interface Spoken {
  last: {
    readonly prompt: PromptMessages
    readonly conversation: Conversation
    readonly after: number
  } | null
}

/** A prompt that has been made to fit, and its local tokens. */
type FittedPrompt = (limitTokens: number | null) => {
  readonly prompt: AskedPrompt
  readonly tokens: () => number
}

/**
 * Asks every question of a conversation, each with all that was said before. The documents are in the first message
 * alone; they are cut again where answers and questions leave them less room.
 */
export async function askAll(
  run: AttemptRun,
  question: Question,
  source: AnswerSource,
  promptFor: FittedPrompt,
): Promise<Ended> {
  const { model, prompts, chainOfThought } = run.environment
  const spoken: Spoken = { last: null }
  const after: Exchange[] = []
  let said = 0
  return await askTurns(run, question, async (turn, before) => {
    if (before !== null) {
      const next = prompts.furtherTurn(question, turnsOf(question)[turn]!, source, chainOfThought)
      const answer = before.answerText ?? ''
      after.push({ answer, next })
      said += model.countTokens(answer) + model.countTokens(next) + messageTokens
    }
    return await askFitting(
      run,
      limit => {
        const { prompt, tokens } = promptFor(limit === null ? null : Math.max(0, limit - said))
        return { prompt: { ...prompt, after }, tokens: () => tokens() + said }
      },
      spoken,
    )
  })
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
  promptFor: FittedPrompt,
  spoken: Spoken = { last: null },
): Promise<Ended> {
  let limit = promptTokens(run)
  const step = run.step + 1
  for (let shorter = 0; ; shorter++) {
    const { prompt, tokens } = promptFor(limit)
    try {
      run.step = step
      return await askOnce(run, prompt, spoken)
    } catch (error) {
      const tooLong = error instanceof ProviderError && error.reason === 'context-window'
      if (!tooLong || limit === null || shorter === mostShorter) throw error
      limit = Math.floor(Math.min(limit, tokens()) * shorterShare)
    }
  }
}

/** Asks with a prompt as it is, and ends the attempt with the answer. */
async function askOnce(run: AttemptRun, prompt: AskedPrompt, spoken: Spoken): Promise<Ended> {
  const { answer, answerText, ended } = await askModel(run, prompt, spoken)
  return ended ?? { end: answeredEnd(run, answer, answer.text), answerText }
}

/** One answer of the model to a prompt, and the end of the attempt where the provider or the budget put one. */
export async function askModel(
  run: AttemptRun,
  prompt: AskedPrompt,
  spoken: Spoken = { last: null },
): Promise<{ answer: ModelAnswer; answerText: string | null; ended: Ended | null }> {
  const { model } = run.environment
  const conversation = conversationOf(run, prompt, spoken)
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

/** The messages of a prompt: those of the last request with what was said since, where that had the same prompt. */
function conversationOf({ environment }: AttemptRun, prompt: AskedPrompt, spoken: Spoken): Conversation {
  const { system, user, before, after = [] } = prompt
  const last = spoken.last
  const isSame = last !== null && last.prompt.system === system && last.prompt.user === user
  const conversation = isSame
    ? last.conversation
    : createConversation(text => environment.model.countTokens(text))
  if (!isSame) {
    if (system !== '') conversation.addSystem(system)
    before?.addTo(conversation)
    conversation.addUser({ text: user, result: null })
  }
  for (const { answer, next } of after.slice(isSame ? last.after : 0)) {
    if (answer !== '') conversation.addAssistant(new AIMessage(answer))
    conversation.addUser({ text: next, result: null })
  }
  spoken.last = { prompt: { system, user }, conversation, after: after.length }
  return conversation
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
