import { AIMessage } from '@langchain/core/messages'
import type { BlobReader } from '../../logs/blobs.ts'
import { readStoredText } from '../../logs/blobs.ts'
import type { StoredText } from '../../logs/event-parts.ts'
import type { EventBody, TraceEvent } from '../../logs/events.ts'
import { readArguments, readReasoning } from '../../logs/trace-messages.ts'
import { type BudgetCaps, type BudgetKind, budgetKinds } from '../../src/core/budget.ts'
import { ProviderError } from '../../src/core/errors.ts'
import type { ModelHandle } from '../../src/core/model.ts'
import type { PromptMessages } from '../../src/core/prompts.ts'
import { isUnscoredCause } from '../../src/core/termination.ts'
import { canonicalJson } from '../../src/system/hash.ts'
import type { SettingEnvironment, SettingOutcome } from '../setting.ts'
import { Diverged } from '../termination.ts'
import type { RecordedCall, RecordedPrefix } from './recorded-prefix.ts'
import { type ResultChange, replayTools, type ToolReplay } from './replayed-tools.ts'

/** What a fork changes from its step on. */
interface ForkChange {
  /** Options of the setting. */
  readonly options: Readonly<Record<string, unknown>>
  /** A message of the user before the step; null for none. */
  readonly note: string | null
}

interface EarlierChange extends ForkChange {
  readonly atStep: number
  readonly caps: BudgetCaps
}

/** What a fork replays, and what it changes after that. */
export interface ForkInput extends ForkChange {
  readonly prefix: RecordedPrefix
  readonly blobs: BlobReader
  /** Returns the caps from the step of the fork on. */
  caps(): BudgetCaps
  readonly results: ResultChange | null
  /** The changes of the forks that the source continues. */
  readonly earlier: readonly EarlierChange[]
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
  let becomeLive = (): void => undefined
  const replayed = new Promise<void>(resolve => {
    becomeLive = resolve
  })
  const settings = new ChangingSettings(source, input.earlier)
  const startStep = (step: number): void => {
    if (replay.isLive) return
    settings.reach(step)
    if (step < input.prefix.atStep) return
    replay.isLive = true
    becomeLive()
    replay.requireComplete()
    settings.change(input.caps(), input.options)
  }
  const environment: SettingEnvironment = {
    ...source,
    caps: settings.caps,
    options: settings.options,
    replayed,
    model: replayModel(source.model, replay),
    prompts: input.isForeign ? { ...source.prompts, online: () => replay.prompt() } : source.prompts,
    tools: toolEnvironment => replayTools(source.tools(toolEnvironment), toolEnvironment, replay),
    noteBefore(step) {
      startStep(step)
      if (step !== input.prefix.atStep || input.note === null)
        return input.earlier.findLast(({ atStep }) => atStep === step)?.note ?? null
      replay.tookEffect = true
      return input.note
    },
    emit(step, event) {
      startStep(step)
      if (replay.isLive) return source.emit(step, event)
      replay.check(step, event)
      input.replayed(step, event)
    },
  }
  return {
    environment,
    tookEffect: () => replay.tookEffect,
    conclude(outcome) {
      const { termination } = outcome
      if (replay.isLive || isUnscoredCause(termination.cause)) return outcome
      const { atStep } = input.prefix
      const { message: detail } = new Diverged(termination.lastHealthyStep, `it ends before step ${atStep}`)
      return { ...outcome, termination: { ...termination, cause: 'harness', reason: 'diverged', detail } }
    },
  }
}

/** The caps and options of an attempt, which change at the steps of the forks that it continues. */
class ChangingSettings {
  readonly caps: Partial<Record<BudgetKind, number>>
  readonly options: Record<string, unknown>
  readonly #earlier: EarlierChange[]

  constructor({ caps, options }: SettingEnvironment, earlier: readonly EarlierChange[]) {
    this.caps = { ...caps }
    this.options = { ...options }
    this.#earlier = [...earlier]
  }

  /** Makes the changes of the earlier forks up to a step. */
  reach(step: number): void {
    while (this.#earlier[0] !== undefined && step >= this.#earlier[0].atStep) {
      const { caps, options } = this.#earlier.shift()!
      this.change(caps, options)
    }
  }

  change(caps: BudgetCaps, options: ForkInput['options']): void {
    for (const kind of budgetKinds) delete this.caps[kind]
    Object.assign(this.caps, caps)
    Object.assign(this.options, options)
  }
}

/** How far the recorded part has been repeated. */
class Replay implements ToolReplay {
  readonly input: ForkInput
  isLive = false
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
    const turnEnd = this.#steps.findIndex(({ type }) => type !== 'tool-called')
    const candidates = turnEnd === -1 ? this.#steps : this.#steps.slice(0, turnEnd)
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
      { retryable: false },
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
    const sentBack = next?.called.messages.find(({ role }) => role === 'assistant')
    // The fields in which the provider sent the reasoning are known when they were sent back.
    const fields =
      sentBack?.reasoning === undefined
        ? reasoning === null
          ? {}
          : { reasoning_content: this.text(reasoning) }
        : readReasoning(sentBack.reasoning, stored => this.text(stored))
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
function replayModel(model: ModelHandle, replay: Replay): ModelHandle {
  // Agents with a client of their own are answered in their dialect by `call`.
  const { server } = model
  return {
    ...model,
    countTokens: text => model.countTokens(text),
    call: async (messages, options) =>
      replay.isLive ? await model.call(messages, options) : replay.answer(),
    get server() {
      return replay.isLive ? server : undefined
    },
  } as ModelHandle
}
