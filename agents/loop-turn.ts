import { answeredEnd, nonEmptyText, stoppedEnd } from './conclude.ts'
import type { AgentLoop } from './loop-state.ts'
import type { ModelTurn } from './model-call.ts'
import { type Ended, type EndOfAttempt, noProgressEnd, overrunEnd } from './termination.ts'
import type { CallResult } from './toolbox.ts'
import type { ReadTurn } from './turn-reader.ts'

/** The numbers of turns in a row that end an attempt: empty turns, and turns without a call that could be executed. */
const maxEmptyTurns = 3
const maxUnusableTurns = 5

/**
 * Acts on a turn of the model: executes its calls, or ends the question with its answer.
 *
 * @returns the end of the question; null when the model gets another turn
 */
export async function actOnTurn(loop: AgentLoop, turn: ModelTurn): Promise<Ended | null> {
  const { run } = loop
  loop.answeredStep = run.step
  const readTurn = loop.reader.read(turn)
  loop.lastMessage = turn.message
  if (readTurn.leftInText !== null) run.emit({ type: 'calls-left-in-text', ...readTurn.leftInText })
  const text = nonEmptyText(readTurn.answer ?? readTurn.text)
  if (text !== null && run.environment.hasAnswer(text, run.currentTurn())) loop.draft = text
  const stopped = stoppedEnd(turn.answer)
  if (stopped !== null) return { end: stopped, answerText: text ?? loop.draft }
  if (turn.overrun !== null) return { end: overrunEnd(turn.overrun), answerText: text ?? loop.draft }
  if (readTurn.answer !== null) return endWithText(loop, turn, readTurn.answer)
  if (readTurn.calls.length + readTurn.malformed.length > 0) return await executeCalls(loop, turn, readTurn)
  if (readTurn.leftInText !== null) return { end: unparsedEnd, answerText: loop.draft }
  if (text !== null) return endWithText(loop, turn, text)
  return noteEmptyTurn(loop, turn)
}

function endWithText(loop: AgentLoop, turn: ModelTurn, text: string): Ended {
  loop.run.lastHealthyStep = loop.run.step
  return { end: answeredEnd(loop.run, turn.answer, text), answerText: text }
}

function noteEmptyTurn(loop: AgentLoop, turn: ModelTurn): Ended | null {
  loop.emptyTurns += 1
  loop.unusableTurns += 1
  const { reasoning, finishReason } = turn.answer
  if (loop.emptyTurns < maxEmptyTurns && loop.unusableTurns < maxUnusableTurns) {
    const text = reasoning === null ? loop.notes.emptyTurn : loop.notes.reasoningOnly
    loop.conversation.addUser({ text, result: null })
    return null
  }
  if (finishReason === 'tool_calls') return { end: unparsedEnd, answerText: loop.draft }
  const end: EndOfAttempt =
    finishReason === 'length'
      ? { cause: 'budget', reason: 'output-limit', detail: 'the answer was cut before it began' }
      : noProgressEnd(
          reasoning === null
            ? `${loop.unusableTurns} turns in a row without a call or an answer`
            : `${loop.unusableTurns} turns in a row without a call or an answer, the last with only reasoning`,
        )
  return { end, answerText: loop.draft }
}

async function executeCalls(loop: AgentLoop, turn: ModelTurn, readTurn: ReadTurn): Promise<Ended | null> {
  const { run, conversation } = loop
  const wasCut = turn.answer.finishReason === 'length' && readTurn.malformed.length > 0
  if (readTurn.history !== null) conversation.addAssistant(readTurn.history)
  const results = await loop.toolbox.call(readTurn.calls)
  for (const result of results) showResult(loop, result)
  for (const [index, { name, problem }] of readTurn.malformed.entries()) {
    const isCut = wasCut && index === readTurn.malformed.length - 1
    const text = loop.notes.malformedCall(name, isCut ? cutProblem : problem)
    conversation.addUser({ text, result: null })
  }
  const usable = results.filter(result => result.outcome !== 'bad-call')
  loop.emptyTurns = 0
  loop.unusableTurns = usable.length === 0 ? loop.unusableTurns + 1 : 0
  if (loop.unusableTurns >= maxUnusableTurns)
    return {
      end: wasCut
        ? { cause: 'budget', reason: 'output-limit', detail: 'the output limit cut the call of a tool' }
        : noProgressEnd(`${loop.unusableTurns} turns in a row without a call that could be carried out`),
      answerText: loop.draft,
    }
  if (results.some(result => result.outcome === 'answered')) run.lastHealthyStep = run.step
  return noteRefusals(loop, usable) ? null : watchProgress(loop, usable)
}

/** Counts turns in which every call was refused. Returns true for such a turn. */
function noteRefusals(loop: AgentLoop, usable: readonly CallResult[]): boolean {
  if (usable.length === 0) return true
  const refused = usable.filter(result => result.outcome === 'refused')
  const onlyRefused = refused.length === usable.length
  loop.refusedTurns = onlyRefused ? loop.refusedTurns + 1 : 0
  loop.refusedKind = refused.at(-1)?.refusedKind ?? loop.refusedKind
  return onlyRefused
}

function watchProgress(loop: AgentLoop, usable: readonly CallResult[]): Ended | null {
  const executedResults = usable.filter(result => result.outcome !== 'refused')
  const progress = loop.progress.turn(
    executedResults.map(({ key, call, outcome, text }) => ({
      key,
      args: call.args,
      text: outcome === 'answered' ? text : null,
    })),
  )
  if (progress === 'going') return null
  if (progress === 'stuck')
    return { end: noProgressEnd('went on repeating itself after it was told'), answerText: loop.draft }
  const text = progress === 'tell-same-call' ? loop.notes.sameCall : loop.notes.noProgress
  loop.conversation.addUser({ text, result: null })
  return null
}

function showResult(loop: AgentLoop, { call, key, outcome, text, artifact }: CallResult): void {
  const wrap = loop.reader.resultWrap(call.name)
  const url = artifact?.observations.find(observation => observation.kind === 'body')?.finalUrl ?? null
  const result = {
    callId: call.id,
    tool: call.name,
    callKey: key,
    url,
    step: loop.run.step,
    fullText: text,
    wrap,
  }
  const part = { text: wrap(text), result }
  if (loop.native) loop.conversation.addToolResult(part, outcome !== 'answered')
  else loop.conversation.addUser(part)
}

/** What the model is told about a call that is not complete. */
const cutProblem = 'the output limit cut it: write less before the call, and shorter arguments'

/** The end of an attempt whose server did not read the calls of its model, and left them in a form that is not known. */
const unparsedEnd: EndOfAttempt = {
  cause: 'provider',
  reason: 'unparsed-calls',
  detail:
    'the answer contains tool calls that were not carried out: start the server with its tool parser, or --tool-protocol text',
}
