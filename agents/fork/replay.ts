import { AIMessage, ToolMessage } from '@langchain/core/messages'
import { type StructuredToolInterface, ToolInputParsingException } from '@langchain/core/tools'
import { z } from 'zod/v4'
import type { BlobReader } from '../../logs/blobs.ts'
import { readStoredText } from '../../logs/blobs.ts'
import type { EventBody, StoredText, TraceEvent } from '../../logs/events.ts'
import { readArguments, readReasoning } from '../../logs/trace-messages.ts'
import { type BudgetCaps, type BudgetKind, budgetKinds } from '../../src/core/budget.ts'
import { BudgetRefusedError, ProviderError, ToolError, type ToolErrorClass } from '../../src/core/errors.ts'
import type { ModelHandle } from '../../src/core/model.ts'
import type { PromptMessages } from '../../src/core/prompts.ts'
import { isUnscoredCause } from '../../src/core/termination.ts'
import { canonicalJson } from '../../src/system/hash.ts'
import { langChainTool } from '../../tools/langchain-tool.ts'
import { NotShownError, type ToolArtifact, type ToolEnvironment } from '../../tools/tool.ts'
import type { SettingEnvironment, SettingOutcome } from '../setting.ts'
import { Diverged } from '../termination.ts'
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

/** What a fork replays, and what it changes after that. */
export interface ForkInput {
  readonly prefix: RecordedPrefix
  readonly blobs: BlobReader
  /** Returns the caps from the step of the fork on. */
  caps(): BudgetCaps
  /** Options of the setting from the step of the fork on. */
  readonly options: Readonly<Record<string, unknown>>
  /** A message of the user before the step of the fork; null for none. */
  readonly note: string | null
  readonly results: ResultChange | null
  /**
   * The trace is an imported log: its messages and its tools are those of another agent, so that only the calls are
   * compared.
   */
  readonly isForeign: boolean
  /** Receives the events of the replayed part, which the trace of the fork refers to and does not repeat. */
  replayed(step: number, event: EventBody): void
}

/** The environment of a forked attempt. */
export interface ForkedEnvironment {
  readonly environment: SettingEnvironment
  /** Whether the changed tool result or the note has reached the agent. */
  tookEffect(): boolean
  /** Returns the outcome. An attempt that ended before the step of the fork has diverged. */
  conclude(outcome: SettingOutcome): SettingOutcome
}

/**
 * Returns an environment in which the agent repeats the recorded part of an attempt and then continues by itself. Model and
 * tools answer as the trace says up to the step of the fork, with the same charges. Whatever the agent does is compared
 * with the trace: a difference ends the attempt as harness / diverged.
 */
export function forkEnvironment(source: SettingEnvironment, input: ForkInput): ForkedEnvironment {
  const replay = new Replay(input)
  const caps: Partial<Record<BudgetKind, number>> = { ...source.caps }
  const options: Record<string, unknown> = { ...source.options }
  let isLive = false
  const goLive = (): void => {
    if (isLive) return
    isLive = true
    replay.requireComplete()
    for (const kind of budgetKinds) delete caps[kind]
    Object.assign(caps, input.caps())
    Object.assign(options, input.options)
  }
  const startStep = (step: number): void => {
    if (step >= input.prefix.atStep) goLive()
  }
  const environment: SettingEnvironment = {
    ...source,
    caps,
    options,
    model: replayModel(source.model, replay, () => isLive),
    prompts: input.isForeign ? { ...source.prompts, online: () => replay.prompt() } : source.prompts,
    tools: toolEnvironment => {
      const tools = source.tools(toolEnvironment)
      return [...tools, ...(input.isForeign ? foreignTools(input.prefix, tools) : [])].map(tool =>
        replayTool(tool, toolEnvironment, { replay, isLive: () => isLive }),
      )
    },
    noteBefore(step) {
      startStep(step)
      if (step !== input.prefix.atStep || input.note === null) return null
      replay.tookEffect = true
      return input.note
    },
    emit(step, event) {
      startStep(step)
      if (isLive) return source.emit(step, event)
      replay.check(step, event)
      input.replayed(step, event)
    },
  }
  return {
    environment,
    tookEffect: () => replay.tookEffect,
    conclude(outcome) {
      const { termination } = outcome
      if (isLive || isUnscoredCause(termination.cause)) return outcome
      const { atStep } = input.prefix
      const { message: detail } = new Diverged(termination.lastHealthyStep, `it ends before step ${atStep}`)
      return { ...outcome, termination: { ...termination, cause: 'harness', reason: 'diverged', detail } }
    },
  }
}

/** How far the recorded part has been repeated. */
class Replay {
  readonly input: ForkInput
  tookEffect = false
  readonly #steps: TraceEvent[]
  /** The recorded calls that have been repeated. */
  readonly #taken = new Set<RecordedCall>()
  #requests = 0

  constructor(input: ForkInput) {
    this.input = input
    this.#steps = [...input.prefix.steps]
  }

  /** Compares an event with the trace. Events that follow from others are not compared. */
  check(step: number, event: EventBody): void {
    if (event.type !== 'model-called' && event.type !== 'tool-called' && event.type !== 'context-cut') return
    if (event.type === 'tool-called') this.#chooseCall(event)
    const expected = this.#steps.shift()
    if (expected === undefined) throw new Diverged(step, `${nameEvent(event)} instead of the next turn`)
    const isSkipped = this.input.isForeign && event.type === 'model-called' && expected.type === event.type
    const difference = isSkipped ? null : findDifference(expected, event, this)
    if (expected.step !== step || difference !== null)
      throw new Diverged(step, difference ?? `it comes in step ${step} instead of ${expected.step}`)
  }

  requireComplete(): void {
    const [missing] = this.#steps
    if (missing !== undefined) throw new Diverged(missing.step, `${nameEvent(missing)} does not happen`)
  }

  /** Moves the recorded call that a call repeats to the front: agents may send independent calls in another order. */
  #chooseCall({ tool, args }: Extract<EventBody, { type: 'tool-called' }>): void {
    const ofTurn = this.#steps.findIndex(({ type }) => type !== 'tool-called')
    const candidates = ofTurn === -1 ? this.#steps : this.#steps.slice(0, ofTurn)
    const at = candidates.findIndex(
      recorded => recorded.type === 'tool-called' && this.isSame(recorded, tool, args),
    )
    if (at > 0) this.#steps.unshift(...this.#steps.splice(at, 1))
  }

  isSame(recorded: RecordedCall['called'], tool: string, args: unknown): boolean {
    return recorded.tool === tool && canonicalJson(this.args(recorded.args)) === canonicalJson(args)
  }

  /**
   * Returns the recorded call that a call repeats. The call of the same id comes first, because a model may repeat a call.
   *
   * @throws Diverged when the trace has no such call
   */
  takeCall(id: string, tool: string, args: unknown): RecordedCall {
    const { calls, atStep } = this.input.prefix
    const sameId = calls.get(id)
    const match = [...(sameId === undefined ? [] : [sameId]), ...calls.values()].find(
      call => !this.#taken.has(call) && this.isSame(call.called, tool, args),
    )
    if (match === undefined) throw new Diverged(atStep - 1, `a call of ${tool} that the trace does not have`)
    this.#taken.add(match)
    return match
  }

  /** Returns the messages with which the recorded agent began. */
  prompt(): PromptMessages {
    const messages = this.input.prefix.requests[0]?.called.messages ?? []
    const textsBy = (wanted: string): string =>
      messages
        .filter(({ role }) => role === wanted)
        .map(({ content }) => this.text(content))
        .join('\n\n')
    return { system: textsBy('system'), user: textsBy('user') }
  }

  /** Returns the recorded answer to the next request. */
  answer(): AIMessage {
    const at = this.#requests++
    const { requests } = this.input.prefix
    const request = requests[at]
    if (request === undefined) throw new Diverged(this.input.prefix.atStep, 'a further request of the model')
    if (request.answered !== null) return this.#readAnswer(request.answered, requests[at + 1])
    // The trace does not say why. A server without native tools refuses the first request; later ones are too long.
    const isFirst = at === 0 && request.called.tools.length > 0
    throw new ProviderError(
      isFirst ? 'bad-response' : 'context-window',
      'the request failed, as in the trace',
      {
        retryable: false,
      },
    )
  }

  text(stored: StoredText): string {
    return readStoredText(stored, this.input.blobs)
  }

  args(args: unknown): unknown {
    return readArguments(args, hash => this.input.blobs.get(hash))
  }

  #readAnswer(
    answered: NonNullable<RecordedPrefix['requests'][number]['answered']>,
    next: RecordedPrefix['requests'][number] | undefined,
  ): AIMessage {
    const { usage, finishReason, reasoning } = answered
    const said = next?.called.messages.find(({ role }) => role === 'assistant')
    // The fields in which the provider sent the reasoning are known when they were sent back.
    const fields =
      said?.reasoning === undefined
        ? reasoning === null
          ? {}
          : { reasoning_content: this.text(reasoning) }
        : readReasoning(said.reasoning, stored => this.text(stored))
    return new AIMessage({
      content: this.text(answered.text),
      additional_kwargs: fields,
      response_metadata: { finish_reason: finishReason },
      tool_calls: answered.toolCalls.map(({ id, name, args }) => ({
        type: 'tool_call' as const,
        id,
        name,
        args: this.args(args) as Record<string, unknown>,
      })),
      invalid_tool_calls: answered.malformedCalls.map(({ name, args, problem }) => ({
        type: 'invalid_tool_call' as const,
        name,
        args,
        error: problem,
      })),
      ...(usage === null
        ? {}
        : {
            usage_metadata: {
              input_tokens: usage.inputTokens,
              output_tokens: usage.outputTokens,
              total_tokens: (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0),
              input_token_details: { cache_read: usage.cachedInputTokens },
              output_token_details: { reasoning: usage.reasoningTokens },
              ...(usage.uncertain === true && { uncertain: true }),
            },
          }),
    } as never)
  }
}

function nameEvent(event: EventBody): string {
  switch (event.type) {
    case 'tool-called':
      return `the call of ${event.tool} ${canonicalJson(event.args)}`
    case 'context-cut':
      return `a removal from the context by ${event.strategy}`
    default:
      return `a request of the model${'side' in event ? ` (${event.side})` : ''}`
  }
}

/** Says where an event differs from the recorded one; null when it does not. */
function findDifference(recorded: TraceEvent, event: EventBody, replay: Replay): string | null {
  if (recorded.type !== event.type) return `${nameEvent(event)} instead of ${nameEvent(recorded)}`
  if (event.type === 'tool-called' && recorded.type === 'tool-called') {
    return replay.isSame(recorded, event.tool, event.args)
      ? null
      : `${nameEvent(event)} instead of ${nameEvent(recorded)}`
  }
  if (event.type === 'model-called' && recorded.type === 'model-called') {
    const at = event.messages.findIndex(
      (message, index) => canonicalJson(message) !== canonicalJson(recorded.messages[index] ?? null),
    )
    const { length } = recorded.messages
    if (at === -1 && event.messages.length === length) return null
    if (at === -1 || at >= length)
      return `${event.messages.length} new messages for the model instead of ${length}`
    return `message ${event.messages[at]!.id ?? at} (${event.messages[at]!.role}) for the model has another text`
  }
  if (event.type === 'context-cut' && recorded.type === 'context-cut')
    return canonicalJson(event.shortened) === canonicalJson(recorded.shortened)
      ? null
      : `${nameEvent(event)} of other results`
  return null
}

/** The model answers from the trace until the fork is live. */
function replayModel(model: ModelHandle, replay: Replay, isLive: () => boolean): ModelHandle {
  // Agents with a client of their own are answered in their dialect by `call`.
  const { server } = model
  return {
    ...model,
    countTokens: text => model.countTokens(text),
    call: async (messages, options) => (isLive() ? await model.call(messages, options) : replay.answer()),
    get server() {
      return isLive() ? server : undefined
    },
  } as ModelHandle
}

/** The tools of an imported log that we do not have. Their recorded calls are replayed; the web does not answer new ones. */
function foreignTools(
  { calls }: RecordedPrefix,
  tools: readonly StructuredToolInterface[],
): StructuredToolInterface[] {
  const known = tools.map(({ name }) => name)
  const names = new Set([...calls.values()].map(({ called }) => called.tool))
  return [...names]
    .filter(name => !known.includes(name))
    .map(name =>
      langChainTool({
        name,
        description: `Not available any more. Use ${known.join(' or ')}.`,
        schema: z.object({}),
        async run() {
          throw new ToolError('not-found', `${name} is not available any more. Use ${known.join(' or ')}.`)
        },
      }),
    )
}

interface ReplayedTool {
  readonly replay: Replay
  isLive(): boolean
}

/** A tool whose calls are answered from the trace until the fork is live. */
function replayTool(
  tool: StructuredToolInterface,
  environment: ToolEnvironment,
  { replay, isLive }: ReplayedTool,
): StructuredToolInterface {
  const { results } = replay.input
  const changed = (callId: string | null, result: ToolResult | null): ToolResult | null => {
    if (results === null || replay.tookEffect || results.callId !== callId) return null
    const change = results.change(tool.name, result, environment)
    if (change !== null) replay.tookEffect = true
    return change
  }
  const invokeLive = async (call: ToolCallInput, config: unknown): Promise<ToolMessage> => {
    const given = results?.answer?.(tool.name, call.args, environment) ?? null
    if (given !== null) return asMessage(tool, call, given)
    try {
      const message = (await tool.invoke(call as never, config as never)) as ToolMessage
      const change = changed(null, [String(message.content), message.artifact as ToolArtifact])
      return change === null ? message : asMessage(tool, call, change)
    } catch (error) {
      const change = error instanceof ToolError ? changed(null, null) : null
      if (change === null) throw error
      return asMessage(tool, call, change)
    }
  }
  const invoke = async (call: ToolCallInput, config: unknown): Promise<ToolMessage> => {
    if (isLive()) return await invokeLive(call, config)
    const recorded = replay.takeCall(call.id, tool.name, call.args)
    const result = repeatCall(recorded, environment, replay)
    const change = changed(recorded.called.callId, result instanceof Error ? null : result)
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
export function repeatCall(
  { charges, ended }: RecordedCall,
  environment: ToolEnvironment,
  reader: { text(stored: StoredText): string },
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
    return [reader.text(ended.text), { truncated, observations }]
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
