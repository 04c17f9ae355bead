import { parse } from 'csv-parse/sync'
import type { Answer } from '../core/attempt.ts'
import { jsonLeaves } from '../core/json-leaves.ts'
import type { LedgerAnswer } from './ledger.ts'

/**
 * An attempt's answer for the loss ledger.
 *
 * @param answered whether the scorer could read an answer of the asked kind
 */
export function ledgerAnswerOf(answer: Answer, answered: boolean): LedgerAnswer {
  const { parseStatus } = answer
  // A table without rows is no answer to a scorer, and yet it was read.
  const isRead = answered || parseStatus === 'table'
  const read: LedgerAnswer['status'] = parseStatus === 'none' ? 'none' : 'unreadable'
  let values: string | null | undefined
  return {
    status: isRead ? 'read' : read,
    values: () => (values === undefined ? (values = valuesOf(answer)) : values),
  }
}

function valuesOf({ csv, json }: Answer): string | null {
  if (csv !== null) return cellsOf(csv)
  return json === undefined ? null : Object.values(jsonLeaves(json)).join('\n')
}

/** The answer's cells, a line each, so that no comma between two of them reads as a thousands separator. */
function cellsOf(csv: string): string {
  const rows: string[][] = parse(csv, { relax_column_count: true, relax_quotes: true })
  return rows.flat().join('\n')
}
