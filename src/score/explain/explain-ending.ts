import type { Attempt } from '../../core/attempt.ts'
import type { Termination } from '../../core/termination.ts'
import { clipText, joinToOneLine } from '../../text/plain-text.ts'
import { shortenText } from './wording.ts'

const unscoredBecause: Readonly<Record<string, string>> = {
  provider: 'a model provider or a search service failed',
  harness: 'Tablehunt itself failed',
  operator: 'it was cancelled',
  'run-budget': 'the budget of the whole run was spent',
}

const longestDetailChars = 200

/** Describes how an attempt ended, with the detail of its termination: `budget / tokens: …`. */
function describeEnd({ cause, reason, detail }: Termination): string {
  const cut = clipText(joinToOneLine(detail ?? ''), longestDetailChars, longestDetailChars - 1)
  return `${cause} / ${reason}${cut === '' ? '' : `: ${cut.replace(/\.$/, '')}`}`
}

/** How an attempt ended, and the documents that it lacked. */
interface EndingToExplain {
  readonly termination: Termination
  readonly missingDocuments?: Attempt['missingDocuments']
}

/** Explains why an attempt has no score. */
export function explainUnscored(
  cause: string,
  judge: string,
  { termination, missingDocuments = [] }: EndingToExplain,
): string[] {
  if (cause === 'documents') {
    const which = missingDocuments.map(({ name, problem }) => `${name} (${problem})`).join('; ')
    return [`The attempt is not scored because it lacked documents of its task: ${which}.`]
  }
  if (cause === 'judge')
    return [
      `The attempt is not scored because the judge ${shortenText(judge)} gave no usable reply for any item.`,
    ]
  const because = unscoredBecause[cause] ?? 'of its cause'
  return [`The attempt is not scored because ${because} (${describeEnd(termination)}).`]
}

/** Explains why an attempt has no score by a metric that has no value for its answer. */
export function explainUndefined(because: string): string[] {
  return [
    `The attempt is not scored because the metric has no value for its answer: ${because.replace(/\.$/, '')}.`,
  ]
}

/** Why a scorer failed. */
export interface ScorerFailure {
  /** What it threw, or what is wrong with its result. */
  readonly problem: string
  /** The error's stable code, such as `invalid-score`. */
  readonly code: string
}

/** Explains why an attempt has no score by a scorer that failed. */
export function explainScorerFailure(scorer: string, { problem, code }: ScorerFailure): string[] {
  const why = shortenText(problem, longestDetailChars).replace(/\.$/, '')
  return [`The attempt is not scored because scorer ${shortenText(scorer)} failed: ${why} [${code}].`]
}

/** Explains an attempt without any answer. The reason `answered-without-table` has its name also for texts and JSON. */
export function explainNoAnswer(termination: Termination): string[] {
  if (termination.reason === 'answered-without-table')
    return [`The attempt ended without an answer in the asked form (${describeEnd(termination)}).`]
  return [`The attempt gave no answer. It ended with ${describeEnd(termination)}.`]
}

/** Says that an attempt ended before the agent was done; empty when the agent ended it. */
export function explainEarlyEnd(termination: Termination): string[] {
  if (termination.cause === 'agent' || termination.cause === 'unknown') return []
  return [`The attempt ended early (${describeEnd(termination)}). The answer that it had given is scored.`]
}
