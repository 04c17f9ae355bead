import { type ModelNaming, settingLabel } from '../model/arm-names.ts'
import { type Column, domainName, facetName, left, right } from './report-table.ts'

/** What a row of most tables is about. */
interface GroupRow {
  readonly domain: string
  readonly model: string
  readonly setting: string
  readonly variant: string
  readonly n: number
}

/** A column for the model where there are several. */
export function modelColumn(models: ModelNaming): Column[] {
  return models.several ? [left('model')] : []
}

/** The cell below modelColumn. */
export function modelCell(model: string, models: ModelNaming): string[] {
  return models.several ? [models.of(model)] : []
}

/** The columns that say what a row is about: the value of the facet by which the report groups, and the arm. */
export function groupColumns(models: ModelNaming, facet: string): Column[] {
  return [left(facetName(facet)), ...modelColumn(models), left('setting'), right('n')]
}

/** The cells below groupColumns. */
export function groupCells(row: GroupRow, models: ModelNaming, facet: string): string[] {
  return [domainName(row.domain, facet), ...modelCell(row.model, models), settingLabel(row), String(row.n)]
}
