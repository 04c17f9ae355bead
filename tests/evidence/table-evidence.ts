import type { TableGold } from '../../src/core/gold.ts'
import { findItemEvidence, type ItemEvidence } from '../../src/evidence/matcher.ts'
import { listGoldItems } from '../../tasks/kinds/answer-kinds.ts'

/** The evidence of every cell of a gold table. */
export function evidenceOfTable(gold: TableGold, names: readonly string[]): readonly ItemEvidence[] {
  return findItemEvidence(listGoldItems(gold), names)
}
