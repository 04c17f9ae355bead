import { z } from 'zod/v4'

/** The reasons why an attempt ended, by cause: a closed set. Only imported logs use `unknown`. */
export const terminationReasons = {
  agent: ['answered', 'answered-without-table', 'refused', 'no-progress', 'crashed'],
  budget: [
    'tokens',
    'model-calls',
    'search-calls',
    'fetch-calls',
    'wall-clock',
    'cost',
    'context-window',
    'output-limit',
  ],
  provider: [
    'rate-limited',
    'unavailable',
    'timeout',
    'auth',
    'content-filter',
    'bad-response',
    'unparsed-calls',
  ],
  harness: ['crash', 'replay-miss', 'diverged'],
  operator: ['cancelled'],
  unknown: ['unmapped'],
} as const

/** Who or what ended an attempt. */
type TerminationCause = keyof typeof terminationReasons

/** The causes that are not the agent's fault: a provider or the harness ended the attempt. */
export const infrastructureCauses = ['provider', 'harness'] as const
type InfrastructureCause = (typeof infrastructureCauses)[number]

/** Whether the cause is a provider or the harness. */
export function isInfrastructureCause(cause: string): cause is InfrastructureCause {
  return infrastructureCauses.some(name => name === cause)
}

/** Whether attempts with this cause are unscored: a provider, the harness or the operator ended them. */
export function isUnscoredCause(cause: string): cause is InfrastructureCause | 'operator' {
  return isInfrastructureCause(cause) || cause === 'operator'
}

const endSchemaFor = <C extends TerminationCause>(cause: C) =>
  z.object({
    /** What ended the attempt: the agent itself, a budget, a provider, the harness or the operator. */
    cause: z.literal(cause),
    /** Why, as one of a closed set for each cause. */
    reason: z.enum(terminationReasons[cause]),
  })

/** Cause and reason of an end. Only pairs of `terminationReasons` are valid. */
export const endSchema = z.discriminatedUnion('cause', [
  endSchemaFor('agent'),
  endSchemaFor('budget'),
  endSchemaFor('provider'),
  endSchemaFor('harness'),
  endSchemaFor('operator'),
  endSchemaFor('unknown'),
])
/** Cause and reason of an end. */
export type AttemptEnd = z.infer<typeof endSchema>

/** Why and how an attempt ended. */
export const terminationSchema = endSchema.and(
  z.object({
    /** True when an answer of the asked kind could be read. */
    answerProduced: z.boolean(),
    /** True when a budget ran out and the model was asked for its final answer. */
    forcedFinal: z.boolean(),
    /** The last model turn, from 1, that ended without a failure; 0 when there was none. */
    lastHealthyStep: z.int(),
    /** What exactly ended the attempt, such as the message of a provider; null when cause and reason say all. */
    detail: z.string().nullable(),
    /** The service whose failure only the operator can fix, such as a refused key. Absent for any other end. */
    fatalService: z.string().optional(),
    /**
     * True when the budget of the whole run ended the attempt before its own was spent, so that it says nothing about the
     * agent and stays unscored. Absent for any other end.
     */
    endedByRunBudget: z.literal(true).optional(),
  }),
)
/**
 * Why and how an attempt ended.
 *
 * @example
 * import type { Termination } from 'tablehunt'
 *
 * const endOf = ({ cause, reason }: Termination): string => `${cause} / ${reason}` // agent / answered
 */
export type Termination = z.infer<typeof terminationSchema>

interface RetryableEnd {
  readonly cause: Termination['cause']
  readonly fatalService?: Termination['fatalService']
}

/**
 * Whether the same command repeats an attempt with this end. It does after a cancellation, and after a
 * failure that only the operator can fix.
 */
export function isUnfinished({ cause, fatalService }: RetryableEnd): boolean {
  return cause === 'operator' || fatalService !== undefined
}

const cutOff = 'cut off before an answer: not in the usage'

/**
 * Adds a note to the detail of a termination. The note says how many model calls were abandoned before their
 * answer, so that the usage does not include them.
 */
export function withCutOffNote(calls: number, detail: string | null): string {
  const note = `${calls} model ${calls === 1 ? 'call' : 'calls'} ${cutOff}`
  return detail === null ? note : `${detail}; ${note}`
}

/** Whether the usage of an attempt with this detail leaves out abandoned calls. Its trace contains what they were charged. */
export function hasCallsCutOff(detail: string | null): boolean {
  return detail?.endsWith(cutOff) ?? false
}
