import type { GoldItem } from '../core/answer-kind.ts'
import { isBlankValue } from '../core/blank-value.ts'
import type { Gold } from '../core/gold.ts'
import { type Golds, listGolds, type Task } from '../core/task.ts'
import { isSameDocumentName } from './document-name.ts'
import { containsEvidence, type EvidenceDocument, findItemEvidence, type ItemEvidence } from './matcher.ts'
import { listEvidenceNames } from './targets.ts'
import type { TextIndexes } from './text-index.ts'

/** A gold value that was looked up in the documents of its task. */
export interface LookedUpValue {
  /** The column, or the path of a JSON value without the places in its lists; '' for a text. */
  readonly column: string
  /** 0-based row of a table; 0 for any other kind. */
  readonly goldRow: number
  readonly value: string
  /** `other-unit`: a document only contains the number in another unit, such as thousands. */
  readonly state: 'found' | 'other-unit' | 'not-found'
}

interface TaskToLookUp extends Golds {
  readonly evidence: Task['evidence']
  readonly documents: Task['documents']
}

/**
 * Looks every gold value of a task up in its documents, also the keys of tables. Values that are no text to search for,
 * such as true and false, and the names of documents are left out.
 *
 * @param itemsOfGold returns the units of a gold value, in order
 */
export function lookUpGold(
  task: TaskToLookUp,
  documents: readonly EvidenceDocument[],
  indexes: TextIndexes,
  itemsOfGold: (gold: Gold) => readonly GoldItem[],
): LookedUpValue[] {
  const names =
    task.evidence === null ? task.documents.map(({ name }) => name) : listEvidenceNames(task.evidence)
  return listGolds(task).flatMap(gold => {
    const items = [...listKeyItems(gold, names), ...itemsOfGold(gold)]
    const evidence = findItemEvidence(items, names)
    return items.flatMap((item, at) => {
      const itemEvidence = evidence[at]!
      if (itemEvidence.alternatives.length === 0 || isBlankValue(String(item.value))) return []
      const state = findState(itemEvidence, documents, indexes)
      return [
        {
          column: item.column.replace(/\.\d+(?=\.|$)/g, ''),
          goldRow: item.goldRow,
          value: String(item.value),
          state,
        },
      ]
    })
  })
}

/** The keys of a table as items. A key in several rows is looked up once. */
function listKeyItems(gold: Gold, names: readonly string[]): GoldItem[] {
  if (gold.kind !== 'table') return []
  const seenDocuments = new Set<string>()
  return gold.rows.flatMap((row, goldRow) =>
    gold.keyColumns.flatMap(column => {
      const value = row[column] ?? null
      const id = JSON.stringify([column, value])
      if (seenDocuments.has(id) || names.some(name => isSameDocumentName(String(value), name))) return []
      seenDocuments.add(id)
      return [{ id, goldRow, column, value, isNumeric: false, row, keys: [] }]
    }),
  )
}

function findState(
  item: ItemEvidence,
  documents: readonly EvidenceDocument[],
  indexes: TextIndexes,
): LookedUpValue['state'] {
  if (!containsEvidence(item, documents, indexes)) return 'not-found'
  const alternatives = item.alternatives.map(needles =>
    needles.map(needle => (needle.kind === 'number' ? { ...needle, scaled: false } : needle)),
  )
  return containsEvidence({ ...item, alternatives }, documents, indexes) ? 'found' : 'other-unit'
}
