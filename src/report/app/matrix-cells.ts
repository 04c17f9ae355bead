import type { MetricDefinition } from '../../core/metric.ts'
import { averageKnown } from '../../score/statistics/clusters.ts'
import { isRight, rateValue, rightFrom } from '../model/metrics.ts'
import { attemptFlags, type PageData } from '../page/page-data.ts'
import { compareValues, type SortOrder } from './sort-order.ts'

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
export function arrangeMatrix(data: PageData, metric: MetricDefinition): MatrixRows {
  const { attempts, arms, tasks } = data
  const cells: number[][][] = tasks.map(() => arms.map(() => []))
  for (const [at, task] of attempts.task.entries()) cells[task]?.[attempts.arm[at] ?? -1]?.push(at)
  return cells.map(row => row.map(places => (places.length === 0 ? null : makeCell(data, metric, places))))
}

function makeCell({ attempts }: PageData, metric: MetricDefinition, places: readonly number[]): MatrixCell {
  const value = averageKnown(places.map(at => attempts.values[metric.key]?.[at] ?? null))
  return {
    attempts: places,
    value,
    goodness: value === null ? null : rateValue(metric, value),
    flags: places.reduce((sum, at) => sum | (attempts.flags[at] ?? 0), 0),
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

/** From this distance in goodness on, arms count as different. */
const differentFrom = 0.1

/** Whether a task passes the filter. */
export function passesFilter(
  row: readonly (MatrixCell | null)[],
  words: string,
  { text, show, right, wrong }: MatrixFilter,
): boolean {
  const cells = row.filter(cell => cell !== null)
  const isWrong = (arm: number): boolean => (row[arm]?.goodness ?? 1) < rightFrom
  return (
    words.toLowerCase().includes(text.toLowerCase()) &&
    (right === null || isRight(row[right]?.goodness ?? null)) &&
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

/** By what rows are sorted: as in the run, by the mean of all arms, or by the values of one arm. */
export type MatrixColumn = 'run' | 'mean' | number

/** What the rows are grouped by. */
export type MatrixGroup = 'none' | 'domain' | 'outcome'

/** A row of the shown matrix: the index of a task, or the head of a group. */
export type ShownRow = number | { readonly group: string; readonly tasks: readonly number[] }

/** Returns the tasks in order, and a head before each group. Tasks without a value come last. */
export function arrangeRows(
  data: PageData,
  rows: MatrixRows,
  tasks: readonly number[],
  { order, group }: { readonly order: SortOrder<MatrixColumn>; readonly group: MatrixGroup },
): ShownRow[] {
  const ordered = sortTasks(rows, tasks, order)
  if (group === 'none') return ordered
  const nameGroup = (task: number): string =>
    group === 'domain' ? (data.tasks[task]?.domain ?? '') : rateOutcome(rows[task] ?? [])
  const names = [...new Set(ordered.map(nameGroup))]
  const sortedNames = group === 'domain' ? names.toSorted() : outcomes.filter(name => names.includes(name))
  return sortedNames.flatMap(name => {
    const members = ordered.filter(task => nameGroup(task) === name)
    return [{ group: name, tasks: members }, ...members]
  })
}

function sortTasks(
  rows: MatrixRows,
  tasks: readonly number[],
  { column, isDown }: SortOrder<MatrixColumn>,
): number[] {
  if (column === 'run') return [...tasks]
  const ranks = rows.map(cells =>
    averageKnown(
      (column === 'mean' ? cells : [cells[column] ?? null]).map(
        cell => cell?.goodness ?? cell?.value ?? null,
      ),
    ),
  )
  return tasks.toSorted((a, b) => compareValues(ranks[a] ?? null, ranks[b] ?? null, isDown))
}

const outcomes = ['right in no arm', 'right in some arms', 'right in every arm', 'not rated'] as const

/** Says in how many arms a task is right. */
function rateOutcome(cells: readonly (MatrixCell | null)[]): (typeof outcomes)[number] {
  const ratings = cells.flatMap(cell => cell?.goodness ?? [])
  const right = ratings.filter(isRight).length
  if (ratings.length === 0) return 'not rated'
  return right === 0
    ? 'right in no arm'
    : right === ratings.length
      ? 'right in every arm'
      : 'right in some arms'
}
