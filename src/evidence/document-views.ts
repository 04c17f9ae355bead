import type { Discovery } from '../core/discovery.ts'
import type { EvidenceDocument } from './matcher.ts'

/** The last stage that a document reached before its text was shown. */
export type ReachedStage = 'not-surfaced' | 'not-opened' | 'not-parsed' | 'not-in-view' | 'not-retrieved'

/** What the model was shown of one of the task's documents. */
export interface DocumentView {
  readonly hint: string
  /** The stage at which a value is lost when the shown texts do not contain it. */
  readonly lostAt: ReachedStage
  /** A call of one of its addresses failed, so that it may have been received but not recognised. Absent: false. */
  readonly wasTried?: boolean
  /** The texts of the document that were shown: whole, cut, as chunks or as pages. */
  readonly shown: readonly string[]
}

/** The views of an offline attempt: of each document, the text that was left after the cut. */
export function listOfflineViews(shown: readonly EvidenceDocument[]): DocumentView[] {
  return shown.map(({ hint, text }) => ({ hint, lostAt: 'not-in-view', shown: [text] }))
}

/**
 * The views of a RAG attempt: of each document, its chunks in the prompt. Neighbouring chunks are one text, as in the
 * prompt.
 */
export function listRagViews(hints: readonly string[], chunks: readonly EvidenceDocument[]): DocumentView[] {
  return hints.map(hint => ({
    hint,
    lostAt: 'not-retrieved',
    shown: chunks.filter(chunk => chunk.hint === hint).map(chunk => chunk.text),
  }))
}

/**
 * The views of an online attempt: for each document the stage that discovery reached, and the tool answers that
 * showed it.
 */
export function listOnlineViews(discovery: Discovery, shown: readonly EvidenceDocument[]): DocumentView[] {
  return discovery.hints.map(record => {
    const { hint, surfacedStep, openedStep, parsedStep, triedStep = null } = record
    const texts = shown.filter(part => part.hint === hint).map(part => part.text)
    if (parsedStep !== null) return { hint, lostAt: 'not-in-view', shown: texts }
    if (openedStep !== null) return { hint, lostAt: 'not-parsed', shown: texts }
    const wasFound = surfacedStep !== null || triedStep !== null
    const lostAt = wasFound ? 'not-opened' : 'not-surfaced'
    return { hint, lostAt, shown: [], ...(triedStep === null ? {} : { wasTried: true }) }
  })
}
