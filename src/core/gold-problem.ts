import type { TaskProblem } from './task.ts'

/** Something wrong with a gold value; the caller adds its place. */
export type GoldProblem = Pick<TaskProblem, 'severity' | 'code' | 'message'>

const mostNamed = 5

/** `gold row 2`, or `gold rows 1, 2, 3, 4, 5 and 7 more`; rows are counted from 1. */
export function rowsText(rows: readonly number[]): string {
  const [only] = rows
  if (rows.length === 1) return `gold row ${only}`
  const named = rows.slice(0, mostNamed).join(', ')
  return `gold rows ${named}${rows.length > mostNamed ? ` and ${rows.length - mostNamed} more` : ''}`
}
