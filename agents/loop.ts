import { ProviderError } from '../src/core/errors.ts'
import { choosePromptLanguage } from '../src/core/language.ts'
import type { PromptMessages } from '../src/core/prompts.ts'
import type { Question } from '../src/core/task.ts'
import { isUnknownRefusal } from '../src/models/context-refusals.ts'
import { openAttemptRun } from './attempt-run.ts'
import { createCallEvents } from './call-events.ts'
import { createCheckpoints } from './checkpoints.ts'
import { type ConcludedAttempt, conclude, nonEmptyText, stoppedEnd } from './conclude.ts'
import { type Prepared, windowIsFull } from './context-policies/context-policy.ts'
import { findContextPolicy } from './context-policies/registry.ts'
import { finalInputTokens, planTurn } from './final-reserve.ts'
import { type AgentLoop, loopForNextQuestion, openLoop } from './loop-state.ts'
import { actOnTurn } from './loop-turn.ts'
import { callModel, type ModelTurn } from './model-call.ts'
import { loopNotes } from './prompts/notes.ts'
import type { SettingEnvironment, SettingOutcome } from './setting.ts'
import { type BudgetReason, budgetReason, type Ended } from './termination.ts'
import { openToolbox, type Toolbox } from './toolbox.ts'
import { askTurns } from './turns.ts'
import { longRequestTokens, maxMessageTokens } from './window.ts'

/** The agent receives the query and the file names, and must find the documents with its tools. */
export async function runOwnAgent(
  question: Question,
  environment: SettingEnvironment,
): Promise<SettingOutcome> {
  const prompt = environment.prompts.online(question, environment.chainOfThought)
  const concluded = await runAgent(question, environment, prompt)
  return { ...concluded, context: null, retrieval: null, chunks: null }
}

/** After this many turns in a row with only refused calls, the agent must answer. */
const maxRefusedTurns = 3

/** Runs an agent with tools: the model takes turns and calls tools until the attempt ends. */
async function runAgent(
  question: Question,
  environment: SettingEnvironment,
  prompt: PromptMessages,
): Promise<ConcludedAttempt> {
  const events = createCallEvents()
  const run = openAttemptRun(environment, event => events.file(() => run.emitBudget(event)))
  let loop: AgentLoop | null = null
  const begin = async (toolbox: Toolbox): Promise<Ended> => {
    loop = openLoop(question, run, prompt, toolbox)
    try {
      return await converse(loop)
    } catch (error) {
      if (!shouldSwitchToText(loop, error)) throw error
      run.step = 0
      loop = openLoop(question, run, prompt, toolbox)
      return await converse(loop)
    }
  }
  const work = async (toolbox: Toolbox): Promise<Ended> =>
    await askTurns(run, question, async (turn, before) => {
      if (loop === null || before === null) return await begin(toolbox)
      loop = loopForNextQuestion(loop, question, turn, before.answerText)
      return await converse(loop)
    })
  return await conclude(
    run,
    question,
    async () => {
      const toolbox = openToolbox(run, events, loopNotes[choosePromptLanguage(question.language)])
      try {
        return await work(toolbox)
      } finally {
        await toolbox.close()
      }
    },
    () => ({ draft: loop?.draft ?? null, forcedFinal: loop?.forcedFinal ?? false }),
  )
}

/**
 * Returns whether the server refused native tools in the first request, so that they are offered through text
 * instead.
 */
function shouldSwitchToText(loop: AgentLoop, error: unknown): boolean {
  const { run, native } = loop
  return native && run.step === 1 && !run.environment.model.nativeTools && error instanceof ProviderError
}

async function converse(loop: AgentLoop): Promise<Ended> {
  const { run, conversation, tools, reader, answerNow } = loop
  const checkpoint = createCheckpoints(
    run.currentTurn() === 0 ? (run.environment.checkpointTokens ?? []) : [],
  )
  let wasTooLong = false
  let wasShortened = false
  for (;;) {
    run.step += 1
    const note = run.environment.noteBefore?.(run.step) ?? null
    if (note !== null) conversation.addUser({ text: note, result: null })
    const prepared = reasonToAnswerNow(loop) ?? (await prepare(loop, wasTooLong))
    await checkpoint({ run, conversation, tools, reader, answerNow, draft: loop.draft })
    if (prepared.kind === 'ended') return { end: prepared.end, answerText: loop.draft }
    if (prepared.kind === 'answer-now') return await finalAnswer(loop, prepared.reason)
    const plan = planTurn(run.meter, loop.conversation.tokens() + loop.toolTokens)
    if (plan.kind === 'final') return await finalAnswer(loop, plan.reason)
    try {
      wasTooLong = false
      const turn = await askModel(loop, false, plan.maxOutputTokens)
      wasShortened = false
      const ended = await actOnTurn(loop, turn)
      if (ended !== null) return ended
    } catch (error) {
      if (!canShortenResults(loop, error, wasShortened)) throw error
      wasShortened = true
      loop.provenWindow = Math.floor(loop.conversation.tokens() / 2)
      wasTooLong = true
    }
  }
}

/**
 * Lets the context policy make room for the next turn. After a request that was too long, only some policies can
 * continue.
 */
async function prepare(loop: AgentLoop, wasTooLong: boolean): Promise<Prepared> {
  // A fork may change the policy of a running attempt.
  const policy = findContextPolicy(loop.run.environment.options)
  return wasTooLong ? ((await policy.recover?.(loop)) ?? windowIsFull) : await policy.prepare(loop)
}

/** Returns the budget because of which the agent must answer now; null when it may continue. */
function reasonToAnswerNow(loop: AgentLoop): Prepared | null {
  if (loop.run.timeToAnswer()) return { kind: 'answer-now', reason: 'wall-clock' }
  if (loop.refusedTurns < maxRefusedTurns || loop.refusedKind === null) return null
  return { kind: 'answer-now', reason: budgetReason(loop.refusedKind) }
}

/** Tells the agent to answer with what it has, and ends the attempt with the result. */
async function finalAnswer(loop: AgentLoop, reason: BudgetReason): Promise<Ended> {
  const { run, conversation } = loop
  const policy = findContextPolicy(run.environment.options)
  loop.forcedFinal = true
  conversation.addUser({ text: loop.answerNow, result: null })
  const payable = finalInputTokens(run.meter)
  if (payable !== null) policy.fitLast(loop, payable - loop.toolTokens)
  if (!policy.fitLast(loop, maxMessageTokens(loop, true) ?? Number.POSITIVE_INFINITY))
    return { end: { cause: 'budget', reason: 'context-window', detail: null }, answerText: loop.draft }
  const turn = await askModel(loop, true, null)
  loop.lastMessage = turn.message
  const readTurn = loop.reader.read(turn)
  const isCall = readTurn.answer === null && (readTurn.leftInText?.unread ?? 0) > 0
  const answerText = (isCall ? null : nonEmptyText(readTurn.answer ?? readTurn.text)) ?? loop.draft
  const stopped = stoppedEnd(turn.answer)
  if (stopped !== null && stopped.cause === 'provider') return { end: stopped, answerText }
  if (nonEmptyText(readTurn.answer ?? readTurn.text) !== null) run.lastHealthyStep = run.step
  const cut = turn.answer.finishReason === 'length'
  return { end: { cause: 'budget', reason: cut ? 'output-limit' : reason, detail: null }, answerText }
}

async function askModel(loop: AgentLoop, final: boolean, maxOutputTokens: number | null): Promise<ModelTurn> {
  const { run, conversation, tools, toolTokens } = loop
  return await callModel(run, conversation, { tools, toolTokens, final, maxOutputTokens })
}

/**
 * Returns whether a request was too long for the provider, or may have been, and has tool results that can be shortened. A
 * long request that is refused for an unknown reason is tried once shortened.
 */
function canShortenResults(loop: AgentLoop, error: unknown, wasShortened: boolean): boolean {
  const tooLong = error instanceof ProviderError && error.reason === 'context-window'
  const isLong = loop.conversation.tokens() >= longRequestTokens
  const mayBeTooLong = !wasShortened && isLong && isUnknownRefusal(error)
  const hasResults = loop.conversation.entries.some(entry => entry.parts.some(part => part.result !== null))
  return (tooLong || mayBeTooLong) && hasResults
}
