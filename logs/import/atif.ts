import { basename, dirname, resolve } from 'node:path'
import { z } from 'zod/v4'
import { DataError } from '../../src/core/errors.ts'
import type { AttemptEnd } from '../../src/core/termination.ts'
import { readOriginal } from '../original-record.ts'
import {
  type AtifResult,
  type AtifStep,
  type AtifTrajectory,
  atifSchema,
  extraNames,
  isKnownAtifVersion,
} from './atif-log.ts'
import { readSegments, type Segments } from './atif-segments.ts'
import { readMetrics, readUsage } from './atif-usage.ts'
import {
  conversationTexts,
  type ForeignAttempt,
  type ForeignCall,
  type ForeignEnd,
  type ForeignMessage,
  mapped,
  type ReadLog,
  unmapped,
  unreportedFields,
} from './foreign-log.ts'
import { type LogPlace, readJsonLog, readJsonValue } from './json-records.ts'
import { millisecondsBetween, readContent, readId, readText, readTime } from './message-parts.ts'
import { findProviderFailure } from './provider-words.ts'

/** Reads the conversation of an attempt. The conversation of a helper comes before the result of the call that started it. */
class ConversationReader {
  readonly #helpers: Segments['helpers']
  readonly #names = new Map<string, string>()
  /** Texts by speaker, to leave out copies of what an earlier file contains. */
  readonly #said = new Set<string>()
  readonly #seen = new Set<AtifTrajectory>()
  #calls = 0

  constructor(helpers: Segments['helpers']) {
    this.#helpers = helpers
  }

  read(trajectory: AtifTrajectory): ForeignMessage[] {
    if (this.#seen.has(trajectory)) return []
    this.#seen.add(trajectory)
    return trajectory.steps.flatMap(step => this.#readStep(step))
  }

  #readStep(step: AtifStep): ForeignMessage[] {
    const { text, reasoning } = readContent(step.message)
    const key = `${step.source}\n${text}`
    const isCopy = step.is_copied_context === true && this.#said.has(key)
    this.#said.add(key)
    if (isCopy) return []
    const results = step.observation?.results ?? []
    if (step.source !== 'agent') {
      const role = step.source === 'system' ? 'system' : 'user'
      return [{ role, text }, ...results.flatMap(result => this.#readResult(result, null, step))]
    }
    const calls = (step.tool_calls ?? []).map((call): ForeignCall => {
      const id = readId(call.tool_call_id) ?? `call-${this.#calls++}`
      const name = call.function_name ?? 'unnamed'
      this.#names.set(id, name)
      return { id, name, args: call.extra?.[extraNames.input] ?? call.arguments ?? {} }
    })
    const turn: ForeignMessage = {
      role: 'assistant',
      text,
      calls,
      reasoning: step.reasoning_content ?? reasoning,
      malformed: malformedSchema.parse(step.extra?.[extraNames.malformedCalls]),
      finishReason: readText(step.extra?.[extraNames.finishReason]),
      usage: readMetrics(step.metrics),
      at: readTime(step.timestamp),
      ...(step.llm_call_count === 0 && { isModelTurn: false as const }),
    }
    // Some agents do not say which call a result is of. Results are then in the order of the calls.
    const named = new Set(results.map(({ source_call_id: id }) => readId(id)))
    const open = calls.filter(({ id }) => !named.has(id))
    return [
      turn,
      ...results.flatMap(result =>
        this.#readResult(result, readId(result.source_call_id) ?? open.shift()?.id ?? null, step),
      ),
    ]
  }

  #readResult(result: AtifResult, callId: string | null, step: AtifStep): ForeignMessage[] {
    const helpers = (result.subagent_trajectory_ref ?? []).flatMap(reference => {
      const helper = this.#helpers.get(reference)
      return helper === undefined ? [] : this.read(helper.trajectory)
    })
    const { text } = readContent(result.content)
    const { [extraNames.error]: error, [extraNames.tool]: tool, is_error: isError } = result.extra ?? {}
    const id = callId ?? readText(result.extra?.[extraNames.callId])
    if (id === null) return text === '' ? helpers : [...helpers, { role: 'user', text }]
    return [
      ...helpers,
      {
        role: 'tool',
        callId: id,
        text,
        at: readTime(step.timestamp),
        tool: this.#names.get(id) ?? readText(tool) ?? 'unnamed',
        error: readText(error) ?? (isError === true ? text : null),
      },
    ]
  }
}

const malformedSchema = z
  .array(z.object({ name: z.string(), args: z.string(), problem: z.string() }))
  .catch([])

/** Tools by which agents say that they are done: OpenHands, Terminus, SWE-agent, Inspect AI, smolagents. */
const lastTools =
  /^(?:finish|submit|(?:mark_)?task_complete|attempt_completion|final_answer|complete_task|done)$/i
const answerFields = ['answer', 'final_answer', 'message', 'result', 'response', 'output', 'summary']
/** How Terminus says the same in its text. */
const completeInText = /"task_complete"\s*:\s*true|<task_complete>\s*true/i

/** Reads how the conversation ends. ATIF has no field for it. */
function readEnd(messages: readonly ForeignMessage[], { main, missingContinuation }: Segments) {
  const none = (words: string | null): { end: ForeignEnd; answerText: string | null } => ({
    end: unmapped(words),
    answerText: null,
  })
  if (missingContinuation !== null) return none(`continued in ${basename(missingContinuation)}`)
  const step = main.at(-1)?.trajectory.steps.at(-1)
  const turn = messages.findLast(message => message.role === 'assistant')
  if (step?.source !== 'agent' || turn?.role !== 'assistant') return none(null)
  const words = turn.finishReason ?? 'the last step is from the agent'
  const lastCall = turn.calls.find(({ name }) => lastTools.test(name))
  const isDone = lastCall !== undefined || completeInText.test(turn.text)
  const args = z.record(z.string(), z.unknown()).catch({}).parse(lastCall?.args)
  const submitted = answerFields
    .map(field => readText(args[field]))
    .find(text => text !== null && text !== '')
  const answerText = submitted ?? (turn.text === '' ? null : turn.text)
  if (isDone) return { end: answered(lastCall?.name ?? 'task_complete', answerText), answerText }
  // A step with a result was not the last one: the agent still had to read it.
  const hasResult = (step.observation?.results.length ?? 0) > 0
  if (turn.calls.length > 0 || hasResult || answerText === null) return none(turn.finishReason)
  return { end: answered(words, answerText), answerText }
}

function answered(words: string, answerText: string | null): ForeignEnd {
  return mapped({ cause: 'agent', reason: 'answered' }, words, { answered: answerText !== null })
}

/** What Harbor writes about a trial, beside or above its trajectory. */
const trialSchema = z.looseObject({
  task_name: z.string(),
  trial_name: z.string(),
  exception_info: z
    .looseObject({ exception_type: z.string(), exception_message: z.string().catch('') })
    .nullish()
    .catch(null),
})
type Trial = z.infer<typeof trialSchema>

/** Reads `result.json` of the trial that a trajectory belongs to (`TRIAL/agent/trajectory.json`); null without one. */
async function readTrial(path: string): Promise<Trial | null> {
  for (const reference of ['../result.json', 'result.json']) {
    const value = await readJsonValue(resolve(dirname(path), reference)).catch(() => null)
    const trial = trialSchema.safeParse(value)
    if (trial.success) return trial.data
  }
  return null
}

/** The exceptions of Harbor that say why the agent was stopped. */
const trialEnds: ReadonlyMap<string, AttemptEnd> = new Map([
  ['AgentTimeoutError', { cause: 'budget', reason: 'wall-clock' }],
  ['CancelledError', { cause: 'operator', reason: 'cancelled' }],
  ['ContextLengthExceededError', { cause: 'budget', reason: 'context-window' }],
  ['OutputLengthExceededError', { cause: 'budget', reason: 'output-limit' }],
])

function trialEnd({ exception_info: exception }: Trial): ForeignEnd | null {
  if (exception === null || exception === undefined) return null
  const { exception_type: type, exception_message: message } = exception
  const words = `${type}: ${message}`
  const end = trialEnds.get(type) ?? findProviderFailure(words) ?? { cause: 'harness', reason: 'crash' }
  return mapped(end, words)
}

function convertAttempt(segments: Segments, trial: Trial | null): ForeignAttempt {
  const { main, helpers, read, problems } = segments
  const { trajectory } = main[0]!
  const reader = new ConversationReader(helpers)
  const messages = main.flatMap(segment => reader.read(segment.trajectory))
  const steps = [...main, ...helpers.values()].flatMap(segment => segment.trajectory.steps)
  const times = steps.flatMap(step => readTime(step.timestamp) ?? []).sort()
  const [startedAt = null, endedAt = null] = [times[0], times.at(-1)]
  const { end, answerText } = readEnd(messages, segments)
  const original = readOriginal(trajectory.extra, conversationTexts(messages))
  const name = trajectory.trajectory_id ?? trajectory.session_id ?? null
  return {
    ...unreportedFields,
    sourceId: trial?.trial_name ?? name,
    taskId: trial?.task_name ?? null,
    question: messages.find(({ role }) => role === 'user')?.text ?? null,
    model: trajectory.agent.model_name ?? steps.find(step => step.model_name)?.model_name ?? null,
    messages,
    answerText,
    end: (trial === null ? null : trialEnd(trial)) ?? end,
    usage: { ...readUsage(segments), wallMs: millisecondsBetween(startedAt, endedAt) },
    startedAt,
    endedAt,
    ...(read.length + problems.length > 0 && { parts: { read, problems } }),
    ...(original !== null && { original }),
  }
}

async function readAttempt(trajectory: AtifTrajectory, { path }: LogPlace): Promise<ForeignAttempt> {
  const { schema_version: version } = trajectory
  if (!isKnownAtifVersion(version))
    throw new DataError(`the version ${version} is not known, only ATIF-v1`, { code: 'unknown-log-record' })
  return convertAttempt(await readSegments({ trajectory, path }), await readTrial(path))
}

/** Reads ATIF trajectories: one JSON document per file, or JSON lines, with the files that they refer to. */
export const readAtif: ReadLog = path => readJsonLog(path, atifSchema, ['schema_version'], readAttempt)
