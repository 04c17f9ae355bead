import type { Item } from '../../core/score-items.ts'
import type { Task } from '../../core/task.ts'
import { createEvidenceLookup } from '../../evidence/gold-evidence.ts'
import type { ItemEvidence } from '../../evidence/matcher.ts'
import type { TextIndex } from '../../evidence/text-index.ts'
import { splitAtPageMarks } from '../../text/page-marks.ts'
import { findTaskEvidence } from '../open-run/task-evidence.ts'
import type { ExportedAttempt } from './table.ts'

/** Where the value of an item is written. */
export interface EvidencePlace {
  /** Null when no document or several documents contain it, or when that is not known. */
  readonly document: string | null
  /** Null when no tool showed it on a numbered page. */
  readonly page: number | null
}

const unknownPlace: EvidencePlace = { document: null, page: null }

/** Returns a function that finds the document, and the shown page, that contain the value of an item. */
export function findEvidencePlaces({
  attempt,
  task,
  seenDocuments,
  indexes,
}: ExportedAttempt): (item: Item) => EvidencePlace {
  const evidence = task === null ? null : readEvidence(task, attempt.setting)
  if (evidence === null || seenDocuments === null) return () => unknownPlace
  const findEvidence = createEvidenceLookup(evidence)
  const documents = seenDocuments.documents.map(({ hint, text }) => ({ hint, index: indexes(text) }))
  const pages = (seenDocuments.shown ?? []).flatMap(({ hint, text }) =>
    splitAtPageMarks(text).map(page => ({ hint, number: page.number, index: indexes(page.text) })),
  )
  return item => {
    const [part] = findEvidence(item)
    if (part === undefined) return unknownPlace
    const holders = documents.filter(({ hint, index }) => isWrittenIn(part, hint, index))
    const [holder] = holders
    if (holder === undefined || holders.length > 1) return unknownPlace
    const page = pages.find(({ hint, index }) => hint === holder.hint && isWrittenIn(part, hint, index))
    return { document: holder.hint, page: page?.number ?? null }
  }
}

const evidenceByTask = new WeakMap<Task, Map<string, readonly ItemEvidence[] | null>>()

/** Returns the evidence of a task: the same objects for all attempts, because indexes remember what was looked up. */
function readEvidence(task: Task, setting: string): readonly ItemEvidence[] | null {
  const bySetting = evidenceByTask.get(task) ?? new Map<string, readonly ItemEvidence[] | null>()
  evidenceByTask.set(task, bySetting)
  if (!bySetting.has(setting)) bySetting.set(setting, findTaskEvidence(task, setting))
  return bySetting.get(setting) ?? null
}

function isWrittenIn({ hint: owner, alternatives }: ItemEvidence, hint: string, index: TextIndex): boolean {
  if (owner !== null && owner !== hint) return false
  return alternatives.some(needles => needles.length > 0 && needles.every(needle => index.has(needle)))
}
