import type { AIMessage, UsageMetadata } from '@langchain/core/messages'
import { decodePercents } from '../../text/canonical-url.ts'
import { isObject, withoutNull } from '../../text/json.ts'
import { readTokens, reconcileUsage } from '../../text/reported-usage.ts'
import { type AnswerParts, createEmptyAnswer, createMessage, newId, splitAnswer } from './answer-parts.ts'
import { ConversationReader } from './conversation-reader.ts'
import {
  type AgentRequest,
  type AnswerReader,
  type AnswerRecipient,
  BadRequestError,
  type DescribedTool,
  type Dialect,
  type JsonObject,
} from './dialect.ts'
import {
  eventText,
  lastTools,
  loweredCap,
  readArguments,
  readCount,
  readObject,
  readObjects,
  readSchema,
  readText,
  without,
} from './fields.ts'

const pathPattern = /^\/v1(?:beta|alpha)?\/models\/(.+):(generateContent|streamGenerateContent)$/

/** Members of the configuration that the run decides, in both spellings. */
const removedConfig = [
  'maxOutputTokens',
  'max_output_tokens',
  'candidateCount',
  'candidate_count',
  'temperature',
  'topP',
  'top_p',
]

/** Google's Gemini API. The URL names the model, slashes included, and says whether the answer is streamed. */
export const gemini: Dialect = {
  name: 'gemini',
  path: pathPattern,
  read(body, path) {
    if (!Array.isArray(body.contents)) throw new BadRequestError("'contents' is not a list")
    const [, model = '', method] = pathPattern.exec(path) ?? []
    return {
      model: decodePercents(model),
      messages: readContents(body),
      tools: listDeclarations(body).map(readDeclaration),
      forbidsTools: readCallingMode(body) === 'NONE',
      maxOutputTokens: readCount(either(readConfig(body), 'maxOutputTokens', 'max_output_tokens')),
      isStreamed: method === 'streamGenerateContent',
      wantsUsage: true,
    }
  },
  // The URL names the model.
  forward(body, { seed, sampling, maxOutputTokens }) {
    const config = readConfig(body)
    const value = either(config, 'maxOutputTokens', 'max_output_tokens')
    const functionDeclarations = listDeclarations(body)
    return {
      ...without(body, ['tools', 'toolConfig', 'tool_config', 'generationConfig', 'generation_config']),
      ...(functionDeclarations.length === 0
        ? {}
        : { tools: [{ functionDeclarations }], ...readToolConfig(body) }),
      generationConfig: {
        ...without(config, removedConfig),
        ...loweredCap('maxOutputTokens', value, maxOutputTokens),
        ...withoutNull({ temperature: sampling.temperature, topP: sampling.topP }),
        seed,
      },
    }
  },
  asLast(body, last) {
    const results = [...last.toolResults]
    const contents = readObjects(body.contents).map(content => ({
      ...content,
      parts: readObjects(content.parts).map(part => withResult(part, results)),
    }))
    const demandsCall = readCallingMode(body) === 'ANY'
    const readNames = ({ name }: JsonObject): string[] => [readText(name)]
    const { tools, choice } = lastTools(listDeclarations(body), demandsCall, last, readNames)
    const mode = choice === 'required' ? 'ANY' : 'NONE'
    return {
      ...without(body, ['tools', 'toolConfig', 'tool_config']),
      contents: [...contents, { role: 'user', parts: [{ text: last.note }] }],
      ...(tools.length === 0
        ? {}
        : { tools: [{ functionDeclarations: tools }], toolConfig: { functionCallingConfig: { mode } } }),
    }
  },
  write(answer, request) {
    const parts = splitAnswer(answer, request)
    return writeChunk(parts, request, answerParts(parts), true)
  },
  stream: writeChunks,
  openReader: openGeminiReader,
  error: (status, message) => ({ error: { code: status, message, status: 'INVALID_ARGUMENT' } }),
}

/** The JSON form of this API has names in camel case or in snake case. */
function either(body: JsonObject, camel: string, snake: string): unknown {
  return body[camel] ?? body[snake]
}

function readConfig(body: JsonObject): JsonObject {
  return readObject(either(body, 'generationConfig', 'generation_config'))
}

function readCallingMode(body: JsonObject): unknown {
  const config = readObject(either(body, 'toolConfig', 'tool_config'))
  return readObject(either(config, 'functionCallingConfig', 'function_calling_config')).mode
}

function withResult(part: JsonObject, results: (string | null)[]): JsonObject {
  const result = either(part, 'functionResponse', 'function_response')
  if (!isObject(result)) return part
  const text = results.shift() ?? null
  if (text === null) return part
  return { functionResponse: { ...result, response: { output: text } } }
}

function readToolConfig(body: JsonObject): JsonObject {
  const toolConfig = either(body, 'toolConfig', 'tool_config')
  return isObject(toolConfig) ? { toolConfig } : {}
}

/** Other members of `tools`, such as `googleSearch`, are run by the provider. */
function listDeclarations(body: JsonObject): readonly JsonObject[] {
  return readObjects(body.tools).flatMap(tool =>
    readObjects(either(tool, 'functionDeclarations', 'function_declarations')),
  )
}

function readDeclaration(declared: JsonObject): DescribedTool {
  const schema = either(declared, 'parametersJsonSchema', 'parameters_json_schema') ?? declared.parameters
  return {
    name: readText(declared.name),
    description: readText(declared.description),
    parameters: withPlainTypes(readSchema(schema)) as JsonObject,
  }
}

/** Gemini writes the types of a schema in capitals. */
function withPlainTypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPlainTypes)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name,
      name === 'type' && typeof inner === 'string' ? inner.toLowerCase() : withPlainTypes(inner),
    ]),
  )
}

function readContents(body: JsonObject) {
  const conversation = new ConversationReader()
  const system = either(body, 'systemInstruction', 'system_instruction')
  conversation.system(typeof system === 'string' ? system : plainText(readObjects(readObject(system).parts)))
  for (const content of body.contents as readonly unknown[]) {
    if (!isObject(content)) throw new BadRequestError("an element of 'contents' is not an object")
    conversation.endAnswer()
    if (content.role === 'model') readAnswer(readObjects(content.parts), conversation)
    else readUser(readObjects(content.parts), conversation)
  }
  return conversation.done()
}

function readAnswer(parts: readonly JsonObject[], conversation: ConversationReader): void {
  for (const part of parts) {
    const called = either(part, 'functionCall', 'function_call')
    if (isObject(called))
      conversation.assistant({
        calls: [{ id: readText(called.id), name: readText(called.name), args: readArguments(called.args) }],
      })
    else if (part.thought === true) conversation.assistant({ reasoning: readText(part.text) })
    else conversation.assistant({ text: readText(part.text) })
  }
}

/** Reads a message of the user. Its function responses become messages of their own, before its text. */
function readUser(parts: readonly JsonObject[], conversation: ConversationReader): void {
  const rest: JsonObject[] = []
  for (const part of parts) {
    const result = either(part, 'functionResponse', 'function_response')
    if (isObject(result))
      conversation.toolResult(readText(result.id), readText(result.name), resultText(result.response))
    else rest.push(part)
  }
  if (rest.length > 0) conversation.user(plainText(rest))
}

function plainText(parts: readonly JsonObject[]): string {
  return parts.map(part => (typeof part.text === 'string' ? part.text : '[file]')).join('')
}

/** Clients wrap the text of a result into an object with one member, such as `output`. */
function resultText(response: unknown): string {
  const values = Object.values(readObject(response))
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : JSON.stringify(response ?? {})
}

const finishReasons = {
  stop: 'STOP',
  length: 'MAX_TOKENS',
  tool_calls: 'STOP',
  content_filter: 'SAFETY',
} as const

function answerParts({ text, reasoning, refusal, calls }: AnswerParts): JsonObject[] {
  const shown = refusal ?? text
  return [
    ...(reasoning === null ? [] : [{ text: reasoning, thought: true }]),
    ...(shown === '' && calls.length > 0 ? [] : [{ text: shown }]),
    ...calls.map(({ id, name, json }) => ({ functionCall: { id, name, args: readArguments(json) } })),
  ]
}

function writeChunk(
  parts: AnswerParts,
  request: AgentRequest,
  shown: readonly JsonObject[],
  isLast: boolean,
): JsonObject {
  const { usage } = parts
  return {
    candidates: [
      {
        content: { role: 'model', parts: shown },
        ...(isLast ? { finishReason: finishReasons[parts.finish] } : {}),
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: usage.input,
      cachedContentTokenCount: usage.cached,
      // Thoughts are counted separately.
      candidatesTokenCount: usage.output - usage.reasoning,
      thoughtsTokenCount: usage.reasoning,
      totalTokenCount: usage.input + usage.output,
    },
    modelVersion: request.model,
    responseId: newId(''),
  }
}

function* writeChunks(answer: AIMessage, request: AgentRequest): Iterable<string> {
  const parts = splitAnswer(answer, request)
  const shown = answerParts(parts)
  for (const [index, part] of shown.entries())
    yield eventText(writeChunk(parts, request, [part], index === shown.length - 1))
}

/** Reads Gemini's answers: one body, or the chunks of a stream, which have the same form. Only the first candidate counts. */
function openGeminiReader({ model }: AnswerRecipient): AnswerReader {
  const collected = createEmptyAnswer()
  let usage: UsageMetadata | null = null
  let isRead = false
  return {
    take(part) {
      usage = readBilledUsage(part.usageMetadata) ?? usage
      const candidate = readObjects(part.candidates)[0]
      const blocked = readObject(part.promptFeedback).blockReason
      if (candidate !== undefined || blocked !== undefined) isRead = true
      if (blocked !== undefined) collected.finishReason = 'content_filter'
      for (const part of readObjects(readObject(candidate?.content).parts)) {
        if (part.thought === true) collected.reasoning += readText(part.text)
        else collected.text += readText(part.text)
        const called = readObject(part.functionCall)
        if (readText(called.name) === '') continue
        const json = JSON.stringify(called.args ?? {})
        collected.calls.push({ id: readText(called.id), name: readText(called.name), json })
      }
      if (typeof candidate?.finishReason === 'string') collected.finishReason = candidate.finishReason
      return 'modelVersion' in part ? { ...part, modelVersion: model } : part
    },
    isComplete: () => collected.finishReason !== null,
    answer() {
      if (!isRead) return null
      // Every chunk reports the tokens so far. Only the last chunk has the billed number.
      return createMessage({ ...collected, usage: collected.finishReason === null ? null : usage })
    },
  }
}

function readBilledUsage(usage: unknown): UsageMetadata | null {
  const { completion, reasoning, ...tokens } = readTokens(usage)
  // Thoughts are counted separately. An answer that consists of thoughts has no other output.
  const output = completion === null && reasoning === null ? null : (completion ?? 0) + (reasoning ?? 0)
  return reconcileUsage({ ...tokens, completion: output, reasoning, total: null })
}
