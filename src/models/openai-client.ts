import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import { ProviderError } from '../core/errors.ts'
import type { ModelCallOptions } from '../core/model.ts'
import { packageVersion } from '../system/paths.ts'
import { isObject, parseJsonOrNull, withoutNull } from '../text/json.ts'
import { readLiteral } from '../text/literal.ts'
import { replaceNumbers } from '../text/python-json.ts'
import { readTokens, reconcileUsage } from '../text/reported-usage.ts'
import { writeChatRequest } from './dialects/chat-completions.ts'
import { openChatReader } from './dialects/chat-completions-reader.ts'
import type { JsonObject } from './dialects/dialect.ts'
import { readEvents, streamFailure } from './dialects/event-stream.ts'
import { readObjects, writeSampling } from './dialects/fields.ts'
import { isErrorValue, readFailureWords, rejectedCallWords } from './failure-body.ts'
import { openAiReasoningModel } from './maker-advice.ts'
import { readUsage, setUsage } from './message-usage.ts'
import { isKnownFinishReason, readFinishReason } from './model-answer.ts'
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
  // Python's servers write NaN.
  const body = parseJsonOrNull(text) ?? parseJsonOrNull(replaceNumbers(text, withoutNan))
  if (!isOk) {
    const rejected = rejectedCallAnswer(body)
    if (rejected === null) throw httpError(name, answer, text)
    return [rejected]
  }
  const parts = body === null && text.trim() !== 'null' ? readStream(name, text) : [body].flat()
  if (parts.length === 0) throw notJson(name, answer, text)
  for (const part of readObjects(parts)) {
    const error = part.object === 'error' ? part : part.error
    if (!isErrorValue(error)) continue
    const rejected = rejectedCallAnswer(error)
    if (rejected === null) throw embeddedError(name, error)
    return [rejected]
  }
  return parts
}

const withoutNan = (literal: string): string => (/NaN|Infinity/.test(literal) ? 'null' : literal)

/** Returns the error of a body that is no JSON: one that breaks off, or a page, whose words may name a failure that passes. */
function notJson(name: string, { statusCode, headers }: ServerAnswer, text: string): ProviderError {
  const words = /^\s*[[{]/.test(text) ? text.trim() : withoutMarkup(text)
  const literal = readLiteral(words, 0)
  if (/^(?:data:|:|$)/.test(words) || (/^[[{]/.test(words) && 'isCut' in literal && literal.isCut))
    return new ProviderError(
      'unavailable',
      `${name}: the body is empty or breaks off: ${words.slice(0, 200)}`,
      {
        retryable: true,
      },
    )
  const contentType = headers['content-type'] ?? 'no content type'
  const hint = `${contentType} that is not a JSON completion`
  return providerError(name, { status: statusCode, text: words, retryAfterMs: null, hint })
}

/**
 * Returns the chunks of a stream; none when a text is no stream. The last one says whether the stream was cut.
 *
 * @throws ProviderError when the server reports a failure in the stream instead of an end of the answer
 */
function readStream(name: string, text: string): readonly JsonObject[] {
  const chunks = readEvents(text)
  const choices = chunks.flatMap(chunk => readObjects(chunk.choices))
  if (choices.length === 0) return chunks.length === 0 ? [] : [Object.assign({}, ...chunks, { choices: [] })]
  const isEnded = choices.some(choice => (choice.finish_reason ?? null) !== null)
  const failure = isEnded ? null : streamFailure(text)
  if (failure !== null) throw brokenStream(name, failure)
  const isWhole = isEnded || /^data:\s*\[DONE\]/m.test(text)
  return isWhole ? chunks : [...chunks, { choices: [{ index: 0, delta: {}, finish_reason: 'abort' }] }]
}

/** Returns the error of a stream in which the server reports a failure. One in words that are not known may pass. */
function brokenStream(name: string, failure: unknown): ProviderError {
  const error = embeddedError(name, failure)
  return error.reason === 'bad-response'
    ? new ProviderError('unavailable', error.message, { retryable: true })
    : error
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
  const isUnknownEnd = finishReason !== null && isEmpty(answer) && !isKnownFinishReason(finishReason)
  if (finishReason !== null && (brokenOffReasons.has(finishReason) || isUnknownEnd))
    throw new ProviderError(
      'unavailable',
      `${name}: the server broke its answer off (${answer.response_metadata.finish_reason})`,
      { retryable: true, answer },
    )
  return answer
}

/** Finish reasons of answers that the server broke off: of vLLM and routers, then of DeepSeek and Zhipu. */
const brokenOffReasons = new Set([
  ...['error', 'abort', 'aborted', 'cancel', 'cancelled', 'canceled', 'timeout', 'failed', 'failure'],
  ...['server_error', 'internal_error', 'engine_overloaded', 'overloaded', 'unavailable', 'interrupted'],
  ...['insufficient_system_resource', 'network_error'],
])

function isEmpty({
  content,
  tool_calls = [],
  invalid_tool_calls = [],
  additional_kwargs,
}: AIMessage): boolean {
  const isWithoutText = content === '' && Object.keys(additional_kwargs).length === 0
  return isWithoutText && tool_calls.length + invalid_tool_calls.length === 0
}

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
