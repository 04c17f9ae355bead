import { groupBy } from '../../src/core/group-by.ts'
import type { Termination } from '../../src/core/termination.ts'
import { explainEarlyEnd, explainNoAnswer } from '../../src/score/explain/explain-ending.ts'
import { formatCount, shortenText } from '../../src/score/explain/wording.ts'
import { clipText, formatShortList, joinToOneLine } from '../../src/text/plain-text.ts'
import type { NodeResult } from './evaluate.ts'
import { countFigures } from './figures.ts'
import type { ExtractionFailure } from './parse-extraction.ts'
import { normalisePath } from './report.ts'
import type { ExtractionScore } from './score-extraction.ts'

/** A scored JSON answer. */
interface ExtractionToExplain {
  /** Null when the answer is not JSON. */
  readonly score: ExtractionScore | null
  readonly failure: ExtractionFailure | null
  /** The parser's message; null when the answer is JSON. */
  readonly note: string | null
  readonly termination: Termination
}

/** Explains the score of a JSON answer: whether it is valid, how many fields passed, and which failed most. */
export function explainExtraction({ score, failure, note, termination }: ExtractionToExplain): string[] {
  if (failure === 'empty-response' || failure === 'context-length' || failure === 'page-limit')
    return explainNoAnswer(termination)
  const early = explainEarlyEnd(termination)
  if (score?.error?.stage === 'schema')
    return [...early, `The task's schema cannot be used for scoring: ${cut(score.error.message)}.`]
  if (failure !== null) return [...early, ...explainInvalid(failure, score?.error?.message ?? note)]
  if (score === null) return early
  return [...early, ...explainFields(score.nodes), ...explainLists(score.nodes), ...explainUnscored(score)]
}

const failuresInWords: Readonly<Partial<Record<ExtractionFailure, string>>> = {
  'no-json': 'The answer contains no JSON',
  'trailing-comma': 'The answer is not valid JSON: it has a comma before a closing bracket',
  'truncated-json': 'The answer is not valid JSON: it breaks off before its last bracket is closed',
  'malformed-json': 'The answer is not valid JSON',
  'too-large': 'The answer is too large to be scored',
  'schema-mismatch': 'The answer is JSON, but it does not fit the schema',
}

function explainInvalid(failure: ExtractionFailure, message: string | null): string[] {
  const what = failuresInWords[failure] ?? `The answer could not be scored (${failure})`
  const saysWhy = failure === 'malformed-json' || failure === 'too-large' || failure === 'schema-mismatch'
  const why = saysWhy && message !== null ? `: ${cut(message)}` : ''
  return [`${what}${why}.`, 'No field of an invalid answer passes.']
}

const longestMessageChars = 200

function cut(message: string): string {
  return clipText(joinToOneLine(message).replace(/\.$/, ''), longestMessageChars, longestMessageChars - 1)
}

function explainFields(nodes: readonly NodeResult[]): string[] {
  const failed = nodes.filter(node => !node.passed)
  const passed = `${nodes.length - failed.length} of ${formatCount(nodes.length, 'field')} passed.`
  if (failed.length === 0) return [passed]
  const { omissions, hallucinations, wrongValues } = countFigures(nodes)
  const kinds = [
    ...(omissions > 0 ? [`${omissions} missing from the answer`] : []),
    ...(hallucinations > 0 ? [`${hallucinations} only in the answer, not in the gold`] : []),
    ...(wrongValues > 0 ? [`${wrongValues} with another value than the gold`] : []),
  ]
  const how = kinds.length === 0 ? '' : ` (${kinds.join(', ')})`
  return [passed, `${formatCount(failed.length, 'field')} failed${how}: ${listFailedFields(failed)}.`]
}

/**
 * Names failed fields by the first part of their path, most frequent first. A part with a single field shows its
 * whole path.
 */
function listFailedFields(failed: readonly NodeResult[]): string {
  const names = failed.map(({ path }) => normalisePath(path))
  const parts = groupBy(names, name => name.split('.')[0] ?? name)
  const sorted = [...parts].sort(([, a], [, b]) => b.length - a.length)
  const describePart = ([part, paths]: [string, string[]]): string =>
    shortenText(paths.length === 1 ? (paths[0] ?? part) : `${part} (${paths.length})`)
  return formatShortList(sorted, describePart, 5)
}

function explainLists(nodes: readonly NodeResult[]): string[] {
  const lists = nodes.flatMap(({ path, matches, unpaired }) => {
    const items = matches ?? unpaired
    if (items === null || items.missedGold + items.spuriousPredicted === 0) return []
    return [{ path: normalisePath(path), ...items }]
  })
  if (lists.length === 0) return []
  lists.sort((a, b) => b.missedGold + b.spuriousPredicted - a.missedGold - a.spuriousPredicted)
  const nameOf = ({ path, missedGold, spuriousPredicted }: (typeof lists)[number]): string =>
    `${shortenText(path)} (${missedGold} missing, ${spuriousPredicted} spurious)`
  return [`List items that do not match: ${formatShortList(lists, nameOf)}.`]
}

function explainUnscored({ unscored: count }: ExtractionScore): string[] {
  if (count === 0) return []
  return [
    `The judge gave no usable reply for ${formatCount(count, 'field')}. They are left out of the score.`,
  ]
}
