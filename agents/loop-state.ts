import { AIMessage } from '@langchain/core/messages'
import { choosePromptLanguage } from '../src/core/language.ts'
import type { PromptMessages } from '../src/core/prompts.ts'
import type { Question } from '../src/core/task.ts'
import { readReasoningFields } from '../src/models/model-answer.ts'
import { tokensOfTools, toolSchema } from '../src/models/tool-schema.ts'
import type { AttemptRun } from './attempt-run.ts'
import { findContextPolicy } from './context-policies/registry.ts'
import { Conversation } from './conversation.ts'
import { chooseKeptReasoning, withThoughts } from './kept-reasoning.ts'
import { createProgressWatch, readNoProgressTurns } from './progress.ts'
import { promptsOfForm } from './prompts/kinds/registry.ts'
import { loopNotes } from './prompts/notes.ts'
import { toolNote } from './prompts/tool-words.ts'
import { protocolInstructions } from './text-protocol.ts'
import type { Toolbox } from './toolbox.ts'
import { createTurnReader, type TurnReader } from './turn-reader.ts'
import { listTurns } from './turns.ts'
import type { LoopWindow } from './window.ts'

/** The state of the agent loop while it works on one question. */
export interface AgentLoop extends LoopWindow {
  readonly toolbox: Toolbox
  readonly reader: TurnReader
  /** Whether the model gets its tools natively; otherwise they are offered through text. */
  readonly native: boolean
  /** The note that demands the answer. */
  readonly answerNow: string
  /** The number of empty turns in a row. */
  emptyTurns: number
  /** The number of turns in a row without a call that could be executed. */
  unusableTurns: number
  /** The number of turns in a row in which the budget refused every call. */
  refusedTurns: number
  /** The kind of budget that refused the last refused call. */
  refusedKind: 'searchCalls' | 'fetchCalls' | 'usd' | null
  /** A table that the agent wrote beside tool calls. It is the answer if no other follows. */
  draft: string | null
  /** The last message of the model; null before its first. */
  lastMessage: AIMessage | null
  /** Whether the agent has received the note that demands its answer. */
  forcedFinal: boolean
}

/** Creates the state for the first question of an attempt. */
export function openLoop(
  question: Question,
  run: AttemptRun,
  prompt: PromptMessages,
  toolbox: Toolbox,
): AgentLoop {
  const { model } = run.environment
  const notes = loopNotes[choosePromptLanguage(question.language)]
  const native = model.nativeTools
  const tools = native ? toolbox.tools : []
  const conversation = new Conversation(text => model.countTokens(text))
  const toolNames = toolbox.tools.map(tool => tool.name)
  const note = toolNote(toolNames, notes.tools)
  const system = [
    prompt.system,
    ...(note === null ? [] : [note]),
    ...(typeof run.environment.options.date === 'string' ? [notes.today(run.environment.options.date)] : []),
    findContextPolicy(run.environment.options).notice(notes.context),
    ...(native ? [] : [protocolInstructions(toolbox.tools, notes)]),
  ]
  conversation.addSystem(system.join('\n\n'))
  conversation.addUser({ text: prompt.user, result: null, isQuestion: true })
  return {
    run,
    conversation,
    toolbox,
    notes,
    native,
    tools,
    reader: createTurnReader({
      native,
      keepsReasoning: chooseKeptReasoning(run.environment) !== 'never',
      tools: toolbox.tools.map(tool => ({ name: tool.name, schema: toolSchema(tool) })),
      isAnswer: text => isFinalAnswer(run, question, text),
    }),
    progress: createProgressWatch(readNoProgressTurns(run.environment.options)),
    answerNow: promptsOfForm(question.form).answerNow(question),
    toolTokens: tokensOfTools(model, tools),
    ...newCounts(),
    provenWindow: null,
    answeredStep: 0,
    lastMessage: null,
  }
}

/** Returns whether a text is an answer in the asked form. Any text can be an answer in words, so it proves nothing. */
function isFinalAnswer(run: AttemptRun, question: Question, text: string): boolean {
  const turn = run.currentTurn()
  return listTurns(question)[turn]!.form.kind !== 'text' && run.environment.hasAnswer(text, turn)
}

/**
 * Returns the state for the next question of a conversation. The messages are kept, and all counts start again.
 *
 * @param answer - the answer to the previous question; null when it had none
 */
export function loopForNextQuestion(
  loop: AgentLoop,
  question: Question,
  turn: number,
  answer: string | null,
): AgentLoop {
  const { conversation, run } = loop
  const { prompts, chainOfThought } = run.environment
  const further = listTurns(question)[turn]!
  const isKept = chooseKeptReasoning(run.environment) === 'always'
  if (!isKept) conversation.dropReasoning()
  if (answer !== null && prompts.earlierAnswersAs?.(question) === 'system') conversation.addSystem(answer)
  else if (answer !== null)
    conversation.addEarlierAnswer(isKept ? addReasoning(loop, answer) : new AIMessage(answer))
  const text = prompts.furtherTurn(question, further, 'web', chainOfThought)
  conversation.addUser({ text, result: null, isQuestion: true })
  return {
    ...loop,
    ...newCounts(),
    progress: createProgressWatch(readNoProgressTurns(run.environment.options)),
    answerNow: promptsOfForm(further.form).answerNow(question),
  }
}

/** Returns an answer as a message, with the reasoning that led to it. */
function addReasoning({ lastMessage }: AgentLoop, answer: string): AIMessage {
  if (lastMessage === null) return new AIMessage(answer)
  return new AIMessage({
    content: withThoughts(lastMessage, answer),
    additional_kwargs: readReasoningFields(lastMessage),
  })
}

/** Returns the sentence that states the date of the run; none when the run has no date. */
function newCounts() {
  return {
    emptyTurns: 0,
    unusableTurns: 0,
    refusedTurns: 0,
    refusedKind: null,
    draft: null,
    forcedFinal: false,
  }
}
