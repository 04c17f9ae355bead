import type { AIMessage } from '@langchain/core/messages'
import { isObject } from '../../../src/text/json.ts'
import { type AnswerParts, newId, partsOf } from './answer-parts.ts'
import { ConversationReader } from './conversation-reader.ts'
import {
  type AgentRequest,
  BadRequestError,
  type Dialect,
  type JsonObject,
  type OfferedTool,
} from './dialect.ts'
import {
  argumentsOf,
  eventText,
  loweredCap,
  objectOf,
  objectsOf,
  onlyGiven,
  readCount,
  textOf,
  without,
} from './fields.ts'
import { openGeminiReader } from './gemini-reader.ts'
import { lastTools } from './last-tools.ts'

const pathPattern = /^\/v1(?:beta|alpha)?\/models\/(.+):(generateContent|streamGenerateContent)$/

/** Members of the configuration that the run decides, in both spellings. */
const removedConfig = [
  ...['maxOutputTokens', 'max_output_tokens', 'candidateCount', 'candidate_count'],
  ...['temperature', 'topP', 'top_p'],
]

/** Google's Gemini API. The URL names the model, slashes included, and says whether the answer is streamed. */
export const gemini: Dialect = {
  name: 'gemini',
  path: pathPattern,
  read(body, path) {
    if (!Array.isArray(body.contents)) throw new BadRequestError("'contents' is not a list")
    const [, model = '', method] = pathPattern.exec(path) ?? []
    return {
      model: plainName(model),
      messages: readContents(body),
      tools: declarationsIn(body).map(readDeclaration),
      forbidsTools: callingModeIn(body) === 'NONE',
      maxOutputTokens: readCount(either(configIn(body), 'maxOutputTokens', 'max_output_tokens')),
      isStreamed: method === 'streamGenerateContent',
      wantsUsage: true,
    }
  },
  // The URL names the model.
  forward(body, { seed, sampling, maxOutputTokens }) {
    const config = configIn(body)
    const own = either(config, 'maxOutputTokens', 'max_output_tokens')
    const functionDeclarations = declarationsIn(body)
    return {
      ...without(body, ['tools', 'toolConfig', 'tool_config', 'generationConfig', 'generation_config']),
      ...(functionDeclarations.length === 0
        ? {}
        : { tools: [{ functionDeclarations }], ...toolConfigIn(body) }),
      generationConfig: {
        ...without(config, removedConfig),
        ...loweredCap('maxOutputTokens', own, maxOutputTokens),
        ...onlyGiven({ temperature: sampling.temperature, topP: sampling.topP }),
        seed,
      },
    }
  },
  asLast(body, last) {
    const results = [...last.toolResults]
    const contents = objectsOf(body.contents).map(content => ({
      ...content,
      parts: objectsOf(content.parts).map(part => withResult(part, results)),
    }))
    const { tools, choice } = lastTools(
      ...[declarationsIn(body), callingModeIn(body) === 'ANY', last],
      ({ name }) => [textOf(name)],
    )
    const mode = choice === 'required' ? 'ANY' : 'NONE'
    return {
      ...without(body, ['tools', 'toolConfig', 'tool_config']),
      contents: [...contents, { role: 'user', parts: [{ text: last.note }] }],
      ...(tools.length === 0
        ? {}
        : {
            tools: [{ functionDeclarations: tools }],
            toolConfig: { functionCallingConfig: { mode } },
          }),
    }
  },
  write(answer, asked) {
    const parts = partsOf(answer, asked)
    return chunkOf(parts, asked, answerParts(parts), true)
  },
  stream: (answer, asked) => chunksOf(answer, asked),
  openReader: openGeminiReader,
  error: (status, message) => ({ error: { code: status, message, status: 'INVALID_ARGUMENT' } }),
}

/** The JSON form of this API has names in camel case or in snake case. */
function either(body: JsonObject, camel: string, snake: string): unknown {
  return body[camel] ?? body[snake]
}

function plainName(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

function configIn(body: JsonObject): JsonObject {
  return objectOf(either(body, 'generationConfig', 'generation_config'))
}

function callingModeIn(body: JsonObject): unknown {
  const config = objectOf(either(body, 'toolConfig', 'tool_config'))
  return objectOf(either(config, 'functionCallingConfig', 'function_calling_config')).mode
}

function withResult(part: JsonObject, results: (string | null)[]): JsonObject {
  const result = either(part, 'functionResponse', 'function_response')
  if (!isObject(result)) return part
  const text = results.shift() ?? null
  if (text === null) return part
  return { functionResponse: { ...result, response: { output: text } } }
}

function toolConfigIn(body: JsonObject): JsonObject {
  const toolConfig = either(body, 'toolConfig', 'tool_config')
  return isObject(toolConfig) ? { toolConfig } : {}
}

/** Other members of `tools`, such as `googleSearch`, are run by the provider. */
function declarationsIn(body: JsonObject): readonly JsonObject[] {
  return objectsOf(body.tools).flatMap(tool =>
    objectsOf(either(tool, 'functionDeclarations', 'function_declarations')),
  )
}

function readDeclaration(declared: JsonObject): OfferedTool {
  const schema = either(declared, 'parametersJsonSchema', 'parameters_json_schema') ?? declared.parameters
  return {
    name: textOf(declared.name),
    description: textOf(declared.description),
    parameters: isObject(schema)
      ? (withPlainTypes(schema) as JsonObject)
      : { type: 'object', properties: {} },
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
  conversation.system(typeof system === 'string' ? system : plainText(objectsOf(objectOf(system).parts)))
  for (const content of body.contents as readonly unknown[]) {
    if (!isObject(content)) throw new BadRequestError("an element of 'contents' is not an object")
    conversation.endAnswer()
    if (content.role === 'model') readAnswer(objectsOf(content.parts), conversation)
    else readUser(objectsOf(content.parts), conversation)
  }
  return conversation.done()
}

function readAnswer(parts: readonly JsonObject[], conversation: ConversationReader): void {
  for (const part of parts) {
    const called = either(part, 'functionCall', 'function_call')
    if (isObject(called))
      conversation.assistant({
        calls: [{ id: textOf(called.id), name: textOf(called.name), args: argumentsOf(called.args) }],
      })
    else if (part.thought === true) conversation.assistant({ reasoning: textOf(part.text) })
    else conversation.assistant({ text: textOf(part.text) })
  }
}

/** Reads a message of the user. Its function responses become messages of their own, before its text. */
function readUser(parts: readonly JsonObject[], conversation: ConversationReader): void {
  const rest: JsonObject[] = []
  for (const part of parts) {
    const result = either(part, 'functionResponse', 'function_response')
    if (isObject(result))
      conversation.toolResult(textOf(result.id), textOf(result.name), resultText(result.response))
    else rest.push(part)
  }
  if (rest.length > 0) conversation.user(plainText(rest))
}

function plainText(parts: readonly JsonObject[]): string {
  return parts.map(part => (typeof part.text === 'string' ? part.text : '[file]')).join('')
}

/** Clients wrap the text of a result into an object with one member, such as `output`. */
function resultText(response: unknown): string {
  const values = Object.values(objectOf(response))
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
    ...calls.map(({ id, name, json }) => ({ functionCall: { id, name, args: argumentsOf(json) } })),
  ]
}

function chunkOf(
  parts: AnswerParts,
  asked: AgentRequest,
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
    modelVersion: asked.model,
    responseId: newId(''),
  }
}

function* chunksOf(answer: AIMessage, asked: AgentRequest): Iterable<string> {
  const parts = partsOf(answer, asked)
  const shown = answerParts(parts)
  for (const [index, part] of shown.entries())
    yield eventText(chunkOf(parts, asked, [part], index === shown.length - 1))
}
