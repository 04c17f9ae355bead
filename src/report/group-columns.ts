import { keyLabel } from './differences.ts'
import { type Column, domainName, left, right } from './report-table.ts'

/** What a row of most tables is about. */
interface GroupRow {
  readonly domain: string
  readonly model: string
  readonly setting: string
  readonly variant: string
  readonly n: number
}

/** The columns that say what a row is about; the model's only where there are several. */
export function groupColumns(oneModel: boolean): Column[] {
  return [left('domain'), ...(oneModel ? [] : [left('model')]), left('setting'), right('n')]
}

/** The cells below groupColumns. */
export function groupCells(row: GroupRow, oneModel: boolean): string[] {
  return [domainName(row.domain), ...(oneModel ? [] : [row.model]), keyLabel(row), String(row.n)]
}
