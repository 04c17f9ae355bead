import { parse } from 'csv-parse/sync'
import type { Answer } from '../core/attempt.ts'
import type { Score } from '../core/score.ts'
import { jsonLeaves } from '../text/json.ts'

/** The answer as the loss ledger reads it. */
export interface LedgerAnswer {
  /** Of a turn, 0-based. `unreadable`: there is an answer, but none of the kind that was asked for. */
  statusOf(turn: number): 'read' | 'unreadable' | 'none'
  /** Its values, a line each; null where it has none, or is one of several. Called only when needed. */
  values(): string | null
}

/**
 * An attempt's answer for the loss ledger.
 *
 * @param score says whether an answer of the asked kind could be read, and of which turns
 */
export function ledgerAnswerOf(answer: Answer, score: Pick<Score, 'answered' | 'turns'>): LedgerAnswer {
  const { parseStatus } = answer
  const { turns } = score
  // A table without rows is no answer to a scorer, and yet it was read.
  const isRead = score.answered || parseStatus === 'table'
  const missing = parseStatus === 'none' ? 'none' : 'unreadable'
  let values: string | null | undefined
  return {
    statusOf: turn => ((turns === undefined ? isRead : turns[turn]?.answered === true) ? 'read' : missing),
    values: () => (values === undefined ? (values = turns === undefined ? valuesOf(answer) : null) : values),
  }
}

function valuesOf({ csv, json, text }: Answer): string | null {
  if (csv !== null) return cellsOf(csv)
  return json === undefined ? (text ?? null) : Object.values(jsonLeaves(json)).join('\n')
}

/** The answer's cells, a line each, so that no comma between two of them reads as a thousands separator. */
function cellsOf(csv: string): string {
  const rows: string[][] = parse(csv, { relax_column_count: true, relax_quotes: true })
  return rows.flat().join('\n')
}
