import type { TableGold, TextGold } from '../../src/core/gold.ts'
import { listRowsWithHeader, readGoldTable } from '../../src/score/table/gold-table.ts'

/** The gold of a FanOutQA task. */
export type FanOutGold = TableGold | TextGold

/** The texts that an answer must contain: keys and values, or items. */
export function listReferences(gold: FanOutGold): readonly string[] {
  return gold.kind === 'table' ? writeRows(gold).flat() : (gold.items ?? gold.references.slice(0, 1))
}

const writeRows = (gold: TableGold): string[][] => listRowsWithHeader(readGoldTable(gold)).slice(1)

/** Writes gold as the published code does: `key - value` or one item per line. */
export function writeGoldAnswer(gold: FanOutGold): string {
  return gold.kind === 'table'
    ? writeRows(gold)
        .map(cells => cells.join(' - '))
        .join('\n')
    : (gold.items?.join('\n') ?? gold.references[0] ?? '')
}
