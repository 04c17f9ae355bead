import { parse } from 'csv-parse/sync'
import type { Answer } from '../core/attempt.ts'
import type { Score } from '../core/score.ts'
import { jsonLeaves } from '../text/json.ts'

/** The answer as the loss ledger reads it. */
export interface LedgerAnswer {
  /** The status of a turn (0-based). `unreadable`: there is an answer, but not of the kind that was asked for. */
  statusOf(turn: number): 'read' | 'unreadable' | 'none'
  /**
   * The values of the answer, one on each line. Null when there are none, and for a conversation with several
   * answers. Computed on request.
   *
   * @param matchedRows rows of a table, from 0, whose values are left out, because they were compared with gold rows
   */
  values(matchedRows: ReadonlySet<number>): string | null
}

/**
 * Prepares an attempt's answer for the loss ledger.
 *
 * @param score returns whether an answer of the requested kind could be read, for each turn
 */
export function ledgerAnswerOf(answer: Answer, score: Pick<Score, 'answered' | 'turns'>): LedgerAnswer {
  const { parseStatus } = answer
  const { turns } = score
  // A scorer does not count a table without rows as an answer, although it could be read.
  const isRead = score.answered || parseStatus === 'table'
  const missing = parseStatus === 'none' ? 'none' : 'unreadable'
  const known = new WeakMap<ReadonlySet<number>, string | null>()
  const valuesWithout = (matchedRows: ReadonlySet<number>): string | null => {
    const found = known.get(matchedRows)
    if (found !== undefined) return found
    const made = turns === undefined ? valuesOf(answer, matchedRows) : null
    known.set(matchedRows, made)
    return made
  }
  return {
    statusOf: turn => ((turns === undefined ? isRead : turns[turn]?.answered === true) ? 'read' : missing),
    values: valuesWithout,
  }
}

function valuesOf({ csv, json, text }: Answer, matchedRows: ReadonlySet<number>): string | null {
  if (csv !== null) return cellsOf(csv, matchedRows)
  return json === undefined ? (text ?? null) : Object.values(jsonLeaves(json)).join('\n')
}

/** One cell on each line, so that a comma between two cells does not read as a thousands separator. */
function cellsOf(csv: string, matchedRows: ReadonlySet<number>): string {
  const [, ...rows]: string[][] = parse(csv, { relax_column_count: true, relax_quotes: true })
  return rows
    .filter((_, row) => !matchedRows.has(row))
    .flat()
    .join('\n')
}
