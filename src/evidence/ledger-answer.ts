import type { Answer } from '../core/attempt.ts'
import type { Score } from '../core/score.ts'
import { readWrittenCsv } from '../text/csv.ts'
import { listJsonLeaves } from '../text/json.ts'

/** The answer as the loss ledger reads it. */
export interface LedgerAnswer {
  /** The status of a turn (0-based). `unreadable`: there is an answer, but not of the kind that was asked for. */
  statusOf(turn: number): 'read' | 'unreadable' | 'none'
  /**
   * The values of an answer that is not a table, one on each line. Null when there are none, and for a conversation
   * with several answers. Computed on request.
   */
  values(): string | null
  /**
   * The rows of a table, each with its values on lines of their own. Null for any other answer, and for a
   * conversation with several answers. Computed on request.
   */
  rows(): readonly string[] | null
}

interface AnsweredScore {
  readonly answered: boolean
  readonly turns?: Score['turns']
}

/**
 * Prepares an attempt's answer for the loss ledger.
 *
 * @param score returns whether an answer of the requested kind could be read, for each turn
 */
export function readLedgerAnswer(answer: Answer, score: AnsweredScore): LedgerAnswer {
  const { parseStatus } = answer
  const { turns } = score
  // A scorer does not count a table without rows as an answer, although it could be read.
  const isRead = score.answered || parseStatus === 'table'
  const missing = parseStatus === 'none' ? 'none' : 'unreadable'
  const isOne = turns === undefined
  let rows: readonly string[] | null | undefined
  let values: string | null | undefined
  return {
    statusOf: turn => ((turns === undefined ? isRead : turns[turn]?.answered === true) ? 'read' : missing),
    values: () => (values ??= isOne ? joinValues(answer) : null),
    rows: () => (rows ??= isOne && answer.csv !== null ? joinRows(answer.csv) : null),
  }
}

function joinValues({ csv, json, text }: Answer): string | null {
  if (csv !== null) return null
  return json === undefined ? (text ?? null) : Object.values(listJsonLeaves(json)).join('\n')
}

/** One cell on each line, so that a comma between two cells does not read as a thousands separator. */
function joinRows(csv: string): string[] {
  const [, ...rows] = readWrittenCsv(csv)
  return rows.map(row => row.join('\n'))
}
