import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import { ProviderError } from '../core/errors.ts'
import type { ModelCallOptions } from '../core/model.ts'
import { packageVersion } from '../system/paths.ts'
import { isObject, jsonOrNull, withoutNull } from '../text/json.ts'
import { readTokens, reconcileUsage } from '../text/reported-usage.ts'
import { writeChatRequest } from './dialects/chat-completions.ts'
import { openChatReader } from './dialects/chat-completions-reader.ts'
import type { JsonObject } from './dialects/dialect.ts'
import { readEvents } from './dialects/event-stream.ts'
import { readObjects, writeSampling } from './dialects/fields.ts'
import { isErrorValue, readFailureWords, rejectedCallWords } from './failure-body.ts'
import { openAiReasoningModel } from './maker-advice.ts'
import { readUsage, setUsage } from './message-usage.ts'
import { readFinishReason } from './model-answer.ts'
import { embeddedError, providerError } from './provider-errors.ts'
import type { ModelClient, RequestSettings } from './provider-recipe.ts'
import {
  createSender,
  httpError,
  readBody,
  type SendRequest,
  type ServerAnswer,
  withoutMarkup,
} from './server-request.ts'

/**
 * Creates the client of a model behind OpenAI's API. Its requests share one pool of connections.
 *
 * @param name the record name of the model, for messages
 * @param openAiUrl the address of models without a URL of their own
 */
export function openAiClient(name: string, openAiUrl: string): ModelClient {
  let sender: Promise<SendRequest> | null = null
  return {
    async readProfile({ model }) {
      const { ChatOpenAI } = await import('@langchain/openai')
      const { profile } = new ChatOpenAI({ model, apiKey: 'none' })
      return { contextWindow: profile.maxInputTokens ?? null, nativeTools: profile.toolCalling ?? null }
    },
    async call(settings, messages, options) {
      const send = await (sender ??= createSender())
      const { baseUrl, key } = settings
      const answer = await send(`${baseUrl ?? openAiUrl}/chat/completions`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'user-agent': `tablehunt/${packageVersion}`,
          ...(key !== null && { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify(writeRequest(settings, messages, options)),
        signal: options.signal,
      })
      return readAnswer(name, readParts(name, answer, await readBody(name, answer.body)))
    },
  }
}

function writeRequest(
  settings: RequestSettings,
  messages: readonly BaseMessage[],
  options: ModelCallOptions,
): JsonObject {
  const { model, maxOutputTokens, seed, requestFields } = settings
  const capName = openAiReasoningModel.test(model) ? 'max_completion_tokens' : 'max_tokens'
  return {
    ...writeChatRequest(model, messages, options),
    ...writeSampling(settings),
    ...withoutNull({ [capName]: maxOutputTokens }),
    seed,
    stream: false,
    ...requestFields,
  }
}

/**
 * Returns the completion in an answer: one body, or the chunks of a stream, which some servers send without being asked.
 *
 * @throws ProviderError for an HTTP error, for HTML or invalid JSON with status 200, and for an error object inside a 200
 */
function readParts(name: string, answer: ServerAnswer, text: string): readonly unknown[] {
  const isOk = answer.statusCode >= 200 && answer.statusCode < 300
  const body = jsonOrNull(text)
  if (!isOk) {
    const rejected = rejectedCallAnswer(body)
    if (rejected === null) throw httpError(name, answer, text)
    return [rejected]
  }
  const parts = body === null && text.trim() !== 'null' ? readStream(text) : [body]
  if (parts.length === 0) {
    const contentType = answer.headers['content-type'] ?? 'no content type'
    throw new ProviderError(
      'bad-response',
      `${name}: HTTP ${answer.statusCode} with ${contentType} that is not a JSON completion: ${withoutMarkup(text)}`,
      { retryable: false },
    )
  }
  for (const part of readObjects(parts)) {
    const error = part.object === 'error' ? part : part.error
    if (!isErrorValue(error)) continue
    const rejected = rejectedCallAnswer(error)
    if (rejected === null) throw embeddedError(name, error)
    return [rejected]
  }
  return parts
}

/** Returns the chunks of a stream; none when a text is no stream. The last one says whether the stream was cut. */
function readStream(text: string): readonly JsonObject[] {
  const chunks = readEvents(text)
  const choices = chunks.flatMap(chunk => readObjects(chunk.choices))
  if (choices.length === 0) return chunks.length === 0 ? [] : [Object.assign({}, ...chunks, { choices: [] })]
  const isWhole =
    choices.some(choice => (choice.finish_reason ?? null) !== null) || /^data:\s*\[DONE\]/m.test(text)
  return isWhole ? chunks : [...chunks, { choices: [{ index: 0, delta: {}, finish_reason: 'abort' }] }]
}

/**
 * Returns an answer with an invalid tool call when a server rejected its own model's unreadable call. The agent then
 * sees the problem, as with servers that pass such a call on. Returns null for any other failure.
 */
function rejectedCallAnswer(error: unknown): JsonObject | null {
  const words = rejectedCallWords(error)
  if (words === null) return null
  const call = { id: '', type: 'function', function: { name: '', arguments: words } }
  return { choices: [{ index: 0, finish_reason: 'tool_calls', message: { tool_calls: [call] } }] }
}

/**
 * Reads the parts of a completion.
 *
 * @throws ProviderError when they contain no completion or the server broke it off, with the billed usage if it is known
 */
function readAnswer(name: string, parts: readonly unknown[]): AIMessage {
  const reader = openChatReader({ model: '', isStreamed: false, wantsUsage: true })
  const objects = readObjects(parts)
  for (const part of objects) reader.take(part)
  const answer = reader.answer()
  if (answer === null) throw withoutCompletion(name, objects, parts)
  const finishReason = readFinishReason(answer)
  if (finishReason === 'content_filter') return answer
  // A router that reached no model bills nothing and reports no usage.
  const error = objects
    .flatMap(part => readObjects(part.choices))
    .find(choice => isErrorValue(choice.error))?.error
  if (error !== undefined) throw embeddedError(name, error, readUsage(answer) === null ? null : answer)
  if (finishReason !== null && brokenOffReasons.has(finishReason))
    throw new ProviderError(
      'unavailable',
      `${name}: the server broke its answer off (${answer.response_metadata.finish_reason})`,
      { retryable: true, answer },
    )
  return answer
}

/** Finish reasons of answers that the server broke off. The last two are those of DeepSeek and Zhipu. */
const brokenOffReasons = new Set(['error', 'abort', 'insufficient_system_resource', 'network_error'])

function withoutCompletion(
  name: string,
  objects: readonly JsonObject[],
  parts: readonly unknown[],
): ProviderError {
  const body = parts.length === 1 ? parts[0] : Object.assign({}, ...objects)
  const usage = isObject(body) ? reconcileUsage(readTokens(body.usage)) : null
  const answer = usage === null ? null : setUsage(new AIMessage(''), usage)
  const hasNoChoice =
    isObject(body) &&
    'choices' in body &&
    (body.choices === null || (Array.isArray(body.choices) && body.choices.length === 0)) &&
    readFailureWords(body) === ''
  if (hasNoChoice)
    return new ProviderError('unavailable', `${name}: the server answered without a choice`, {
      retryable: true,
      answer,
    })
  // MiniMax, Zhipu and Qianfan give the cause in members of their own.
  const text = JSON.stringify(body) ?? ''
  return providerError(name, { status: 200, text, retryAfterMs: null, answer, hint: 'no chat completion' })
}
