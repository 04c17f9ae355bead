import { ToolInputParsingException } from '@langchain/core/tools'
import { z } from 'zod/v4'
import { storedText } from '../logs/blobs.ts'
import { observationSchema } from '../logs/event-parts.ts'
import type { EventBody } from '../logs/events.ts'
import { BudgetRefusedError, ProviderError, ToolError } from '../src/core/errors.ts'
import { shareStore } from './page/attempt-store.ts'
import { createTools } from './registry.ts'
import type { ToolEnvironment } from './tool.ts'

/** The result of one tool call outside an attempt: what the agent would see and what a trace would contain. */
export interface ToolRun {
  readonly ok: boolean
  /** The tool's text, or the error message as the agent would see it. */
  readonly text: string
  readonly truncated: boolean
  /** `class: message`; null when the call succeeded. */
  readonly error: string | null
  readonly events: readonly EventBody[]
}

const callId = 'call-1'

const answerSchema = z.object({
  content: z.string(),
  artifact: z.object({ truncated: z.boolean(), observations: z.array(observationSchema) }),
})

/**
 * Calls a tool as the agent would. The call never rejects because of its input or of what the tool meets, such as
 * invalid JSON or a service that is down. Calls with the same environment belong to one attempt and share
 * downloads.
 *
 * @param input - JSON text, or its bytes
 * @throws ConfigError `unknown-tool`
 */
export async function runToolInput(
  name: string,
  json: string | Uint8Array,
  environment: ToolEnvironment,
): Promise<ToolRun> {
  const events: EventBody[] = []
  const recording = recordingEnvironment(environment, events)
  const [tool] = await createTools([name], recording)
  const startedMs = environment.clock.now()
  const wallMs = (): number => Math.max(0, Math.round(environment.clock.now() - startedMs))
  try {
    const args = readArguments(json)
    events.push({ type: 'tool-called', callId, tool: name, args })
    const message: unknown = await tool?.invoke({ type: 'tool_call', id: callId, name, args })
    const { content, artifact } = answerSchema.parse(message)
    const text = storedText(content, { put: blob => environment.keepText(blob) })
    events.push({ type: 'tool-answered', callId, tool: name, text, ...artifact, wallMs: wallMs() })
    return { ok: true, text: content, truncated: artifact.truncated, error: null, events }
  } catch (error) {
    const failure = describeFailure(error)
    events.push({ type: 'tool-failed', callId, tool: name, ...failure, wallMs: wallMs() })
    const errorText = `${failure.errorClass}: ${failure.message}`
    return {
      ok: false,
      text: `Error (${failure.errorClass}): ${failure.message}`,
      truncated: false,
      error: errorText,
      events,
    }
  }
}

/** A failed call as a trace stores it. For a bug, the class is the name of the error. */
export interface ToolFailure {
  readonly errorClass: string
  readonly message: string
  readonly infrastructure: boolean
}

function describeFailure(error: unknown): ToolFailure {
  if (error instanceof ToolError) {
    return { errorClass: error.errorClass, message: error.message, infrastructure: error.infrastructure }
  }
  if (error instanceof BudgetRefusedError) {
    return { errorClass: 'budget', message: error.message, infrastructure: false }
  }
  if (error instanceof ToolInputParsingException) {
    return { errorClass: 'bad-input', message: error.message, infrastructure: false }
  }
  if (error instanceof ProviderError) {
    return { errorClass: error.reason, message: error.message, infrastructure: true }
  }
  const bug = error instanceof Error ? error : new Error(String(error))
  return { errorClass: bug.name, message: bug.message, infrastructure: false }
}

function readArguments(json: string | Uint8Array): Record<string, unknown> {
  const value = parseArguments(typeof json === 'string' ? json : decodeText(json))
  if (value !== null && typeof value === 'object' && !Array.isArray(value)) return { ...value }
  throw new ToolError('bad-input', 'the input is not a JSON object')
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decodeText(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch (error) {
    throw new ToolError('bad-input', 'the input is not UTF-8', { cause: error })
  }
}

function parseArguments(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new ToolError('bad-input', `the input is not JSON: ${why}`, { cause: error })
  }
}

function recordingEnvironment(environment: ToolEnvironment, events: EventBody[]): ToolEnvironment {
  const totals = { searchCalls: 0, fetchCalls: 0 }
  const recording: ToolEnvironment = {
    ...environment,
    charge(kind, what) {
      environment.charge(kind, what)
      totals[kind] += 1
      events.push({ type: 'budget-charged', kind, amount: 1, total: totals[kind], what })
    },
    retried(what, reason, retry, waitMs) {
      environment.retried(what, reason, retry, waitMs)
      events.push({ type: 'provider-retried', what, reason, retry, waitMs })
    },
  }
  shareStore(environment, recording)
  return recording
}
