import { isObject, withoutNull } from '../../text/json.ts'
import { ConversationReader } from './conversation-reader.ts'
import { BadRequestError, type DescribedTool, type Dialect, type JsonObject } from './dialect.ts'
import {
  contentText,
  demandsOpenAiCall,
  lastTools,
  loweredCap,
  readArguments,
  readCount,
  readObject,
  readObjects,
  readSchema,
  readText,
  toolMembers,
  without,
  writeOpenAiError,
} from './fields.ts'
import { openResponsesReader, responseEvents, writeResponse } from './responses-answer.ts'

/** Tools that the agent runs itself. All others, such as `web_search`, would be run by the provider. */
const clientTools = new Set(['function', 'custom', 'namespace', 'local_shell', 'apply_patch'])
const removedMembers = [
  'background',
  'temperature',
  'top_p',
  'reasoning',
  'tools',
  'tool_choice',
  'parallel_tool_calls',
  'max_output_tokens',
  'max_tool_calls',
]
/** OpenAI's Responses API. */
export const responses: Dialect = {
  name: 'responses',
  path: /^\/v1\/responses$/,
  read(body) {
    if (typeof body.input !== 'string' && !Array.isArray(body.input))
      throw new BadRequestError("'input' is neither a text nor a list")
    for (const name of ['previous_response_id', 'conversation'])
      if (body[name] !== undefined && body[name] !== null)
        throw new BadRequestError(`'${name}' is not supported. Send the whole conversation as 'input'.`)
    return {
      model: readText(body.model),
      messages: readInput(body),
      tools: readObjects(body.tools).flatMap(tool => readTool(tool, null)),
      forbidsTools: body.tool_choice === 'none',
      maxOutputTokens: readCount(body.max_output_tokens),
      isStreamed: body.stream === true,
      wantsUsage: true,
    }
  },
  // This API takes no seed.
  forward(body, { model, sampling, maxOutputTokens }) {
    return {
      ...without(body, removedMembers),
      ...forwardedTools(body),
      ...loweredCap('max_output_tokens', body.max_output_tokens, maxOutputTokens),
      ...withoutNull({ temperature: sampling.temperature, top_p: sampling.topP }),
      ...writeReasoning(body.reasoning, sampling.reasoningEffort),
      model,
    }
  },
  asLast(body, last) {
    const results = [...last.toolResults]
    const { input } = body
    const items = typeof input === 'string' ? [{ role: 'user', content: input }] : readObjects(input)
    const shown = items.map(item =>
      isOutput(item.type) ? { ...item, output: results.shift() ?? item.output } : item,
    )
    const readNames = (tool: JsonObject): string[] =>
      (tool.type === 'namespace' ? readObjects(tool.tools) : [tool]).map(({ name }) => readText(name))
    const demandsCall = demandsOpenAiCall(body.tool_choice)
    const { tools, choice } = lastTools(readObjects(body.tools), demandsCall, last, readNames)
    return {
      ...body,
      input: [...shown, { role: 'user', content: last.note }],
      ...(tools.length === 0 ? {} : { tools, tool_choice: choice }),
    }
  },
  write: writeResponse,
  stream: responseEvents,
  openReader: openResponsesReader,
  error: writeOpenAiError,
}

/** The settings of reasoning. The run decides the effort, and the agent decides what is shown. */
function writeReasoning(reasoning: unknown, effort: string | null): JsonObject {
  const settings = { ...without(readObject(reasoning), ['effort']), ...withoutNull({ effort }) }
  return Object.keys(settings).length === 0 ? {} : { reasoning: settings }
}

function forwardedTools(body: JsonObject): JsonObject {
  const tools = readObjects(body.tools).filter(tool => clientTools.has(readText(tool.type)))
  const choice = readObject(body.tool_choice).type
  const isKept = choice === undefined || choice === 'allowed_tools' || clientTools.has(readText(choice))
  return toolMembers(body, tools, isKept)
}

/** Reads a tool. The tools of a namespace get its name in front, as in `mcp__files__read`. */
function readTool(tool: JsonObject, namespace: string | null): DescribedTool[] {
  const { type, name, description, parameters } = tool
  if (typeof name !== 'string') return []
  if (type === 'namespace') return readObjects(tool.tools).flatMap(innerTool => readTool(innerTool, name))
  if (type !== 'function' && type !== 'custom') return []
  const common = {
    name: namespace === null ? name : `${namespace}__${name}`,
    description: readText(description),
    ...(namespace === null ? {} : { namespace }),
  }
  if (type === 'function') return [{ ...common, parameters: readSchema(parameters) }]
  const input = { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] }
  return [{ ...common, parameters: input, isFreeform: true }]
}

function readInput(body: JsonObject) {
  const conversation = new ConversationReader()
  conversation.system(readText(body.instructions))
  if (typeof body.input === 'string') conversation.user(body.input)
  else for (const item of body.input as readonly unknown[]) readItem(item, conversation)
  return conversation.done()
}

function readItem(item: unknown, conversation: ConversationReader): void {
  if (!isObject(item)) throw new BadRequestError("an item of 'input' is not an object")
  const type = item.type ?? 'message'
  if (type === 'message') readMessage(item, conversation)
  else if (type === 'reasoning') conversation.assistant({ reasoning: contentText(item.summary) })
  else if (isCall(type)) conversation.assistant({ calls: [readCall(item)] })
  else if (isOutput(type)) conversation.toolResult(readText(item.call_id), '', outputText(item.output))
  // Other items, such as those of hosted tools, are not part of the conversation with the agent's own tools.
}

function readMessage(item: JsonObject, conversation: ConversationReader): void {
  const text = contentText(item.content)
  if (item.role === 'system' || item.role === 'developer') conversation.system(text)
  else if (item.role === 'assistant') conversation.assistant({ text })
  else conversation.user(text)
}

const isCall = (type: unknown): boolean =>
  /^(?:function|custom_tool|local_shell|apply_patch)_call$/.test(String(type))
const isOutput = (type: unknown): boolean =>
  /^(?:function|custom_tool|local_shell|apply_patch)_call_output$/.test(String(type))

function readCall(item: JsonObject) {
  const name = readText(item.name) || readText(item.type).replace(/_call$/, '')
  const namespace = readText(item.namespace)
  const input =
    typeof item.input === 'string' ? { input: item.input } : readArguments(item.arguments ?? item.action)
  return {
    id: readText(item.call_id),
    name: namespace === '' ? name : `${namespace}__${name}`,
    args: input,
  }
}

function outputText(output: unknown): string {
  return isObject(output) && typeof output.text !== 'string' ? JSON.stringify(output) : contentText(output)
}
