import { basename } from 'node:path'
import { z } from 'zod/v4'
import type { AttemptEnd } from '../../src/core/termination.ts'
import { splitThinking } from '../../src/text/thinking.ts'
import {
  type ForeignAttempt,
  type ForeignCall,
  type ForeignEnd,
  type ForeignMessage,
  mapped,
  type ReadLog,
  unmapped,
  unreportedFields,
  unreportedTurn,
} from './foreign-log.ts'
import { type LogPlace, readJsonLog } from './json-records.ts'
import { countOrUnknown, readContent, readText } from './message-parts.ts'

const conversation = z
  .array(z.looseObject({ role: z.string().nullish(), content: z.unknown().optional() }))
  .nullish()

/**
 * A line of the output of Tongyi DeepResearch (`inference/react_agent.py`, `run_multi_react.py`) and its relatives:
 * WebSailor, NestBrowse, ParallelMuse (`rollout`), WebWeaver (`search_messages`, `writer_prediction`) and AgentFold
 * (`final_response`).
 */
const recordSchema = z.looseObject({
  question: z.unknown().optional(),
  messages: conversation,
  rollout: conversation.catch(null),
  search_messages: conversation.catch(null),
  prediction: z.unknown().optional(),
  writer_prediction: z.unknown().optional(),
  final_response: z.unknown().optional(),
  termination: z.unknown().optional(),
  /** Set for questions that were abandoned. */
  error: z.unknown().optional(),
  rollout_idx: countOrUnknown,
  /** WebSailor's name for `rollout_idx`. */
  rollout_id: countOrUnknown,
})
type Rollout = z.infer<typeof recordSchema>
const fields = ['question', 'messages', 'prediction', 'termination', 'error']

const tokenLimit = 'generate an answer as token limit reached'

/** Texts that the writer records in place of an answer after the server failed. */
const serverFailure = /^(?:SGLang server (?:error|empty response)|vllm server error!!!)/i

/** The text that the writer records when the calls are used up. It also records this text after a failed server. */
const callsUsedUp = 'Sorry, the number of llm calls exceeds the limit.'

/** Ends that NestBrowse names. */
const nestBrowseEnds: Readonly<Record<string, AttemptEnd>> = {
  max_turn_exceeded: { cause: 'budget', reason: 'model-calls' },
  max_length_exceeded: { cause: 'budget', reason: 'context-window' },
  llm_response_error: { cause: 'provider', reason: 'bad-response' },
  server_side_error: { cause: 'provider', reason: 'unavailable' },
}

/** Returns the end that a termination of this family names. */
export function tongyiEnd(words: string | null): ForeignEnd {
  const reason = (words ?? '').trim()
  if (words === null || reason === '') return unmapped(words)
  const named = nestBrowseEnds[reason]
  if (named !== undefined) return mapped(named, words)
  if (reason === 'answer') return mapped({ cause: 'agent', reason: 'answered' }, words)
  if (reason === 'answer not found')
    return mapped({ cause: 'agent', reason: 'answered-without-table' }, words, { answered: false })
  if (reason === 'exceed available llm calls')
    return mapped({ cause: 'budget', reason: 'model-calls' }, words)
  if (reason === 'No answer found after 2h30mins' || /^Timeout \(>.*s\)$/.test(reason))
    return mapped({ cause: 'budget', reason: 'wall-clock' }, words)
  if (reason === tokenLimit)
    return mapped({ cause: 'budget', reason: 'context-window' }, words, { forcedFinal: true })
  if (reason === `format error: ${tokenLimit}`)
    return mapped({ cause: 'budget', reason: 'context-window' }, words, {
      forcedFinal: true,
      answered: false,
    })
  if (reason.startsWith('Future resolution failed: '))
    return mapped({ cause: 'harness', reason: 'crash' }, words)
  return unmapped(words)
}

type Assistant = Extract<ForeignMessage, { role: 'assistant' }>

/** Reads the calls between tags in a text: JSON with `name` and `arguments`, or `python` followed by a code block. */
function readCalls(text: string, step: number) {
  const calls: ForeignCall[] = []
  const malformed: Assistant['malformed'][number][] = []
  for (const [index, match] of [...text.matchAll(/<tool_call>([\s\S]*?)(?:<\/tool_call>|$)/g)].entries()) {
    const body = (match[1] ?? '').trim()
    const id = `call-${step}-${index}`
    const code = /<code>([\s\S]*?)<\/code>/.exec(body)?.[1]
    if (code !== undefined) {
      calls.push({ id, name: 'PythonInterpreter', args: { code: code.trim() } })
      continue
    }
    try {
      const call = z
        .looseObject({ name: z.string(), arguments: z.unknown().optional() })
        .parse(JSON.parse(body))
      calls.push({ id, name: call.name, args: call.arguments ?? {} })
    } catch (error) {
      if (!(error instanceof Error)) throw error
      malformed.push({ name: '', args: body, problem: error.message.split('\n')[0] ?? '' })
    }
  }
  return { calls, malformed }
}

function readAssistant(content: string, step: number): Assistant {
  const { text: answer, thought } = splitThinking(content)
  const text = answer.replace(/<tool_call>[\s\S]*?(?:<\/tool_call>|$)/g, '').trim()
  const calls = readCalls(content, step)
  return { role: 'assistant', text, ...unreportedTurn, reasoning: thought || null, ...calls }
}

/** Reads the messages. The result of a tool is between tags in a user message and belongs to the preceding call. */
function readMessages(record: Rollout): ForeignMessage[] {
  const messages: ForeignMessage[] = []
  let isServerDown = false
  let step = 0
  let waiting: ForeignCall[] = []
  for (const { role, content } of record.messages ?? record.rollout ?? record.search_messages ?? []) {
    const { text } = readContent(content)
    const shown = /^\s*<tool_response>\n?([\s\S]*?)\n?(?:<\/tool_response>\s*)?$/.exec(text)?.[1]
    const isFailure = role === 'assistant' && serverFailure.test(text)
    if (isFailure || (isServerDown && text === callsUsedUp)) {
      isServerDown = true
      messages.push({ role: 'system', text })
    } else if (role === 'assistant') {
      isServerDown = false
      const message = readAssistant(text, ++step)
      waiting = [...message.calls]
      messages.push(message)
    } else if (shown !== undefined) {
      const call = waiting.shift()
      const tool = { callId: call?.id ?? `call-${step}-0`, tool: call?.name ?? 'unnamed' }
      messages.push({ role: 'tool', ...tool, text: shown, error: null, at: null })
    } else messages.push({ role: role === 'system' ? 'system' : 'user', text })
  }
  return messages
}

/** Returns the end of a rollout. When the server stays down, the log reports too many calls, because failed calls count. */
function readEnd(record: Rollout, messages: readonly ForeignMessage[]): ForeignEnd {
  const reason = readText(record.termination)
  const words = reason === null || reason.trim() === '' ? (readText(record.error) ?? reason) : reason
  const end = tongyiEnd(words)
  const failed = messages.findLastIndex(
    message => message.role === 'system' && serverFailure.test(message.text),
  )
  const isDown = failed > messages.findLastIndex(message => message.role === 'assistant')
  if (end.reason !== 'model-calls' || !isDown) return end
  return mapped({ cause: 'provider', reason: 'unavailable' }, `${words}: ${messages[failed]!.text}`)
}

/** The number of the rollout, from 1: in the record, or in the file's name (`iter2.jsonl`). */
function readRolloutNumber({ rollout_idx: index, rollout_id: id }: Rollout, path: string): number | null {
  const inName = /^iter(\d+)\./.exec(basename(path))?.[1]
  return index ?? id ?? (inName === undefined ? null : Number(inName))
}

function convertAttempt(record: Rollout, { path }: LogPlace): ForeignAttempt {
  const messages = readMessages(record)
  const rollout = readRolloutNumber(record, path)
  const answer = readText(record.prediction)
  // WebWeaver and AgentFold report no end.
  const endless = readText(record.writer_prediction) ?? readText(record.final_response)
  const end = readEnd(record, messages)
  return {
    ...unreportedFields,
    question: readText(record.question),
    trial: rollout === null ? null : Math.max(0, rollout - 1),
    messages,
    answerText: answer ?? endless,
    end: answer === null && end.cause === 'unknown' ? { ...end, answered: endless !== null } : end,
  }
}

/** Reads JSON lines of Tongyi DeepResearch and its relatives: question, messages, prediction, termination. */
export const readTongyi: ReadLog = path => readJsonLog(path, recordSchema, fields, convertAttempt)
