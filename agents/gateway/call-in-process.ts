import { AIMessage, type BaseMessage } from '@langchain/core/messages'
import { DynamicStructuredTool } from '@langchain/core/tools'
import type { DescribedTool } from '../../src/models/dialects/dialect.ts'
import { untilAborted } from '../../src/system/retry.ts'
import type { ModelRequest } from './model-request.ts'
import type { PaidModelCall } from './paid-call.ts'
import type { GatewaySession } from './session.ts'

/** Asks a model that does not speak the agent's dialect, and writes its answer in that dialect. */
export async function callInProcess(request: ModelRequest, paid: PaidModelCall): Promise<void> {
  const { dialect, agentRequest, session, sink, signal } = request
  const names = findCalledNames(session)
  let answer: AIMessage
  try {
    const reply = await untilAborted(
      session.run.environment.model.call(asWritten(agentRequest.messages, names), {
        tools: offeredAsTools(agentRequest.tools),
        maxOutputTokens: paid.maxOutputTokens,
        signal,
        held: (by, waitedMs) => paid.held(by, waitedMs),
        ...(agentRequest.forbidsTools ? { toolChoice: 'none' as const } : {}),
      }),
      signal,
    )
    answer = asOffered(reply, agentRequest.tools, names)
  } catch (error) {
    paid.failed(error, null)
    throw error
  }
  paid.answered(answer)
  if (!agentRequest.isStreamed) return sink.json(dialect.write(answer, agentRequest))
  for (const event of dialect.stream(answer, agentRequest)) await sink.event(event)
  sink.end()
}

/** Maps each tool name that the agent offers to the name that the model wrote. */
type CalledNames = Map<string, string>

const calledNames = new WeakMap<GatewaySession, CalledNames>()

function findCalledNames(session: GatewaySession): CalledNames {
  const names = calledNames.get(session) ?? new Map<string, string>()
  calledNames.set(session, names)
  return names
}

/**
 * Renames calls of tools that the agent does not offer to the offered tools that they mean. Agents put a prefix in
 * front of the names of MCP tools. Rule-based models call them by their plain names.
 */
function asOffered(answer: AIMessage, tools: readonly DescribedTool[], names: CalledNames): AIMessage {
  for (const call of answer.tool_calls ?? []) {
    if (tools.some(tool => tool.name === call.name)) continue
    const meant = tools.filter(tool => isNamedAs(tool.name, call.name))
    if (meant.length !== 1) continue
    names.set(meant[0]!.name, call.name)
    call.name = meant[0]!.name
  }
  return answer
}

/** Shows a model its earlier calls by the names that it wrote. */
function asWritten(messages: readonly BaseMessage[], names: CalledNames): readonly BaseMessage[] {
  if (names.size === 0) return messages
  return messages.map(message => {
    if (!AIMessage.isInstance(message) || message.tool_calls === undefined) return message
    const tool_calls = message.tool_calls.map(call => ({ ...call, name: names.get(call.name) ?? call.name }))
    return new AIMessage({
      content: message.content,
      tool_calls,
      additional_kwargs: message.additional_kwargs,
    })
  })
}

/** Whether an agent's name for a tool means this tool. Agents may add a prefix, as in `mcp__tablehunt__web_search`. */
export function isNamedAs(offered: string, tool: string): boolean {
  return offered === tool || (offered.endsWith(tool) && /[^a-z0-9]$/i.test(offered.slice(0, -tool.length)))
}

/** The tools of an agent for LangChain's chat models. They are only described: the agent runs them itself. */
function offeredAsTools(tools: readonly DescribedTool[]): DynamicStructuredTool[] {
  return tools.map(
    ({ name, description, parameters }) =>
      new DynamicStructuredTool({
        name,
        description,
        schema: parameters as never,
        func: async () => {
          throw new Error('the agent runs its tools itself')
        },
      }),
  )
}
