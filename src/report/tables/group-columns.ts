import type { ArmOptions } from '../../core/arm.ts'
import { type ModelNaming, settingLabel } from '../model/arm-names.ts'
import { type Column, domainName, facetName, left, right } from './report-table.ts'

/** The arm and the domain of a table row. */
interface GroupRow {
  readonly domain: string
  readonly model: string
  readonly setting: string
  readonly options: ArmOptions
  readonly n: number
}

/** Returns a column for the model, or none when there is only one model. */
export function modelColumn(models: ModelNaming): Column[] {
  return models.several ? [left('model')] : []
}

/** Returns the cell below `modelColumn`. */
export function modelCell(model: string, models: ModelNaming): string[] {
  return models.several ? [models.of(model)] : []
}

/** Returns the columns that name a row: the value of the facet, the arm, and n. */
export function groupColumns(models: ModelNaming, facet: string): Column[] {
  return [left(facetName(facet)), ...modelColumn(models), left('setting'), right('n')]
}

/** Returns the cells below `groupColumns`. */
export function groupCells(row: GroupRow, models: ModelNaming, facet: string): string[] {
  return [domainName(row.domain, facet), ...modelCell(row.model, models), settingLabel(row), String(row.n)]
}
