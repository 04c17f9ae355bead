import { ToolMessage } from '@langchain/core/messages'
import { type StructuredToolInterface, ToolInputParsingException } from '@langchain/core/tools'
import { z } from 'zod/v4'
import type { StoredText } from '../../logs/event-parts.ts'
import { BudgetRefusedError, ToolError, type ToolErrorClass } from '../../src/core/errors.ts'
import { langChainTool } from '../../tools/langchain-tool.ts'
import { NotShownError, type ToolArtifact, type ToolEnvironment } from '../../tools/tool.ts'
import type { RecordedCall, RecordedPrefix } from './recorded-prefix.ts'

/** What a tool returned: the text for the agent, and what traces and discovery use. */
export type ToolResult = readonly [string, ToolArtifact]

/** A change of tool results. */
export interface ResultChange {
  /** The id of the replayed call whose result is changed; null to change the next call that can be. */
  readonly callId: string | null
  /** Returns the changed result; null when a result of this tool cannot be changed. `result` is null for a failed call. */
  change(tool: string, result: ToolResult | null, environment: ToolEnvironment): ToolResult | null
  /** Answers a call in place of the web; null for calls that the web answers. */
  answer?(tool: string, args: unknown, environment: ToolEnvironment): ToolResult | null
}

/** A replay as its tools see it. */
export interface ToolReplay {
  readonly input: {
    readonly prefix: RecordedPrefix
    readonly results: ResultChange | null
    /** Whether the recorded calls may be of tools that we do not have. */
    readonly isForeign: boolean
  }
  /** Whether calls are answered by the tools, and no longer from the trace. */
  readonly isLive: boolean
  /** Whether a changed result has reached the agent. */
  tookEffect: boolean
  /** Returns the recorded call that a call repeats. */
  takeCall(id: string, tool: string, args: unknown): RecordedCall
  text(stored: StoredText): string
}

/** Returns tools whose calls are answered from the trace until the fork is live, and whose results a fork can change. */
export function replayTools(
  tools: readonly StructuredToolInterface[],
  environment: ToolEnvironment,
  replay: ToolReplay,
): StructuredToolInterface[] {
  const { isForeign, prefix } = replay.input
  return [...tools, ...(isForeign ? foreignTools(prefix, tools) : [])].map(tool =>
    replayTool(tool, environment, replay),
  )
}

/** The tools of an imported log that we do not have. Their recorded calls are replayed; the web does not answer new ones. */
function foreignTools(
  { calls }: RecordedPrefix,
  tools: readonly StructuredToolInterface[],
): StructuredToolInterface[] {
  const toolNames = tools.map(({ name }) => name)
  const names = new Set([...calls.values()].map(({ called }) => called.tool))
  return [...names]
    .filter(name => !toolNames.includes(name))
    .map(name =>
      langChainTool({
        name,
        description: `Not available any more. Use ${toolNames.join(' or ')}.`,
        schema: z.object({}),
        async run() {
          throw new ToolError(
            'not-found',
            `${name} is not available any more. Use ${toolNames.join(' or ')}.`,
          )
        },
      }),
    )
}

/** A tool whose calls are answered from the trace until the fork is live. */
function replayTool(
  tool: StructuredToolInterface,
  environment: ToolEnvironment,
  replay: ToolReplay,
): StructuredToolInterface {
  const { results } = replay.input
  const changeResult = (callId: string | null, result: ToolResult | null): ToolResult | null => {
    if (results === null || replay.tookEffect || results.callId !== callId) return null
    const change = results.change(tool.name, result, environment)
    if (change !== null) replay.tookEffect = true
    return change
  }
  const invokeLive = async (call: ToolCallInput, config: unknown): Promise<ToolMessage> => {
    const changedAnswer = results?.answer?.(tool.name, call.args, environment) ?? null
    if (changedAnswer !== null) return asMessage(tool, call, changedAnswer)
    try {
      const message = (await tool.invoke(call as never, config as never)) as ToolMessage
      const change = changeResult(null, [String(message.content), message.artifact as ToolArtifact])
      return change === null ? message : asMessage(tool, call, change)
    } catch (error) {
      const change = error instanceof ToolError ? changeResult(null, null) : null
      if (change === null) throw error
      return asMessage(tool, call, change)
    }
  }
  const invoke = async (call: ToolCallInput, config: unknown): Promise<ToolMessage> => {
    if (replay.isLive) return await invokeLive(call, config)
    const recorded = replay.takeCall(call.id, tool.name, call.args)
    const result = repeatCall(recorded, environment, replay)
    const change = changeResult(recorded.called.callId, result instanceof Error ? null : result)
    if (change !== null) return asMessage(tool, call, change)
    if (result instanceof Error) throw result
    return asMessage(tool, call, result)
  }
  return Object.create(tool, { invoke: { value: invoke } }) as StructuredToolInterface
}

interface ToolCallInput {
  readonly id: string
  readonly args: unknown
}

function asMessage(
  { name }: StructuredToolInterface,
  { id }: ToolCallInput,
  [content, artifact]: ToolResult,
): ToolMessage {
  return new ToolMessage({ status: 'success', content, artifact, tool_call_id: id, name })
}

/** Repeats a recorded call: charges what it charged, and returns its result or its error. */
function repeatCall(
  { charges, ended }: RecordedCall,
  environment: ToolEnvironment,
  replay: ToolReplay,
): ToolResult | Error {
  let refused: unknown = null
  for (const { kind, what } of charges) {
    try {
      environment.charge(kind as 'fetchCalls' | 'searchCalls', what)
    } catch (error) {
      if (!(error instanceof BudgetRefusedError)) throw error
      refused = error
    }
  }
  if (ended.type === 'tool-answered') {
    const { truncated, observations } = ended
    return [replay.text(ended.text), { truncated, observations }]
  }
  const { errorClass, message, infrastructure, observations } = ended
  if (errorClass === 'budget')
    return refused instanceof Error ? refused : new BudgetRefusedError('searchCalls', message)
  // Arguments that the tool could not read (tools/langchain-tool.ts) count as a call that could not be made.
  if (errorClass === 'bad-input' && message.includes(`. ${ended.tool} takes `))
    return new ToolInputParsingException(message, '')
  const failure = new ToolError(errorClass as ToolErrorClass, message, { infrastructure })
  return observations === undefined ? failure : new NotShownError(failure, { truncated: false, observations })
}
