import { z } from 'zod/v4'
import {
  type ForeignAttempt,
  type ForeignCall,
  type ForeignEnd,
  type ForeignMessage,
  mapped,
  type ReadLog,
  unmapped,
  unreportedFields,
} from './foreign-log.ts'
import { readJsonLog } from './json-records.ts'
import { countOrUnknown, readContent, readText } from './message-parts.ts'

/** A line of the output of Tongyi DeepResearch: `inference/react_agent.py` and `run_multi_react.py`. */
const recordSchema = z.looseObject({
  question: z.unknown().optional(),
  messages: z.array(z.looseObject({ role: z.string().nullish(), content: z.unknown().optional() })).nullish(),
  prediction: z.unknown().optional(),
  termination: z.unknown().optional(),
  /** Set for questions that were abandoned. */
  error: z.unknown().optional(),
  rollout_idx: countOrUnknown,
})
const fields = ['question', 'messages', 'prediction', 'termination', 'error']

const tokenLimit = 'generate an answer as token limit reached'

function endOf(words: string | null): ForeignEnd {
  const said = (words ?? '').trim()
  if (words === null || said === '') return unmapped(words)
  if (said === 'answer') return mapped({ cause: 'agent', reason: 'answered' }, words)
  if (said === 'answer not found')
    return mapped({ cause: 'agent', reason: 'answered-without-table' }, words, { answered: false })
  if (said === 'exceed available llm calls') return mapped({ cause: 'budget', reason: 'model-calls' }, words)
  if (said === 'No answer found after 2h30mins' || /^Timeout \(>.*s\)$/.test(said))
    return mapped({ cause: 'budget', reason: 'wall-clock' }, words)
  if (said === tokenLimit)
    return mapped({ cause: 'budget', reason: 'context-window' }, words, { forcedFinal: true })
  if (said === `format error: ${tokenLimit}`)
    return mapped({ cause: 'budget', reason: 'context-window' }, words, {
      forcedFinal: true,
      answered: false,
    })
  if (said.startsWith('Future resolution failed: '))
    return mapped({ cause: 'harness', reason: 'crash' }, words)
  return unmapped(words)
}

type Assistant = Extract<ForeignMessage, { role: 'assistant' }>

/** Reads the calls between tags in a text: JSON with `name` and `arguments`, or `python` followed by a code block. */
function readCalls(text: string, step: number): Pick<Assistant, 'calls' | 'malformed'> {
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

function assistantOf(content: string, step: number): Assistant {
  const reasoning = /<think>([\s\S]*?)<\/think>/.exec(content)?.[1]?.trim() ?? null
  const text = content
    .replace(/<think>[\s\S]*?<\/think>/g, '')
    .replace(/<tool_call>[\s\S]*?(?:<\/tool_call>|$)/g, '')
    .trim()
  const rest = { finishReason: null, usage: null, at: null }
  return { role: 'assistant', text, reasoning, ...readCalls(content, step), ...rest }
}

/** Reads the messages. The result of a tool is between tags in a user message and belongs to the preceding call. */
function messagesOf(record: z.infer<typeof recordSchema>): ForeignMessage[] {
  const messages: ForeignMessage[] = []
  let step = 0
  let waiting: ForeignCall[] = []
  for (const { role, content } of record.messages ?? []) {
    const { text } = readContent(content)
    const shown = /^\s*<tool_response>\n?([\s\S]*?)\n?(?:<\/tool_response>\s*)?$/.exec(text)?.[1]
    if (role === 'assistant') {
      const message = assistantOf(text, ++step)
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

function attemptOf(record: z.infer<typeof recordSchema>): ForeignAttempt {
  const said = readText(record.termination)
  const words = said === null || said.trim() === '' ? (readText(record.error) ?? said) : said
  const index = record.rollout_idx ?? null
  return {
    ...unreportedFields,
    question: readText(record.question),
    trial: index === null ? null : Math.max(0, index - 1),
    messages: messagesOf(record),
    answerText: readText(record.prediction),
    end: endOf(words),
  }
}

/** Reads Tongyi DeepResearch JSON lines: question, answer, messages, prediction, termination. */
export const readTongyi: ReadLog = path => readJsonLog(path, recordSchema, fields, attemptOf)
