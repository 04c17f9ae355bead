import type { MetricDefinition } from '../../core/metric.ts'
import { goodness } from '../model/metrics.ts'
import { attemptFlags, type PageData } from '../page/page-data.ts'

/** The attempts of one arm at one task. */
export interface MatrixCell {
  /** Indexes of the attempts, by trial. */
  readonly attempts: readonly number[]
  /** The mean of the metric over the scored trials. Null when none is scored. */
  readonly value: number | null
  /** How good the value is, from 0 to 1. Null when unscored or when the metric has no best value. */
  readonly goodness: number | null
  /** The flags of all trials together. */
  readonly flags: number
}

/** The attempts by task and arm. A cell is null when the arm did not try the task. */
export type MatrixRows = readonly (readonly (MatrixCell | null)[])[]

/** Arranges the attempts by task (rows) and arm (columns), both as in the page's data. */
export function matrixRows(data: PageData, metric: MetricDefinition): MatrixRows {
  const { attempts, arms, tasks } = data
  const found: number[][][] = tasks.map(() => arms.map(() => []))
  for (const [at, task] of attempts.task.entries()) found[task]?.[attempts.arm[at] ?? -1]?.push(at)
  return found.map(row => row.map(own => (own.length === 0 ? null : cellOf(data, metric, own))))
}

function cellOf({ attempts }: PageData, metric: MetricDefinition, own: readonly number[]): MatrixCell {
  const values = own.flatMap(at => attempts.values[metric.key]?.[at] ?? [])
  const value = values.length === 0 ? null : values.reduce((sum, one) => sum + one, 0) / values.length
  return {
    attempts: own,
    value,
    goodness: value === null ? null : goodness(metric, value),
    flags: own.reduce((sum, at) => sum | (attempts.flags[at] ?? 0), 0),
  }
}

/** Which tasks a reader wants to see. */
export interface MatrixFilter {
  readonly text: string
  readonly show: 'all' | 'different' | 'failed' | 'budget' | 'tainted'
  /** Indexes of arms: tasks that the first has right and the second wrong. Null: any. */
  readonly right: number | null
  readonly wrong: number | null
}

export const noMatrixFilter: MatrixFilter = { text: '', show: 'all', right: null, wrong: null }

/** From this goodness a value counts as right, and arms as different. */
export const rightFrom = 0.9
const differentFrom = 0.1

/** Whether a task passes the filter. */
export function passesFilter(
  row: readonly (MatrixCell | null)[],
  words: string,
  { text, show, right, wrong }: MatrixFilter,
): boolean {
  const cells = row.filter(cell => cell !== null)
  const isRight = (arm: number): boolean => (row[arm]?.goodness ?? -1) >= rightFrom
  const isWrong = (arm: number): boolean => (row[arm]?.goodness ?? 1) < rightFrom
  return (
    words.toLowerCase().includes(text.toLowerCase()) &&
    (right === null || isRight(right)) &&
    (wrong === null || isWrong(wrong)) &&
    (show === 'all' || matches[show](cells))
  )
}

const hasFlag =
  (flag: number) =>
  (cells: readonly MatrixCell[]): boolean =>
    cells.some(({ flags }) => (flags & flag) !== 0)

const matches: Readonly<
  Record<Exclude<MatrixFilter['show'], 'all'>, (cells: readonly MatrixCell[]) => boolean>
> = {
  different: cells => {
    const values = cells.flatMap(cell => cell.goodness ?? [])
    return Math.max(...values) - Math.min(...values) >= differentFrom
  },
  failed: hasFlag(attemptFlags.unscored | attemptFlags.unanswered),
  budget: hasFlag(attemptFlags.budget),
  tainted: hasFlag(attemptFlags.tainted),
}

/** How rows are put in order: as in the run, by domain, by outcome (worst first), or by the values of an arm. */
export type MatrixOrder = 'run' | 'domain' | 'outcome' | number

/** Returns the indexes of the tasks in order. */
export function orderedTasks(
  data: PageData,
  rows: MatrixRows,
  kept: readonly number[],
  order: MatrixOrder,
): number[] {
  if (order === 'run') return [...kept]
  if (order === 'domain')
    return kept.toSorted((a, b) => (data.tasks[a]?.domain ?? '').localeCompare(data.tasks[b]?.domain ?? ''))
  const rank = (task: number): number => {
    const cells = rows[task] ?? []
    const own = typeof order === 'number' ? [cells[order]] : cells
    const known = own.flatMap(cell => cell?.goodness ?? cell?.value ?? [])
    return known.length === 0
      ? Number.POSITIVE_INFINITY
      : known.reduce((sum, one) => sum + one, 0) / known.length
  }
  return kept.toSorted((a, b) => rank(a) - rank(b))
}
