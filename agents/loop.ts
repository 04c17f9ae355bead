import { AIMessage } from '@langchain/core/messages'
import type { StructuredToolInterface } from '@langchain/core/tools'
import { ProviderError } from '../src/core/errors.ts'
import { promptLanguageOf } from '../src/core/language.ts'
import type { PromptMessages } from '../src/core/prompts.ts'
import type { Question } from '../src/core/task.ts'
import { type AttemptRun, openAttemptRun } from './attempt-run.ts'
import { createCallEvents } from './call-events.ts'
import { createCheckpoints } from './checkpoints.ts'
import { answeredEnd, type Concluded, conclude, stoppedEnd, written } from './conclude.ts'
import { createConversation } from './conversation.ts'
import { finalInputTokens, planTurn } from './final-reserve.ts'
import { callModel, type ModelTurn } from './model-call.ts'
import { createProgressWatch } from './progress.ts'
import { promptsOfForm } from './prompts/kinds/registry.ts'
import { loopNotes } from './prompts/notes.ts'
import type { SettingEnvironment } from './setting.ts'
import { type BudgetReason, budgetReason, type End, type Ended } from './termination.ts'
import { protocolInstructions } from './text-protocol.ts'
import { tokensOfTools } from './tool-schema.ts'
import { type CallResult, openToolbox, type Toolbox } from './toolbox.ts'
import { createTurnReader, type ReadTurn, type TurnReader } from './turn-reader.ts'
import { askTurns, turnsOf } from './turns.ts'
import { type FittedLoop, shortenTo, windowRoom } from './window.ts'

/** Turns in a row that end an attempt: without anything, without a readable call, with nothing but refused calls. */
const mostEmptyTurns = 3
const mostUnusableTurns = 5
const mostRefusedTurns = 3
interface Loop extends FittedLoop {
  readonly toolbox: Toolbox
  readonly reader: TurnReader
  readonly native: boolean
  /** What the agent is told when it must answer. */
  readonly answerNow: string
  emptyTurns: number
  unusableTurns: number
  refusedTurns: number
  /** The kind of budget that refused calls last. */
  refusedKind: 'searchCalls' | 'fetchCalls' | 'usd' | null
  /** A table that the agent wrote beside tool calls: its answer if it never gives another. */
  draft: string | null
  forcedFinal: boolean
}

/** An agent with tools: turns of the model and its calls until one of the ends. */
export async function runAgent(
  question: Question,
  environment: SettingEnvironment,
  prompt: PromptMessages,
): Promise<Concluded> {
  const events = createCallEvents()
  const run = openAttemptRun(environment, event => events.file(() => run.emitBudget(event)))
  let loop: Loop | null = null
  const begin = async (toolbox: Toolbox): Promise<Ended> => {
    loop = openLoop(question, run, prompt, toolbox)
    try {
      return await converse(loop)
    } catch (error) {
      if (!offersTextNow(loop, error)) throw error
      run.step = 0
      loop = openLoop(question, run, prompt, toolbox)
      return await converse(loop)
    }
  }
  const work = async (toolbox: Toolbox): Promise<Ended> =>
    await askTurns(run, question, async (turn, before) => {
      if (loop === null || before === null) return await begin(toolbox)
      loop = askFurther(loop, question, turn, before.answerText)
      return await converse(loop)
    })
  return await conclude(
    run,
    question,
    async () => {
      const toolbox = openToolbox(run, events, loopNotes[promptLanguageOf(question.language)])
      try {
        return await work(toolbox)
      } finally {
        await toolbox.close()
      }
    },
    () => ({ draft: loop?.draft ?? null, forcedFinal: loop?.forcedFinal ?? false }),
  )
}

/** The first request is the probe: a server that refused native tools gets them as text. */
function offersTextNow(loop: Loop, error: unknown): boolean {
  const { run, native } = loop
  return native && run.step === 1 && !run.environment.model.nativeTools && error instanceof ProviderError
}

function openLoop(question: Question, run: AttemptRun, prompt: PromptMessages, toolbox: Toolbox): Loop {
  const { model } = run.environment
  const notes = loopNotes[promptLanguageOf(question.language)]
  const native = model.nativeTools
  const conversation = createConversation(text => model.countTokens(text))
  const protocol = native ? null : protocolInstructions(toolbox.tools, notes)
  conversation.addSystem(protocol === null ? prompt.system : `${prompt.system}\n\n${protocol}`)
  conversation.addUser({ text: prompt.user, result: null })
  return {
    run,
    conversation,
    toolbox,
    reader: createTurnReader(native),
    progress: createProgressWatch(),
    notes,
    native,
    answerNow: promptsOfForm(question.form).answerNow(question),
    toolTokens: native ? tokensOfTools(model, toolbox.tools) : 0,
    ...openCounts(),
    provenWindow: null,
    answeredStep: 0,
  }
}

/** The same conversation with the next question; what counts towards being stuck begins anew. */
function askFurther(loop: Loop, question: Question, turn: number, said: string | null): Loop {
  const { conversation, run } = loop
  const { prompts, chainOfThought } = run.environment
  const further = turnsOf(question)[turn]!
  if (said !== null) conversation.addAssistant(new AIMessage(said))
  const text = prompts.furtherTurn(question, further, 'web', chainOfThought)
  conversation.addUser({ text, result: null })
  return {
    ...loop,
    ...openCounts(),
    progress: createProgressWatch(),
    answerNow: promptsOfForm(further.form).answerNow(question),
  }
}

/** The counts of a question that is about to be asked. */
function openCounts() {
  return {
    emptyTurns: 0,
    unusableTurns: 0,
    refusedTurns: 0,
    refusedKind: null,
    draft: null,
    forcedFinal: false,
  }
}

async function converse(loop: Loop): Promise<Ended> {
  const { run, conversation, native, answerNow, toolbox } = loop
  const tools = native ? toolbox.tools : []
  const checkpoint = createCheckpoints(run.turn() === 0 ? (run.environment.checkpointTokens ?? []) : [])
  for (;;) {
    await checkpoint({ run, conversation, tools, native, answerNow, draft: loop.draft })
    run.step += 1
    const due = dueToAnswer(loop)
    if (due !== null) return await finalAnswer(loop, due)
    const plan = planTurn(run.meter, loop.conversation.tokens() + loop.toolTokens)
    if (plan.kind === 'final') return await finalAnswer(loop, plan.reason)
    try {
      const ended = await takeTurn(loop, await askModel(loop, false, plan.maxOutputTokens))
      if (ended !== null) return ended
    } catch (error) {
      if (!canAnswerInLess(loop, error)) throw error
      loop.provenWindow = Math.floor(loop.conversation.tokens() / 2)
      run.step += 1
      return await finalAnswer(loop, 'context-window')
    }
  }
}

/** The budget by which the agent must answer now; null: it may go on. */
function dueToAnswer(loop: Loop): BudgetReason | null {
  if (loop.run.timeToAnswer()) return 'wall-clock'
  if (loop.refusedTurns >= mostRefusedTurns && loop.refusedKind !== null)
    return budgetReason(loop.refusedKind)
  const room = windowRoom(loop, false)
  return room === null || shortenTo(loop, room) ? null : 'context-window'
}

/** The agent is told to answer with what it has; whatever comes, the attempt ends. */
async function finalAnswer(loop: Loop, reason: BudgetReason): Promise<Ended> {
  const { run, conversation } = loop
  loop.forcedFinal = true
  conversation.addUser({ text: loop.answerNow, result: null })
  const payable = finalInputTokens(run.meter)
  if (payable !== null) shortenTo(loop, payable - loop.toolTokens)
  const room = windowRoom(loop, true)
  if (room !== null && !shortenTo(loop, room))
    return { end: { cause: 'budget', reason: 'context-window', detail: null }, answerText: loop.draft }
  const turn = await askModel(loop, true, null)
  const read = loop.reader.read(turn)
  const answerText = written(read.answer ?? read.text) ?? loop.draft
  const stopped = stoppedEnd(turn.answer)
  if (stopped !== null && stopped.cause === 'provider') return { end: stopped, answerText }
  if (written(read.answer ?? read.text) !== null) run.lastHealthyStep = run.step
  const cut = turn.answer.finishReason === 'length'
  return { end: { cause: 'budget', reason: cut ? 'output-limit' : reason, detail: null }, answerText }
}

async function askModel(loop: Loop, final: boolean, maxOutputTokens: number | null): Promise<ModelTurn> {
  const tools: readonly StructuredToolInterface[] = loop.native ? loop.toolbox.tools : []
  const { toolTokens } = loop
  return await callModel(loop.run, loop.conversation, { tools, toolTokens, final, maxOutputTokens })
}

/** What the model's turn comes to: an end, or null and one more turn. */
async function takeTurn(loop: Loop, turn: ModelTurn): Promise<Ended | null> {
  const { run } = loop
  loop.answeredStep = run.step
  const read = loop.reader.read(turn)
  const text = written(read.answer ?? read.text)
  if (text !== null && run.environment.hasAnswer(text, run.turn())) loop.draft = text
  const stopped = stoppedEnd(turn.answer)
  if (stopped !== null) return { end: stopped, answerText: text ?? loop.draft }
  if (turn.overrun !== null) {
    const reason = budgetReason(turn.overrun)
    const detail = 'the provider billed more than its reservation'
    return { end: { cause: 'budget', reason, detail }, answerText: text ?? loop.draft }
  }
  if (read.answer !== null) return lastWord(loop, turn, read.answer)
  if (read.calls.length + read.malformed.length > 0) return await carryOut(loop, read)
  if (text !== null) return lastWord(loop, turn, text)
  return emptyTurn(loop, turn)
}

function lastWord(loop: Loop, turn: ModelTurn, text: string): Ended {
  loop.run.lastHealthyStep = loop.run.step
  return { end: answeredEnd(loop.run, turn.answer, text), answerText: text }
}

function emptyTurn(loop: Loop, turn: ModelTurn): Ended | null {
  loop.emptyTurns += 1
  loop.unusableTurns += 1
  const { reasoning, finishReason } = turn.answer
  if (loop.emptyTurns < mostEmptyTurns && loop.unusableTurns < mostUnusableTurns) {
    const text = reasoning === null ? loop.notes.emptyTurn : loop.notes.reasoningOnly
    loop.conversation.addUser({ text, result: null })
    return null
  }
  const end: End =
    finishReason === 'length'
      ? { cause: 'budget', reason: 'output-limit', detail: 'the answer was cut before it began' }
      : stuck(`${loop.unusableTurns} turns in a row without a call or an answer`)
  return { end, answerText: loop.draft }
}

async function carryOut(loop: Loop, read: ReadTurn): Promise<Ended | null> {
  const { run, conversation } = loop
  if (read.history !== null) conversation.addAssistant(read.history)
  const results = await loop.toolbox.call(read.calls)
  for (const result of results) showResult(loop, result)
  for (const { name, problem } of read.malformed)
    conversation.addUser({ text: loop.notes.malformedCall(name, problem), result: null })
  const usable = results.filter(result => result.outcome !== 'bad-call')
  loop.emptyTurns = 0
  loop.unusableTurns = usable.length === 0 ? loop.unusableTurns + 1 : 0
  if (loop.unusableTurns >= mostUnusableTurns)
    return {
      end: stuck(`${loop.unusableTurns} turns in a row without a call that could be carried out`),
      answerText: loop.draft,
    }
  if (results.some(result => result.outcome === 'answered')) run.lastHealthyStep = run.step
  return noteRefusals(loop, usable) ? null : watchProgress(loop, usable)
}

/** Counts turns of refused calls; true where the turn held nothing else. */
function noteRefusals(loop: Loop, usable: readonly CallResult[]): boolean {
  if (usable.length === 0) return true
  const refused = usable.filter(result => result.outcome === 'refused')
  const onlyRefused = refused.length === usable.length
  loop.refusedTurns = onlyRefused ? loop.refusedTurns + 1 : 0
  loop.refusedKind = refused.at(-1)?.refusedKind ?? loop.refusedKind
  return onlyRefused
}

function watchProgress(loop: Loop, usable: readonly CallResult[]): Ended | null {
  const made = usable.filter(result => result.outcome !== 'refused')
  const progress = loop.progress.turn(
    made.map(({ key, call, outcome, text }) => ({
      key,
      args: call.args,
      text: outcome === 'answered' ? text : null,
    })),
  )
  if (progress === 'going') return null
  if (progress === 'stuck')
    return { end: stuck('went on repeating itself after it was told'), answerText: loop.draft }
  const text = progress === 'tell-same-call' ? loop.notes.sameCall : loop.notes.noProgress
  loop.conversation.addUser({ text, result: null })
  return null
}

function showResult(loop: Loop, { call, key, outcome, text }: CallResult): void {
  const wrap = loop.reader.resultWrap(call.name)
  const result = { callId: call.id, tool: call.name, callKey: key, step: loop.run.step, fullText: text, wrap }
  const part = { text: wrap(text), result }
  if (loop.native) loop.conversation.addToolResult(part, outcome !== 'answered')
  else loop.conversation.addUser(part)
}

function stuck(detail: string): End {
  return { cause: 'agent', reason: 'no-progress', detail }
}

/** Whether a request that the provider found too long has tool results that could be left out. */
function canAnswerInLess(loop: Loop, error: unknown): boolean {
  const tooLong = error instanceof ProviderError && error.reason === 'context-window'
  return tooLong && loop.conversation.entries.some(entry => entry.parts.some(part => part.result !== null))
}
