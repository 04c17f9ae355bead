import { type ArmOptions, optionsText, withoutOptions } from '../../core/arm.ts'
import type { MatrixBlock, MatrixLayout, MatrixOption } from '../../core/table-layout.ts'
import { meanOf as meanOfSome } from '../../score/statistics/clusters.ts'
import { modelNaming, settingLabel } from '../model/arm-names.ts'
import { compareArms, type Entry, groupBy } from '../model/entries.ts'
import { facetOf } from '../model/facets.ts'
import type { CountCell, CountTableBody } from './count-table.ts'
import {
  type ReasoningGroup,
  reasoningGroupOf,
  reasoningGroups,
  type StatedReasoning,
} from './reasoning-groups.ts'

/** An entry with the values that decide its row. */
interface Placed {
  readonly entry: Entry
  readonly setting: string
  /** The options of the arm without those that are columns or rows of the table. */
  readonly options: ArmOptions
  /** The value of `rowOption`; '' without one. */
  readonly rowValue: string
}

/**
 * Makes a table of means as its layout says.
 *
 * @param stated the models that reason, for a layout that groups rows by it
 */
export function matrixTable(
  layout: MatrixLayout,
  entries: readonly Entry[],
  stated: StatedReasoning,
): CountTableBody {
  const own = entries.filter(
    ({ attempt }) =>
      (layout.settings?.includes(attempt.setting) ?? true) &&
      (layout.only === undefined || facetOf(attempt, layout.only.facet) === layout.only.value),
  )
  const placed = own.map(entry => placedEntry(layout, entry)).sort(comparePlaced)
  const groups = inGroups(layout, [...groupBy(placed, rowKey).values()], stated)
  const models = modelNaming(own.map(({ key }) => key))
  const rows = groups.map(({ name, placed: group }) => {
    const { entry, setting, options, rowValue } = group[0]!
    const label = settingLabel({ setting, options }).trim()
    return {
      names: [
        ...name,
        models.of(entry.key.model),
        label,
        ...(layout.rowOption === undefined ? [] : [rowValue]),
      ],
      cells: cellsOf(
        layout,
        group.map(one => one.entry),
      ),
    }
  })
  const columns = (rows[0]?.cells ?? []).map(({ column }) => column)
  const known = columns.filter((_, at) => rows.some(({ cells }) => typeof cells[at]?.mean === 'number'))
  return {
    heads: [
      ...(layout.groupRows === undefined ? [] : ['group']),
      ...['model', 'setting'],
      ...(layout.rowOption === undefined ? [] : [layout.rowOption.option]),
    ],
    columns: known,
    rows:
      known.length === 0
        ? []
        : rows.map(row => ({ ...row, cells: row.cells.filter(({ column }) => known.includes(column)) })),
  }
}

/** Orders rows by their group; leaves them in their order, without a group, when the layout has none. */
function inGroups(
  { groupRows }: MatrixLayout,
  rows: readonly (readonly Placed[])[],
  stated: StatedReasoning,
): { readonly name: readonly string[]; readonly placed: readonly Placed[] }[] {
  if (groupRows === undefined) return rows.map(placed => ({ name: [], placed }))
  const groupOf = (placed: readonly Placed[]): ReasoningGroup =>
    reasoningGroupOf(
      placed.map(({ entry }) => entry),
      stated,
    )
  return reasoningGroups.flatMap(group =>
    rows.filter(placed => groupOf(placed) === group).map(placed => ({ name: [group], placed })),
  )
}

function placedEntry({ blocks, rowOption }: MatrixLayout, entry: Entry): Placed {
  const { setting } = entry.key
  const shownApart = [
    ...blocks.flatMap(({ by }) => ('option' in by ? [by] : [])),
    ...(rowOption === undefined ? [] : [rowOption]),
  ]
  return {
    entry,
    setting: blocks.some(({ by }) => 'setting' in by) ? '' : setting,
    options: shownApart.reduce(withoutOption, entry.key.options),
    rowValue: rowOption === undefined ? '' : optionValue(entry, rowOption),
  }
}

const rowKey = ({ entry, setting, options, rowValue }: Placed): string =>
  JSON.stringify([entry.key.model, setting, optionsText(options), rowValue])

function comparePlaced(a: Placed, b: Placed): number {
  const { model } = a.entry.key
  return compareArms({ ...a, model }, { ...b, model: b.entry.key.model })
}

/** Removes an option. What follows a colon in its value, such as `published`, stays under its own name. */
function withoutOption(options: ArmOptions, { option }: MatrixOption): ArmOptions {
  const [, rest] = options[option]?.split(':') ?? []
  return { ...withoutOptions(options, [option]), ...(rest === undefined ? {} : { [option]: rest }) }
}

function optionValue({ key }: Entry, { option, default: usual }: MatrixOption): string {
  return key.options[option]?.split(':')[0] ?? usual
}

function valueOfBlock(entry: Entry, { by }: MatrixBlock): string | null {
  if ('facet' in by) return facetOf(entry.attempt, by.facet)
  return 'option' in by ? optionValue(entry, by) : entry.key.setting
}

function cellsOf({ blocks, metric, totals }: MatrixLayout, entries: readonly Entry[]): CountCell[] {
  const cells = blocks.flatMap(block => blockCells(block, metric, entries))
  if (totals === undefined) return cells
  const tasks = [...groupBy(entries, ({ attempt }) => attempt.taskId).values()]
  const ofTasks = tasks.flatMap(own => meanOf(answersOf(own, metric)) ?? [])
  return [
    ...cells,
    meanCell(totals.answers, answersOf(entries, metric)),
    { ...meanCell(totals.tasks, ofTasks), part: ofTasks.length },
  ]
}

function blockCells(block: MatrixBlock, metric: string, entries: readonly Entry[]): CountCell[] {
  const cells = block.values.map(({ value, head }) => {
    const own = entries.filter(entry => valueOfBlock(entry, block) === value)
    return meanCell(head, answersOf(own, metric))
  })
  const means = cells.flatMap(({ mean }) => mean ?? [])
  const mean = means.length < cells.length ? null : meanOf(means)
  const range = mean === null || mean === 0 ? null : (Math.max(...means) - Math.min(...means)) / mean
  const answers = cells.reduce((sum, { part }) => sum + part, 0)
  const summary = (column: string | undefined, value: number | null): CountCell[] =>
    column === undefined ? [] : [{ ...noCount, column, part: answers, mean: value }]
  return [...cells, ...summary(block.mean, mean), ...summary(block.range, range)]
}

const meanOf = (values: readonly number[]): number | null => (values.length === 0 ? null : meanOfSome(values))

const noCount = { whole: null, low: null, high: null } as const

function meanCell(column: string, values: readonly number[]): CountCell {
  return { ...noCount, column, part: values.length, mean: meanOf(values) }
}

/** Returns the values of a metric, one for each question of a conversation. */
function answersOf(entries: readonly Entry[], metric: string): number[] {
  return entries.flatMap(({ score }) => {
    const answers = score?.turns?.map(turn => turn.metrics) ?? [score?.metrics ?? {}]
    return answers.flatMap(metrics => metrics[metric] ?? [])
  })
}
