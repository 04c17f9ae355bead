import type { AIMessage } from '@langchain/core/messages'
import { ProviderError } from '../../src/core/errors.ts'
import type { ModelServer, ModelServerAnswer } from '../../src/core/model.ts'
import type { AnswerReader, JsonObject } from '../../src/models/dialects/dialect.ts'
import { EventStream, readEvents, type StreamedEvent } from '../../src/models/dialects/event-stream.ts'
import { eventText, readObject } from '../../src/models/dialects/fields.ts'
import { isErrorValue } from '../../src/models/failure-body.ts'
import { embeddedError } from '../../src/models/provider-errors.ts'
import { decodeBody } from '../../src/models/server-request.ts'
import { isObject, parseJsonOrNull } from '../../src/text/json.ts'
import type { ModelRequest } from './model-request.ts'
import type { PaidModelCall } from './paid-call.ts'

/** The last line of a stream of chat completions. In the other dialects the last event says that it is the last. */
const doneMark = '[DONE]'

/** Sends a request of an agent to the model's server and passes the answer back while it is read. */
export async function passOn(request: ModelRequest, paid: PaidModelCall, server: ModelServer): Promise<void> {
  const { dialect, body, agentRequest, headers, signal } = request
  let reader: AnswerReader | null = null
  const openReader = (isStreamed: boolean): AnswerReader =>
    (reader = dialect.openReader(agentRequest, isStreamed))
  try {
    const answer = await server.send({
      dialect: dialect.name,
      body: dialect.forward(body, {
        model: server.model,
        seed: server.seed,
        sampling: server.sampling,
        maxOutputTokens: paid.maxOutputTokens,
      }),
      isStreamed: agentRequest.isStreamed,
      headers,
      signal,
      held: (by, waitedMs) => paid.held(by, waitedMs),
    })
    if (agentRequest.isStreamed && answer.contentType.startsWith('text/event-stream'))
      await passStream(request, paid, answer, openReader(true))
    else await passWhole(request, paid, answer, openReader)
  } catch (error) {
    paid.failed(error, readAnswer(reader))
    throw error
  }
}

/** Passes a stream on, event by event. The call is charged before the agent reads the end and makes its next call. */
async function passStream(
  { dialect, session, sink }: ModelRequest,
  paid: PaidModelCall,
  answer: ModelServerAnswer,
  reader: AnswerReader,
): Promise<void> {
  const { name } = session.run.environment.model
  const endsWithMark = dialect.name === 'chat-completions'
  const stream = new EventStream()
  let [isRead, isOver] = [false, false]
  // Returns the text of an event for the agent.
  const readEvent = (event: StreamedEvent): string => {
    const part = event.data === null ? null : parseJsonOrNull(event.data)
    const shown = isObject(part) ? reader.take(part) : null
    const failure = isObject(part) ? readError(part) : null
    // The agent has read nothing yet, so the call can be repeated.
    if (failure !== null && !sink.isBegun && !isRead) throw embeddedError(name, failure)
    const isLast = event.data === doneMark || (!endsWithMark && reader.isComplete())
    if (failure !== null) paid.failed(embeddedError(name, failure), reader.answer())
    else if (isLast) paid.answered(completeAnswer(name, reader))
    isOver ||= isLast || failure !== null
    isRead ||= shown !== null
    if (shown !== null) return `${event.head}${eventText(shown)}`
    return isObject(part) ? '' : rawText(event)
  }
  for await (const chunk of answer.body) await sink.event(stream.push(chunk).map(readEvent).join(''))
  await sink.event(stream.end().map(readEvent).join(''))
  if (!isOver && !reader.isComplete()) throw createBreakError(name)
  if (!isOver) paid.answered(completeAnswer(name, reader))
  sink.end()
}

function rawText({ head, data }: StreamedEvent): string {
  return data === null ? `${head}\n` : `${head}data: ${data}\n\n`
}

/** Passes a whole answer on. Some servers stream without being asked, or do not stream when asked. Both are accepted. */
async function passWhole(
  { dialect, agentRequest, session, sink }: ModelRequest,
  paid: PaidModelCall,
  { body }: ModelServerAnswer,
  openReader: (isStreamed: boolean) => AnswerReader,
): Promise<void> {
  const { name } = session.run.environment.model
  const text = await decodeBody(body)
  const json = parseJsonOrNull(text)
  const parts = isObject(json) ? [json] : readEvents(text)
  const reader = openReader(!isObject(json))
  let shown: JsonObject | null = null
  for (const part of parts) {
    const failure = readError(part)
    if (failure !== null) throw embeddedError(name, failure, readAnswer(reader))
    shown = reader.take(part)
  }
  const answer = completeAnswer(name, reader)
  paid.answered(answer)
  if (!agentRequest.isStreamed) return sink.json(isObject(json) ? shown : dialect.write(answer, agentRequest))
  for (const event of dialect.stream(answer, agentRequest)) await sink.event(event)
  sink.end()
}

/** The error in a body or an event with status 200, in any dialect; null when it contains none. */
function readError(part: JsonObject): unknown {
  if (isErrorValue(part.error)) return part.error
  if (part.type === 'error') return part
  return part.type === 'response.failed' ? (readObject(part.response).error ?? part) : null
}

function completeAnswer(name: string, reader: AnswerReader): AIMessage {
  const answer = reader.answer()
  if (answer === null) throw noAnswer(name)
  return answer
}

function readAnswer(reader: AnswerReader | null): AIMessage | null {
  return reader?.answer() ?? null
}

function noAnswer(name: string): ProviderError {
  return new ProviderError('bad-response', `${name}: the answer of the model's server cannot be read`, {
    retryable: false,
  })
}

function createBreakError(name: string): ProviderError {
  return new ProviderError('unavailable', `${name}: the server ended its answer before it was complete`, {
    retryable: true,
  })
}
