import { basename, dirname, isAbsolute, relative, resolve, sep } from 'node:path'
import { z } from 'zod/v4'
import { DataError } from '../../src/core/errors.ts'
import type { AttemptEnd } from '../../src/core/termination.ts'
import { describeZodProblem } from '../../src/core/zod-problems.ts'
import { requireInside } from '../../src/system/files.ts'
import { readFirstLine } from '../../src/text/plain-text.ts'
import type { CallUsage } from '../events.ts'
import { readOriginal } from '../original-record.ts'
import {
  type AtifMetrics,
  type AtifResult,
  type AtifStep,
  type AtifTrajectory,
  atifSchema,
  extraNames,
  isKnownAtifVersion,
} from './atif-log.ts'
import { readCallUsage, sumKnown } from './call-usage.ts'
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
import { providerFailureIn } from './provider-words.ts'

/** A trajectory of an attempt with the file that contains it. */
interface TrajectorySegment {
  readonly trajectory: AtifTrajectory
  readonly path: string
}

/** The trajectories of one attempt: the first, those it continues in, and those of helper agents by their references. */
interface Segments {
  readonly main: readonly TrajectorySegment[]
  /** The trajectories of helpers by the place of their reference. */
  readonly helpers: ReadonlyMap<object, TrajectorySegment>
  readonly read: readonly string[]
  readonly problems: readonly string[]
  /** The reference to a continuation that could not be read; null when all could be. */
  readonly missingContinuation: string | null
}

/** Reads a trajectory from a file beside the log. Returns why it could not be read otherwise. */
async function readBeside(reference: string, from: string): Promise<TrajectorySegment | string> {
  const folder = dirname(resolve(from))
  const path = resolve(folder, reference)
  const place = relative(folder, path)
  const isBeside =
    !/^[a-z][\w+.-]+:\/\//i.test(reference) && !isAbsolute(place) && place.split(sep)[0] !== '..'
  if (!isBeside) return `${reference} is not in the folder of the log, and was not read`
  try {
    await requireInside(folder, path)
    const parsed = atifSchema.safeParse(await readJsonValue(path))
    return parsed.success
      ? { trajectory: parsed.data, path }
      : `${reference} is not an ATIF trajectory: ${describeZodProblem(parsed.error, 'trajectory')}`
  } catch (error) {
    if (error instanceof DataError || error instanceof SyntaxError || 'code' in (error as object))
      return `${reference} cannot be read: ${readFirstLine(error)}`
    throw error
  }
}

type SubagentReference = NonNullable<AtifResult['subagent_trajectory_ref']>[number]

/** Reads the files that a trajectory continues in or refers to. Each file is read once. */
async function readSegments(first: TrajectorySegment): Promise<Segments> {
  const main: TrajectorySegment[] = [first]
  const helpers = new Map<object, TrajectorySegment>()
  const read = new Set([resolve(first.path)])
  const problems: string[] = []
  let missingContinuation: string | null = null
  const addFile = async (reference: string, from: string): Promise<TrajectorySegment | null> => {
    const segment = await readBeside(reference, from)
    if (typeof segment === 'string') problems.push(segment)
    else if (!read.has(segment.path)) {
      read.add(segment.path)
      return segment
    }
    return null
  }
  const addHelpers = async (segment: TrajectorySegment): Promise<void> => {
    for (const reference of subagentReferences(segment.trajectory)) {
      const inside = findEmbedded(segment.trajectory, reference)
      const path = reference.trajectory_path ?? null
      const helper =
        inside !== null
          ? { trajectory: inside, path: segment.path }
          : path === null
            ? null
            : await addFile(path, segment.path)
      if (inside === null && path === null)
        problems.push(`the document has no trajectory ${reference.trajectory_id ?? reference.session_id}`)
      if (helper === null) continue
      helpers.set(reference, helper)
      await addHelpers(helper)
    }
  }
  for (let at = 0; at < main.length; at++) {
    const segment = main[at]!
    await addHelpers(segment)
    const reference = segment.trajectory.continued_trajectory_ref ?? null
    if (reference === null) continue
    const next = await addFile(reference, segment.path)
    if (next === null) missingContinuation = reference
    else main.push(next)
  }
  read.delete(resolve(first.path))
  return { main, helpers, read: [...read], problems, missingContinuation }
}

function subagentReferences({ steps }: AtifTrajectory): SubagentReference[] {
  const results = steps.flatMap(step => step.observation?.results ?? [])
  return results.flatMap(result => result.subagent_trajectory_ref ?? [])
}

function findEmbedded(
  { subagent_trajectories }: AtifTrajectory,
  { trajectory_id, session_id }: SubagentReference,
): AtifTrajectory | null {
  const embedded = subagent_trajectories ?? []
  const byId = embedded.find(({ trajectory_id: id }) => typeof id === 'string' && id === trajectory_id)
  const bySession = embedded.find(({ session_id: id }) => typeof id === 'string' && id === session_id)
  return byId ?? (typeof trajectory_id === 'string' ? null : (bySession ?? null))
}

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
      ...{ role: 'assistant', text, calls, reasoning: step.reasoning_content ?? reasoning },
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
        ...{ role: 'tool', callId: id, text, at: readTime(step.timestamp) },
        tool: this.#names.get(id) ?? readText(tool) ?? 'unnamed',
        error: readText(error) ?? (isError === true ? text : null),
      },
    ]
  }
}

const malformedSchema = z
  .array(z.object({ name: z.string(), args: z.string(), problem: z.string() }))
  .catch([])

function readMetrics(metrics: AtifMetrics | null | undefined): CallUsage | null {
  if (metrics === null || metrics === undefined) return null
  const usage = readCallUsage({ ...metrics.extra, ...metrics })
  const isUncertain = metrics.extra?.[extraNames.uncertain] === true
  return usage === null || !isUncertain ? usage : { ...usage, uncertain: true }
}

/** The sums of a trajectory in the names of a usage. */
interface Totals {
  readonly inputTokens: number | null
  readonly cachedInputTokens: number | null
  readonly outputTokens: number | null
  readonly reasoningTokens: number | null
  readonly usd: number | null
}

function combineTotals(
  totals: readonly Totals[],
  combine: (values: readonly (number | null)[]) => number | null,
): Totals {
  const of = (name: keyof Totals): number | null => combine(totals.map(total => total[name]))
  return {
    inputTokens: of('inputTokens'),
    cachedInputTokens: of('cachedInputTokens'),
    ...{ outputTokens: of('outputTokens'), reasoningTokens: of('reasoningTokens'), usd: of('usd') },
  }
}

function maxKnown(values: readonly (number | null)[]): number | null {
  const reported = values.filter(value => value !== null)
  return reported.length === 0 ? null : Math.max(...reported)
}

/** Returns the totals that a trajectory reports. Some agents include helpers and earlier files, and others do not. */
function reportedTotals({ final_metrics: metrics }: AtifTrajectory): Totals {
  const reasoning = metrics?.extra?.total_reasoning_tokens ?? metrics?.extra?.[extraNames.reasoningTokens]
  return {
    inputTokens: metrics?.total_prompt_tokens ?? null,
    cachedInputTokens: metrics?.total_cached_tokens ?? null,
    outputTokens: metrics?.total_completion_tokens ?? null,
    reasoningTokens: typeof reasoning === 'number' ? reasoning : null,
    usd: metrics?.total_cost_usd ?? null,
  }
}

/** Returns the sums over the own steps of a trajectory; what it reports when none of them has a usage. */
function ownTotals(trajectory: AtifTrajectory): Totals {
  const steps = trajectory.steps.flatMap(({ metrics, is_copied_context: isCopy }) => {
    const usage = isCopy === true ? null : readMetrics(metrics)
    return usage === null ? [] : [{ ...usage, usd: metrics?.cost_usd ?? null }]
  })
  return steps.length === 0 ? reportedTotals(trajectory) : combineTotals(steps, sumKnown)
}

/**
 * Sums the usage of an attempt. The last file reports either its own totals or those of the whole attempt with all helpers,
 * so the larger of these and of the sum over all trajectories holds.
 */
function readUsage({ main, helpers }: Segments): ForeignAttempt['usage'] {
  const trajectories = new Set([...main, ...helpers.values()].map(({ trajectory }) => trajectory))
  const sum = combineTotals([...trajectories].map(ownTotals), sumKnown)
  const last = reportedTotals(main.at(-1)!.trajectory)
  const totals = combineTotals([sum, last], maxKnown)
  const steps = [...trajectories].flatMap(trajectory => trajectory.steps)
  const calls = steps.filter(step => step.source === 'agent' && step.is_copied_context !== true)
  return {
    ...totals,
    usdModel: totals.usd,
    modelCalls: calls.reduce((total, { llm_call_count: count }) => total + (count ?? 1), 0),
    ...(steps.some(({ metrics }) => readMetrics(metrics)?.uncertain === true) && {
      uncertain: true as const,
    }),
  }
}

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
  const end = trialEnds.get(type) ?? providerFailureIn(words) ?? { cause: 'harness', reason: 'crash' }
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
  const question = messages.find(message => message.role === 'user')
  const { end, answerText } = readEnd(messages, segments)
  const original = readOriginal(trajectory.extra, conversationTexts(messages))
  const name = trajectory.trajectory_id ?? trajectory.session_id ?? null
  return {
    ...unreportedFields,
    sourceId: trial?.trial_name ?? name,
    taskId: trial?.task_name ?? null,
    question: question?.role === 'user' ? question.text : null,
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
