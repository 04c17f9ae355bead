import type { AttemptData, CellData } from '../page/attempt-data.ts'

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
export function taskItems(attempts: readonly AttemptData[]): TaskItem[] {
  const own = attempts.map(cellsOf)
  const names = new Map(own.flatMap(cells => [...cells].map(([id, { row, name }]) => [id, { row, name }])))
  return [...names].map(([id, { row, name }]) => {
    const cells = own.map(one => one.get(id)?.cell)
    return { id, row, name, gold: cells.find(cell => cell !== undefined)?.gold ?? '', cells }
  })
}

interface NamedCell {
  readonly row: string
  readonly name: string
  readonly cell: CellData
}

/** Returns the compared cells by the name of their item. Gold rows with the same key are numbered. */
function cellsOf({ scorings }: AttemptData): ReadonlyMap<string, NamedCell> {
  const [scoring] = scorings
  const found = new Map<string, NamedCell>()
  const seen = new Map<string, number>()
  for (const cells of scoring?.rows ?? []) {
    const key = cells.filter(cell => typeof cell === 'string' && cell !== '').join(' · ')
    const times = (seen.get(key) ?? 0) + 1
    seen.set(key, times)
    const row = times === 1 ? key : `${key} (${times})`
    const isTable = cells.filter(cell => typeof cell !== 'string').length > 1
    for (const [at, cell] of cells.entries()) {
      if (typeof cell === 'string') continue
      const column = scoring?.columns[at] ?? ''
      if (isTable) found.set(`${row} · ${column}`, { row, name: column, cell })
      else found.set(row, { row: '', name: row, cell })
    }
  }
  return found
}

/** Which items a reader wants to see. */
export type ItemFilter = 'all' | 'wrong' | 'different'

/** Whether an item passes the filter: an answer is wrong, or the answers are rated differently. */
export function passesItemFilter({ cells }: TaskItem, filter: ItemFilter): boolean {
  const isRight = cells.map(cell => cell?.class === 'correct')
  if (filter === 'all') return true
  return filter === 'wrong' ? isRight.includes(false) : isRight.includes(false) && isRight.includes(true)
}
