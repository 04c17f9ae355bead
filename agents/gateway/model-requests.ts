import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages'
import { BudgetRefusedError, ProviderError } from '../../src/core/errors.ts'
import { chatCompletions } from '../../src/models/dialects/chat-completions.ts'
import { BadRequestError, type Dialect, type JsonObject } from '../../src/models/dialects/dialect.ts'
import { gemini } from '../../src/models/dialects/gemini.ts'
import { messages } from '../../src/models/dialects/messages.ts'
import { responses } from '../../src/models/dialects/responses.ts'
import { messageText } from '../../src/models/model-answer.ts'
import { isObject, parseJsonOrNull } from '../../src/text/json.ts'
import { removalEvent } from '../context-policies/removals.ts'
import { shorten } from '../context-policies/shorten.ts'
import { shortenToolResults } from '../context-policies/shorten-results.ts'
import { Conversation } from '../conversation.ts'
import { retryModelCall } from '../model-call.ts'
import { callInProcess, isNamedAs } from './call-in-process.ts'
import { AnswerSink, type ModelRequest } from './model-request.ts'
import type { PaidModelCall } from './paid-call.ts'
import { passOn } from './pass-on.ts'
import { type GatewayRequest, type GatewayRoute, sendJson } from './route.ts'
import type { GatewaySession, LastCallNotes } from './session.ts'

/**
 * Turns a request of an agent into the last one that the budget covers, as our own loop does. A message of the user
 * demands the answer, tool calls are forbidden, and tool results are shortened until the budget covers the request.
 *
 * @param mostMessageTokens the most local tokens that the messages may have; null for no limit
 */
function lastRequest(
  request: ModelRequest,
  { answerNow, shortened }: LastCallNotes,
  mostMessageTokens: number | null,
): ModelRequest {
  const { dialect, agentRequest, body, path, session } = request
  const conversation = readConversation(agentRequest.messages, text =>
    session.run.environment.model.countTokens(text),
  )
  conversation.addUser({ text: answerNow, result: null })
  if (mostMessageTokens !== null) {
    const fitted = shortenToolResults({
      conversation,
      limitTokens: mostMessageTokens,
      step: latestStep,
      marker: shortened,
    })
    if (fitted.shortened.length > 0) session.run.emit(removalEvent(shorten.name, fitted.shortened))
  }
  const webTools = session.toolbox.tools.map(tool => tool.name)
  const last = dialect.asLast(body, {
    note: answerNow,
    toolResults: listToolResults(conversation),
    isWebTool: name => webTools.some(tool => isNamedAs(name, tool)),
  })
  return { ...request, body: last, agentRequest: dialect.read(last, path) }
}

const [earlierStep, latestStep] = [0, 1]

/** Converts messages for `shortenToolResults`. Results that the model has not answered yet are shortened last. */
function readConversation(
  messages: readonly BaseMessage[],
  countTokens: (text: string) => number,
): Conversation {
  const conversation = new Conversation(countTokens)
  const answered = messages.findLastIndex(message => AIMessage.isInstance(message))
  for (const [index, message] of messages.entries()) {
    const text = messageText(message)
    if (ToolMessage.isInstance(message)) {
      const step = index > answered ? latestStep : earlierStep
      const call = { callId: message.tool_call_id, tool: message.name ?? '', callKey: '', url: null, step }
      conversation.addToolResult({ text, result: { ...call, fullText: text, wrap: text => text } }, false)
    } else if (AIMessage.isInstance(message)) conversation.addAssistant(message)
    else if (message.getType() === 'system') conversation.addSystem(text)
    else conversation.addUser({ text, result: null })
  }
  return conversation
}

/** Returns the new text of each tool result, in order; null for a result that is not changed. */
function listToolResults({ entries }: Conversation): (string | null)[] {
  return entries.flatMap(({ role, parts: [part] }) =>
    role !== 'tool' ? [] : [part!.text === part!.result!.fullText ? null : part!.text],
  )
}

/** All request forms of models. */
export const dialects: readonly Dialect[] = [chatCompletions, responses, messages, gemini]

/** The endpoints of models in all request forms. */
export const modelRoute: GatewayRoute = {
  variables: base => ({
    OPENAI_BASE_URL: `${base}/v1`,
    OPENAI_API_KEY: 'tablehunt',
    ANTHROPIC_BASE_URL: base,
    ANTHROPIC_API_KEY: 'tablehunt',
    GOOGLE_GEMINI_BASE_URL: base,
    GEMINI_API_KEY: 'tablehunt',
    // Any name works. The agent does not learn the name of the run's model.
    TABLEHUNT_MODEL: 'model',
  }),
  matches: (method, path) => method === 'POST' && dialects.some(dialect => dialect.path.test(path)),
  async answer(request, session) {
    const dialect = dialects.find(candidate => candidate.path.test(request.path))!
    await answerModelRequest(dialect, request, session)
  },
}

/** The agent closed its connection before it had the answer. */
class ClientGone extends Error {
  override readonly name = 'ClientGone'
}

/**
 * Answers one model request of an agent. If the model's server speaks the agent's dialect, the request is passed on as the
 * agent wrote it. Otherwise the gateway calls the model itself and writes the answer in that dialect.
 *
 * Errors have status 400, because the clients of agents repeat other statuses, some of them for minutes.
 */
async function answerModelRequest(
  dialect: Dialect,
  incoming: GatewayRequest,
  session: GatewaySession,
): Promise<void> {
  const { response, path } = incoming
  // This is cheaper than a new AbortSignal.any for each request.
  const stop = new AbortController()
  const { signal } = stop
  const end = (): void => stop.abort(session.ended.reason)
  if (session.ended.aborted) end()
  else session.ended.addEventListener('abort', end, { once: true })
  response.once('close', () => {
    session.ended.removeEventListener('abort', end)
    if (!response.writableFinished) stop.abort(new ClientGone('the agent closed its connection'))
  })
  const sink = new AnswerSink(response, signal)
  try {
    const body = parseBody(await readBody(incoming))
    const agentRequest = dialect.read(body, path)
    await callUntilAnswered({
      dialect,
      body,
      path,
      agentRequest,
      headers: dialectHeaders(incoming),
      session,
      sink,
      signal,
    })
  } catch (error) {
    if (error instanceof ClientGone || signal.reason instanceof ClientGone) return void response.destroy()
    const refusal = describeRefusal(error, session)
    if (refusal === null || response.headersSent) response.destroy()
    else sendJson(response, 400, dialect.error(400, refusal.message, refusal.code))
  }
}

/** Makes the call, and repeats it after temporary failures. Each try is charged as a separate call. */
async function callUntilAnswered(request: ModelRequest): Promise<void> {
  const { agentRequest, session, sink, signal } = request
  // A part that the agent has read cannot be sent again.
  const canRepeat = (): boolean => !sink.isBegun && session.affordsModelCall(agentRequest)
  await retryModelCall(session.run, retry => callOnce(request, retry), signal, canRepeat)
}

async function callOnce(request: ModelRequest, retry: number): Promise<void> {
  const { dialect, agentRequest, session, signal } = request
  let sent = request
  const call = await session.payModelCall(agentRequest, {
    signal,
    retry,
    asLast(mostMessageTokens) {
      // Only sessions with notes for the last call make this request.
      sent = lastRequest(request, session.lastCall!, mostMessageTokens)
      return sent.agentRequest
    },
  })
  const paid = settleOnce(call)
  const { server } = session.run.environment.model
  if (server?.dialects.includes(dialect.name) === true) await passOn(sent, paid, server)
  else await callInProcess(sent, paid)
}

/** Ignores reports about a call that is already settled, such as a connection that breaks after the last event. */
function settleOnce(paid: PaidModelCall): PaidModelCall {
  let isOpen = true
  const once = (settle: () => void): void => {
    if (!isOpen) return
    isOpen = false
    settle()
  }
  return {
    maxOutputTokens: paid.maxOutputTokens,
    held: (by, waitedMs) => paid.held(by, waitedMs),
    answered: answer => once(() => paid.answered(answer)),
    failed: (error, message) => once(() => paid.failed(error, message)),
  }
}

/** The message of a failure for the agent; null when the attempt is over and the agent is gone. */
function describeRefusal(error: unknown, session: GatewaySession): { message: string; code: string } | null {
  if (error instanceof BadRequestError) return { message: error.message, code: 'invalid_request' }
  // A body that is nested too deeply overflows the stack. That is the agent's failure and not ours.
  if (error instanceof RangeError)
    return { message: 'the body is nested too deeply', code: 'invalid_request' }
  if (error instanceof BudgetRefusedError) {
    const message = `The budget of this attempt is used up (${budgetWords[error.kind as keyof typeof budgetWords] ?? error.kind}). Answer now with what you have.`
    return { message, code: 'budget_exceeded' }
  }
  if (session.ended.aborted) return { message: 'The attempt is over.', code: 'attempt_over' }
  if (error instanceof ProviderError)
    return { message: withoutModelName(error.message, session), code: error.reason }
  session.fail(error)
  return { message: 'The attempt is over.', code: 'attempt_over' }
}

/** The budgets in the words that an agent reads. */
const budgetWords = {
  tokens: 'tokens',
  modelCalls: 'model calls',
  searchCalls: 'searches',
  fetchCalls: 'fetches',
  wallMs: 'time',
  usd: 'US dollars',
} as const

/** Hides the name of the run's model from agents. */
function withoutModelName(message: string, { run }: GatewaySession): string {
  const { name, server } = run.environment.model
  const pattern = [name, server?.model ?? name].map(text => text.replace(/[^\w\s]/g, '\\$&')).join('|')
  return message.replace(new RegExp(pattern, 'g'), 'the model')
}

function dialectHeaders({ incoming }: GatewayRequest): Record<string, string> {
  return Object.fromEntries(
    ['anthropic-version', 'anthropic-beta'].flatMap(name => {
      const value = incoming.headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}

async function readBody(incoming: GatewayRequest): Promise<string> {
  try {
    return await incoming.body()
  } catch (error) {
    if (error instanceof BadRequestError) throw error
    throw new ClientGone('the agent closed its connection within its request', { cause: error })
  }
}

/** @throws BadRequestError when a body is not a JSON object */
export function parseBody(text: string): JsonObject {
  const body = parseJsonOrNull(text)
  if (isObject(body)) return body
  throw new BadRequestError('the body is not a JSON object')
}
