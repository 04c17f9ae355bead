import { answersFromMemory } from '../../../agents/registry.ts'
import type { Attempt } from '../../core/attempt.ts'
import { hallucinationMetric } from '../../core/metric.ts'
import type { Score } from '../../core/score.ts'
import { listItems } from '../../core/score-items.ts'
import type { ScoredCell, ScoredItem } from '../../core/scored-item.ts'
import { countValues } from '../../core/value-counts.ts'
import { type AttemptView, withLossClasses } from '../../evidence/attempt-views.ts'
import { readLedgerAnswer } from '../../evidence/ledger-answer.ts'
import type { ItemEvidence } from '../../evidence/matcher.ts'
import { createEvidencePlacer } from '../../evidence/placed-evidence.ts'
import type { TextIndexes } from '../../evidence/text-index.ts'
import { boundHallucinations } from '../../score/unrated-bounds.ts'
import { createAttemptView, type SeenDocuments } from '../records/seen-documents.ts'

/** An attempt with what decides the loss classes of its items. */
interface ClassedAttempt {
  readonly attempt: Attempt
  /** The evidence of the task's items; null when unknown. */
  readonly evidence: readonly ItemEvidence[] | null
  /** Null when unknown. */
  readonly seenDocuments: SeenDocuments | null
  readonly indexes: TextIndexes
}

/** Returns the bounds of a score with those of the hallucination rate over the classed items. Undefined without bounds. */
function boundClassed({ bounds }: Score, items: readonly (ScoredCell | ScoredItem)[]): Score['bounds'] {
  if (bounds?.[hallucinationMetric.key] === undefined) return bounds
  const { [hallucinationMetric.key]: _, ...others } = bounds
  return { ...others, ...boundHallucinations(items) }
}

/** Returns the score with the loss class of every item (docs/scoring.md), and the line of a document that contains its value. */
export function withLossClass(
  score: Score,
  { attempt, evidence, seenDocuments, indexes }: ClassedAttempt,
): Score {
  if (listItems(score).length === 0) return score
  const { answer, termination, setting, usage, turns, fork } = attempt
  const view: AttemptView | null = answersFromMemory(setting)
    ? { kind: 'nothing' }
    : seenDocuments && createAttemptView(attempt, seenDocuments)
  const classed = withLossClasses(score, view, {
    evidence,
    documents: seenDocuments?.documents ?? null,
    answer: readLedgerAnswer(answer, score),
    cause: termination.cause,
    // Which answer of a conversation was cut is not recorded.
    isOutputCut: termination.reason === 'output-limit' && turns === undefined,
    indexes,
  })
  const { unseenItems: _, ...previous } = score
  const counts = { ...score.counts, ...countValues([...classed.cells, ...classed.items]) }
  const bounds = boundClassed(previous, [...classed.cells, ...classed.items])
  const rest = { ...previous, counts, ...(bounds === undefined ? {} : { bounds }) }
  if (evidence === null || seenDocuments === null || view === null) return { ...rest, ...classed }
  const isModelAsked = usage.modelCalls !== 0 || (fork?.replayed.modelCalls ?? 0) > 0
  const placeOf = createEvidencePlacer({
    evidence,
    documents: seenDocuments.documents,
    view,
    isModelAsked,
    indexes,
  })
  const withPlace = <T extends ScoredCell | ScoredItem>(item: T): T => {
    const place = placeOf(item, item.class)
    return place === null ? item : { ...item, evidence: place }
  }
  return { ...rest, ...classed, cells: classed.cells.map(withPlace), items: classed.items.map(withPlace) }
}
