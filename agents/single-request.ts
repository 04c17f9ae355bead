import { AIMessage } from '@langchain/core/messages'
import type { StructuredToolInterface } from '@langchain/core/tools'
import { BudgetRefusedError, ProviderError } from '../src/core/errors.ts'
import { choosePromptLanguage, type PromptLanguage } from '../src/core/language.ts'
import type { ModelHandle } from '../src/core/model.ts'
import type { AnswerSource, EarlierAnswerRole, PromptMessages } from '../src/core/prompts.ts'
import { yieldToEventLoop } from '../src/core/runtime.ts'
import type { Question } from '../src/core/task.ts'
import { isUnknownRefusal } from '../src/models/context-refusals.ts'
import type { ModelAnswer } from '../src/models/model-answer.ts'
import { toStrictSchema, withoutAddedNulls } from '../src/models/strict-schema.ts'
import { tokensOfTools } from '../src/models/tool-schema.ts'
import type { AttemptRun } from './attempt-run.ts'
import { answeredEnd, nonEmptyText, stoppedEnd } from './conclude.ts'
import { type AttachedFile, Conversation } from './conversation.ts'
import { callModel } from './model-call.ts'
import { loopNotes } from './prompts/notes.ts'
import type { SettingEnvironment } from './setting.ts'
import { budgetReason, type Ended, noProgressEnd, overrunEnd } from './termination.ts'
import { askTurns, listTurns } from './turns.ts'
import { longRequestTokens } from './window.ts'

/** The answer to one question of a conversation, and the next question. */
export interface Exchange {
  readonly answer: string
  readonly next: string
}

/** A prompt with the messages before and after it. */
export interface AskedPrompt extends PromptMessages {
  readonly after?: readonly Exchange[]
  /** The role of the answers in `after`. Absent: `assistant`. */
  readonly answersAs?: EarlierAnswerRole
  /** Files that follow the user's message. They cannot be cut. */
  readonly files?: readonly AttachedFile[]
  /** The JSON Schema of the answer, when the server makes the answer follow it. */
  readonly answerSchema?: unknown
  readonly before?: {
    addTo(conversation: Conversation): void
    /** The tools that were called before. They cannot be called any more. */
    readonly tools: readonly StructuredToolInterface[]
  }
}

/** The conversation of the last request. The next request continues it if its prompt is the same. */
interface PreviousRequest {
  last: {
    readonly prompt: PromptMessages
    readonly conversation: Conversation
    readonly after: number
  } | null
}

/** Returns a prompt that fits into a number of tokens, with its local token count. */
type FittedPrompt = (limitTokens: number | null) => {
  readonly prompt: AskedPrompt
  readonly tokens: () => number
}

/**
 * Work before the request for a question (0-based), such as a query whose result the prompt contains. `earlier` are the
 * answers so far. Returns the end of the attempt if the work ended it, otherwise null.
 */
type Preparation = (turn: number, earlier: readonly Exchange[]) => Promise<Ended | null>

/** The tokens that each answer to an earlier question is expected to have. */
const expectedAnswerTokens = 256

/**
 * Asks every question of a conversation, each with the messages before it. Only the first message contains the documents.
 * They leave room for the later questions and short answers, and are cut again when the answers are longer.
 */
export async function askAll(
  run: AttemptRun,
  question: Question,
  source: AnswerSource,
  promptFor: FittedPrompt,
  prepare: Preparation = async () => null,
): Promise<Ended> {
  const { model, prompts } = run.environment
  const chainOfThought = canThinkAloud(run.environment)
  const answersAs = prompts.earlierAnswersAs?.(question) ?? 'assistant'
  const spoken: PreviousRequest = { last: null }
  const exchanges: Exchange[] = []
  const later = listTurns(question).slice(1)
  const expected = later.reduce((sum, turn) => {
    const next = prompts.furtherTurn(question, turn, source, chainOfThought)
    return sum + model.countTokens(next) + expectedAnswerTokens + messageTokens
  }, 0)
  let spentTokens = 0
  return await askTurns(run, question, async (turn, before) => {
    if (before !== null) {
      const next = prompts.furtherTurn(question, listTurns(question)[turn]!, source, chainOfThought)
      const answer = before.answerText ?? ''
      exchanges.push({ answer, next })
      spentTokens += model.countTokens(answer) + model.countTokens(next) + messageTokens
    }
    const ended = await prepare(turn, exchanges)
    if (ended !== null) return ended
    return await askFitting(
      run,
      choosePromptLanguage(question.language),
      limit => {
        const room = limit === null ? null : Math.max(0, limit - Math.max(spentTokens, expected))
        const { prompt, tokens } = promptFor(room)
        const schema = chooseAnswerSchema(question, turn, run.environment.options)
        return {
          prompt: { ...prompt, after: exchanges, answersAs, ...schema },
          tokens: () => tokens() + spentTokens,
        }
      },
      spoken,
    )
  })
}

/** Returns a function that makes the prompt again only when the number of tokens differs from that of the last call. */
export function madeOnce(promptFor: FittedPrompt): FittedPrompt {
  let fitted: { readonly limit: number | null; readonly prompt: ReturnType<FittedPrompt> } | null = null
  return limit => {
    if (fitted?.limit !== limit) fitted = { limit, prompt: promptFor(limit) }
    return fitted.prompt
  }
}

/** Returns the schema of a turn's answer in arms with structured output. */
function chooseAnswerSchema(
  question: Question,
  turn: number,
  options: SettingEnvironment['options'],
): { readonly answerSchema?: AskedPrompt['answerSchema'] } {
  const { form } = listTurns(question)[turn]!
  return hasStructuredOutput(options) && form.kind === 'json' ? { answerSchema: form.schema } : {}
}

/** Whether the prompt asks for chain of thought. Answers with structured output contain only the JSON value. */
export function canThinkAloud({ chainOfThought, options }: SettingEnvironment): boolean {
  return chainOfThought && !hasStructuredOutput(options)
}

function hasStructuredOutput({ structuredOutput }: SettingEnvironment['options']): boolean {
  return structuredOutput === 'on'
}

/** The share to which a prompt is shortened that was refused for an unknown reason. */
const doubtfulShare = 0.5
/** How often a prompt that is too long for the provider is shortened, and to which share of its length. */
const maxShortenings = 3
const shorteningShare = 0.75

/**
 * Sends one request with a prompt that fits the context window. The tokenizer of a provider may count more
 * tokens than the local one. A prompt that is too long for the provider is shortened and sent again, a few
 * times. A long prompt that is refused for an unknown reason is sent once more, shortened.
 *
 * @param promptFor - receives the most local tokens of the prompt; null for no limit
 */
export async function askFitting(
  run: AttemptRun,
  language: PromptLanguage,
  promptFor: FittedPrompt,
  spoken: PreviousRequest = { last: null },
): Promise<Ended> {
  let limit = promptTokens(run)
  const step = run.step + 1
  // Counting the tokens of a long prompt takes a while. Requests of other attempts leave first.
  await yieldToEventLoop()
  let refusal: unknown = null
  for (let shorter = 0; ; shorter++) {
    const { prompt, tokens } = promptFor(limit)
    try {
      run.step = step
      return await askOnce(run, language, prompt, spoken)
    } catch (error) {
      const tooLong = error instanceof ProviderError && error.reason === 'context-window'
      const isFixed = prompt.files !== undefined || shorter === maxShortenings
      const mayBeTooLong = refusal === null && isUnknownRefusal(error) && tokens() >= longRequestTokens
      if (!(tooLong || mayBeTooLong) || limit === null || isFixed) throw tooLong ? error : (refusal ?? error)
      if (!tooLong) refusal = error
      limit = Math.floor(Math.min(limit, tokens()) * (tooLong ? shorteningShare : doubtfulShare))
    }
  }
}

/** Sends a prompt and ends the attempt with the answer. */
async function askOnce(
  run: AttemptRun,
  language: PromptLanguage,
  prompt: AskedPrompt,
  spoken: PreviousRequest,
): Promise<Ended> {
  const { answer, answerText, ended } = await askModel(run, prompt, spoken)
  if (ended !== null) return ended
  if (answerText !== null || answer.reasoning === null || answer.finishReason === 'length')
    return { end: answeredEnd(run, answer, answer.text), answerText }
  return await askInWords(run, prompt, loopNotes[language].answerInWords, spoken)
}

/** Asks once more after an answer that contains only reasoning. A second such answer ends the attempt. */
async function askInWords(
  run: AttemptRun,
  prompt: AskedPrompt,
  next: string,
  spoken: PreviousRequest,
): Promise<Ended> {
  const { after: exchanges = [] } = prompt
  run.step += 1
  try {
    const again = await askModel(run, { ...prompt, after: [...exchanges, { answer: '', next }] }, spoken)
    if (again.ended !== null) return again.ended
    const { answer, answerText } = again
    if (answerText !== null) return { end: answeredEnd(run, answer, answerText), answerText }
    return { end: noProgressEnd('two answers in a row contained only reasoning'), answerText: null }
  } catch (error) {
    if (!(error instanceof BudgetRefusedError)) throw error
    const detail = 'the answer contained only reasoning, and a second request is not covered'
    return { end: { cause: 'budget', reason: budgetReason(error.kind), detail }, answerText: null }
  } finally {
    // The next question of the conversation does not follow this request.
    spoken.last = null
  }
}

/** Returns the model's answer to a prompt, and the end of the attempt if the provider or the budget ended it. */
export async function askModel(
  run: AttemptRun,
  prompt: AskedPrompt,
  spoken: PreviousRequest = { last: null },
): Promise<{ answer: ModelAnswer; answerText: string | null; ended: Ended | null }> {
  const { model } = run.environment
  const conversation = continueConversation(run, prompt, spoken)
  const tools = prompt.before?.tools ?? []
  const responseSchema = prompt.answerSchema === undefined ? null : toStrictSchema(prompt.answerSchema)
  const schemaTokens = responseSchema === null ? 0 : model.countTokens(JSON.stringify(responseSchema))
  const { answer, overrun } = await callModel(run, conversation, {
    tools,
    toolTokens: tokensOfTools(model, tools) + schemaTokens,
    final: prompt.before !== undefined,
    maxOutputTokens: null,
    ...(responseSchema === null ? {} : { responseSchema }),
  })
  const answerText = nonEmptyText(
    prompt.answerSchema === undefined ? answer.text : withoutAddedNulls(answer.text, prompt.answerSchema),
  )
  const stopped = stoppedEnd(answer)
  if (stopped !== null) return { answer, answerText, ended: { end: stopped, answerText } }
  if (answerText !== null) run.lastHealthyStep = run.step
  const ended = overrun === null ? null : { end: overrunEnd(overrun), answerText }
  return { answer, answerText, ended }
}

/** Returns the messages of a prompt. If the last request had the same prompt, its conversation is continued. */
function continueConversation(
  { environment }: AttemptRun,
  prompt: AskedPrompt,
  spoken: PreviousRequest,
): Conversation {
  const { system, user, before, files, after: exchanges = [], answersAs } = prompt
  const last = spoken.last
  const isSame = last !== null && last.prompt.system === system && last.prompt.user === user
  const conversation = isSame
    ? last.conversation
    : new Conversation(text => environment.model.countTokens(text))
  if (!isSame) {
    if (system !== '') conversation.addSystem(system)
    before?.addTo(conversation)
    conversation.addUser({ text: user, result: null, ...(files !== undefined && { files }) })
  }
  for (const { answer, next } of exchanges.slice(isSame ? last.after : 0)) {
    if (answer !== '' && answersAs === 'system') conversation.addSystem(answer)
    else if (answer !== '') conversation.addAssistant(new AIMessage(answer))
    conversation.addUser({ text: next, result: null })
  }
  spoken.last = { prompt: { system, user }, conversation, after: exchanges.length }
  return conversation
}

/** Returns the tokens of a prompt by the model's local count. */
export function promptSize(model: ModelHandle, { system, user }: PromptMessages): number {
  return model.countTokens(system) + model.countTokens(user)
}

/** A quarter of the context window is left for the answer, at most this many tokens. */
const maxAnswerTokens = 16_384

/** Returns the most local tokens of a prompt in the model's context window; null for no limit. */
function promptTokens(run: AttemptRun): number | null {
  const { model, maxOutputTokens } = run.environment
  if (model.contextWindow === null) return null
  const answer = Math.min(maxOutputTokens ?? maxAnswerTokens, Math.floor(model.contextWindow / 4))
  return Math.floor((model.contextWindow - answer) / (run.meter.inputFor(1_000) / 1_000)) - messageTokens
}

/** The tokens of roles and separators of the two messages. */
const messageTokens = 16
