import {
  type Attributes,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { EventBody } from '../../../../logs/events.ts'
import { isUnscoredCause } from '../../../core/termination.ts'
import type { PlannedAttempt } from '../../plan/plan.ts'
import {
  answerAttributes,
  listAttemptAttributes,
  listModelAttributes,
  listSpentAttributes,
  listTerminationAttributes,
  listTokenAttributes,
  type TokenKind,
} from './attributes.ts'

type Body<T extends EventBody['type']> = Extract<EventBody, { type: T }>

interface CalledTool {
  readonly at: number
  readonly tool: string
  readonly step: number
}

/**
 * The spans of an attempt: the attempt itself, each model call and each tool call. Names follow OpenTelemetry's semantic
 * conventions for generative AI (invoke_agent, chat, execute_tool); other attributes begin with `tablehunt.`. Spans contain
 * no text of prompts, answers, arguments or results. Times are milliseconds since the epoch.
 */
export class AttemptSpans {
  readonly #tracer: Tracer
  readonly #planned: PlannedAttempt
  readonly #tools = new Map<string, CalledTool>()
  readonly #tokens: Partial<Record<TokenKind, number>> = {}
  readonly #spent = new Map<string, number>()
  #root: Span | null = null
  #chat: Span | null = null

  constructor(tracer: Tracer, planned: PlannedAttempt) {
    this.#tracer = tracer
    this.#planned = planned
  }

  event(at: number, step: number, body: EventBody): void {
    switch (body.type) {
      case 'attempt-started':
        this.#root = this.#begin(this.#planned.setting, listAttemptAttributes(this.#planned, body.caps), at)
        break
      case 'model-called':
        this.#beginChat(at, step, body)
        break
      case 'model-answered':
        this.#endChat(at, body)
        break
      case 'provider-retried':
        if (body.what === 'model call') this.#failChat(at, body.reason)
        break
      case 'tool-called':
        this.#tools.set(body.callId, { at, tool: body.tool, step })
        break
      case 'tool-answered':
      case 'tool-failed':
        this.#endTool(at, step, body)
        break
      case 'budget-charged':
        this.#spent.set(body.kind, body.total)
        break
      case 'answer-parsed':
        this.#root?.setAttributes(answerAttributes(body))
        break
      case 'terminated':
        this.#terminate(at, body)
        break
      default:
    }
  }

  /** Ends the spans that no event has ended. */
  close(at: number): void {
    this.#failOpen(at, 'unfinished')
    if (this.#root !== null) end(this.#root, at, 'unfinished')
    this.#root = null
  }

  #begin(name: string, attributes: Attributes, startTime: number): Span {
    const parent = this.#root === null ? ROOT_CONTEXT : trace.setSpan(ROOT_CONTEXT, this.#root)
    const operation = String(attributes['gen_ai.operation.name'])
    const kind = operation === 'chat' ? SpanKind.CLIENT : SpanKind.INTERNAL
    const conversation = { 'gen_ai.conversation.id': this.#planned.attemptId }
    const options = { kind, startTime, attributes: { ...conversation, ...attributes } }
    return this.#tracer.startSpan(`${operation} ${name}`, options, parent)
  }

  #beginChat(at: number, step: number, { maxOutputTokens }: Body<'model-called'>): void {
    this.#failChat(at, 'unanswered')
    const model = listModelAttributes(this.#planned.model)
    const attributes: Attributes = { 'gen_ai.operation.name': 'chat', ...model, 'tablehunt.step': step }
    if (maxOutputTokens !== null) attributes['gen_ai.request.max_tokens'] = maxOutputTokens
    this.#chat = this.#begin(model['gen_ai.request.model'], attributes, at)
  }

  #endChat(at: number, { finishReason, usage }: Body<'model-answered'>): void {
    const { uncertain: _, ...counts } = usage ?? {}
    for (const [kind, tokens] of Object.entries(counts) as [TokenKind, number | null][])
      if (tokens !== null) this.#tokens[kind] = (this.#tokens[kind] ?? 0) + tokens
    const finish = { 'gen_ai.response.finish_reasons': [finishReason] }
    this.#chat?.setAttributes({ ...finish, ...listTokenAttributes(usage) })
    this.#chat?.end(at)
    this.#chat = null
  }

  #failChat(at: number, reason: string): void {
    if (this.#chat !== null) end(this.#chat, at, reason)
    this.#chat = null
  }

  #endTool(at: number, step: number, body: Body<'tool-answered' | 'tool-failed'>): void {
    const called = this.#tools.get(body.callId)
    this.#tools.delete(body.callId)
    // Events of concurrent calls are written one after the other, so the start follows from the call's own duration.
    const from = Math.min(called?.at ?? at, at - body.wallMs)
    const span = this.#beginTool(body.callId, { tool: body.tool, step, at: from })
    end(span, at, body.type === 'tool-failed' ? body.errorClass : null)
  }

  #beginTool(callId: string, { tool, step, at }: CalledTool): Span {
    const attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool,
      'gen_ai.tool.call.id': callId,
      'gen_ai.tool.type': 'function',
      'tablehunt.step': step,
    }
    return this.#begin(tool, attributes, at)
  }

  #failOpen(at: number, reason: string): void {
    this.#failChat(at, reason)
    for (const [callId, called] of this.#tools) end(this.#beginTool(callId, called), at, reason)
    this.#tools.clear()
  }

  #terminate(at: number, { termination }: Body<'terminated'>): void {
    this.#failOpen(at, termination.reason)
    this.#root?.setAttributes({
      ...listTokenAttributes(this.#tokens),
      ...listSpentAttributes(this.#spent),
      ...listTerminationAttributes(termination),
    })
    if (this.#root !== null)
      end(this.#root, at, isUnscoredCause(termination.cause) ? termination.reason : null)
    this.#root = null
  }
}

/** Ends a span. @param failure the reason of a failed span; null: it succeeded */
function end(span: Span, at: number, failure: string | null): void {
  if (failure !== null) {
    span.setAttribute('error.type', failure)
    span.setStatus({ code: SpanStatusCode.ERROR, message: failure })
  }
  span.end(at)
}
