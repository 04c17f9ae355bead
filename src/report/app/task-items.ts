import type { AttemptData, CellData } from '../page/attempt-data.ts'
import { listFirstScoringCells } from './cells.ts'

/** One item of a task's gold, with what each attempt answered. */
export interface TaskItem {
  /** Names the item in addresses. */
  readonly id: string
  /** The key of the item's gold row. Empty when each row is one item. */
  readonly row: string
  /** The column, or the item's own name. */
  readonly name: string
  readonly gold: string
  /** In the order of the attempts. Undefined when the attempt's score does not contain the item. */
  readonly cells: readonly (CellData | undefined)[]
}

/** Puts the compared cells of the attempts' first scorings side by side. */
export function listTaskItems(attempts: readonly AttemptData[]): TaskItem[] {
  const cellMaps = attempts.map(listFirstScoringCells)
  const names = new Map(
    cellMaps.flatMap(cells => [...cells].map(([id, { row, name }]) => [id, { row, name }])),
  )
  return [...names].map(([id, { row, name }]) => {
    const cells = cellMaps.map(attemptCells => attemptCells.get(id)?.cell)
    return { id, row, name, gold: cells.find(cell => cell !== undefined)?.gold ?? '', cells }
  })
}

/** Which items a reader wants to see. */
export type ItemFilter = 'all' | 'wrong' | 'different' | 'answers'

/** Whether attempts answer an item differently. */
export function hasDifferentAnswers({ cells }: TaskItem): boolean {
  return new Set(cells.map(cell => cell?.predicted)).size > 1
}

/** Whether an item passes the filter: an answer is wrong, or the answers are rated differently. */
export function passesItemFilter(item: TaskItem, filter: ItemFilter): boolean {
  const { cells } = item
  if (filter === 'answers') return hasDifferentAnswers(item)
  const isRight = cells.map(cell => cell?.class === 'correct')
  if (filter === 'all') return true
  return filter === 'wrong' ? isRight.includes(false) : isRight.includes(false) && isRight.includes(true)
}
