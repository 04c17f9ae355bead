import type { DocumentView, ReachedStage } from './document-views.ts'
import type { EvidenceDocument, ItemEvidence, SearchedValue } from './matcher.ts'
import type { EvidenceNeedle, TextIndexes } from './text-index.ts'

/** The documents of a task, and what the attempt was shown of them. */
export interface ReachInput {
  readonly documents: readonly EvidenceDocument[]
  readonly views: readonly DocumentView[]
  /** Views of documents whose text is unknown. */
  readonly unknownTexts: readonly DocumentView[]
  readonly indexes: TextIndexes
  /** Results of `findStage`, by needle and by the only document that counts. */
  readonly knownStages: Map<EvidenceNeedle, Map<string | null, number>>
}

/** The stages that a document can reach before its text is shown, in order. */
export const stages: readonly ReachedStage[] = [
  'not-surfaced',
  'not-opened',
  'not-parsed',
  'not-retrieved',
  'not-in-view',
]
/** The stage of evidence that was shown. */
export const inView = stages.length

/** The furthest stage that a needle reached in any document; -1 when no document contains it. */
function findStage(needle: EvidenceNeedle, hint: string | null, input: ReachInput): number {
  const byHint = input.knownStages.get(needle) ?? new Map<string | null, number>()
  input.knownStages.set(needle, byHint)
  const stage = byHint.get(hint) ?? findFurthestStage(needle, hint, input)
  byHint.set(hint, stage)
  return stage
}

function findFurthestStage(needle: EvidenceNeedle, hint: string | null, input: ReachInput): number {
  const { documents, views, indexes } = input
  let furthest = -1
  for (const document of documents) {
    if (hint !== null && document.hint !== hint) continue
    if (!indexes(document.text).has(needle)) continue
    const view = views.find(candidate => candidate.hint === document.hint)
    const isShown = view?.shown.some(text => indexes(text).has(needle)) === true
    const stage = isShown ? inView : stages.indexOf(view?.lostAt ?? 'not-surfaced')
    furthest = Math.max(furthest, stage)
  }
  return furthest
}

/** The stage of the needle that was lost first; -1 when no document contains one of them. */
function findStageOfAll(needles: readonly EvidenceNeedle[], hint: string | null, input: ReachInput): number {
  let first = inView
  for (const needle of needles) {
    first = Math.min(first, findStage(needle, hint, input))
    if (first === -1) return -1
  }
  return first
}

/**
 * The furthest stage that the evidence of an item reached by any of its alternatives; -1 when no document contains
 * it. When the text of some documents is unknown, the evidence may be in the one that came furthest.
 */
export function findReach(evidence: SearchedValue, input: ReachInput): number {
  let furthest = -1
  for (const needles of evidence.alternatives) {
    furthest = Math.max(furthest, findStageOfAll(needles, evidence.hint, input))
    if (furthest === inView) return inView
  }
  if (furthest >= 0) return furthest
  return Math.max(
    -1,
    ...input.unknownTexts
      .filter(({ hint }) => evidence.hint === null || hint === evidence.hint)
      .map(({ lostAt }) => stages.indexOf(lostAt)),
  )
}

/**
 * The stage that all evidence of an item reached. A field with several values below it has the stage of the value
 * that was lost first. -1: there is no evidence.
 */
export function findReachOfAll(parts: readonly ItemEvidence[], input: ReachInput): number {
  return parts.length === 0 ? -1 : Math.min(...parts.map(part => findReach(part, input)))
}
