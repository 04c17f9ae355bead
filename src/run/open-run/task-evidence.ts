import { answersFromWeb } from '../../../agents/registry.ts'
import { listGoldItems } from '../../../tasks/kinds/answer-kinds.ts'
import { listDocumentNames, type Task } from '../../core/task.ts'
import { findItemEvidence, type ItemEvidence } from '../../evidence/matcher.ts'
import { listEvidenceNames } from '../../evidence/targets.ts'

/**
 * Returns the evidence of each item of a task's gold, followed by that of further turns. Returns null when the evidence of
 * the task is unknown.
 *
 * @param setting in a setting that searches, an item's keys may name discovery targets; in others, loaded documents
 */
export function findTaskEvidence(task: Task, setting: string): readonly ItemEvidence[] | null {
  const { gold, turnGolds = [], evidence } = task
  if (evidence === null) return null
  const names = answersFromWeb(setting) ? listEvidenceNames(evidence) : listDocumentNames(task)
  const first = findItemEvidence(listGoldItems(gold), names)
  if (turnGolds.length === 0) return first
  const further = turnGolds.flatMap((turnGold, at) =>
    findItemEvidence(listGoldItems(turnGold), names).map(item => ({ ...item, turn: at + 1 })),
  )
  return [...first, ...further]
}
