import type { TableGold } from '../../src/core/gold.ts'
import { evidenceOfItems, type ItemEvidence } from '../../src/evidence/matcher.ts'
import { goldItems } from '../../tasks/kinds/answer-kinds.ts'

/** The evidence of every cell of a gold table. */
export function evidenceOfTable(gold: TableGold, names: readonly string[]): readonly ItemEvidence[] {
  return evidenceOfItems(goldItems(gold), names)
}
