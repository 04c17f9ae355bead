import { type ArmOptions, hasOptions, isSameArm, withoutOptions } from '../../core/arm.ts'
import type { MatrixLayout, SharesLayout, TallyLayout } from '../../core/table-layout.ts'
import { ratioInterval } from '../../score/statistics/intervals.ts'
import { modelNaming, settingLabel } from '../model/arm-names.ts'
import { compareText, type Entry, groupBy, groupByKey, isScored } from '../model/entries.ts'
import { facetOf } from '../model/facets.ts'
import type { RunBenchmarks } from '../model/pooled-layouts.ts'
import type { GroupKey } from '../model/report-group.ts'
import { scoringOf } from '../model/scorings.ts'
import type { CountCell, CountTable, CountTableBody } from './count-table.ts'
import { matrixTable } from './matrix-table.ts'
import { reasoningRemark, type StatedReasoning } from './reasoning-groups.ts'

type Arm = { readonly key: GroupKey; readonly entries: readonly Entry[] }

/**
 * Makes the tables of counts and of means of the attempts' benchmarks. Leaves out tables without rows.
 *
 * @param stated the models that reason, for tables that group rows by it
 */
export function countTables(
  entries: readonly Entry[],
  benchmarks: RunBenchmarks,
  stated: StatedReasoning = null,
): CountTable[] {
  return Object.entries(benchmarks).flatMap(([name, { layouts }]) => {
    const own = entries.filter(({ attempt }) => attempt.benchmark === name)
    return layouts.flatMap(layout =>
      layout.kind === 'shares' || layout.kind === 'tally' || layout.kind === 'matrix'
        ? tablesOf(layout, own, stated)
        : [],
    )
  })
}

function tablesOf(
  layout: SharesLayout | TallyLayout | MatrixLayout,
  entries: readonly Entry[],
  stated: StatedReasoning,
): CountTable[] {
  const isGrouped = layout.kind === 'matrix' && layout.groupRows !== undefined
  const remark = isGrouped ? `${layout.remark} ${reasoningRemark}` : layout.remark
  const fitting = entries.filter(entry => layout.scorers.includes(entry.key.scorer) && isScored(entry))
  const scorings = [...groupBy(fitting, ({ key }) => JSON.stringify([key.scorer, key.judge])).values()]
  return scorings.flatMap((own, at) => {
    const { scorer, judge } = own[0]!.key
    const table = bodyOf(layout, own, stated)
    if (table.rows.length === 0) return []
    const id = at === 0 ? layout.id : `${layout.id}-${at + 1}`
    const title = `${layout.title}, ${scoringOf({ scorer, judge })}`
    return [{ id, title, scorer, judge, remark, ...table }]
  })
}

function bodyOf(
  layout: SharesLayout | TallyLayout | MatrixLayout,
  entries: readonly Entry[],
  stated: StatedReasoning,
): CountTableBody {
  switch (layout.kind) {
    case 'shares':
      return sharesTable(layout, entries)
    case 'tally':
      return tallyTable(layout, entries)
    case 'matrix':
      return matrixTable(layout, entries, stated)
  }
}

function sharesTable(layout: SharesLayout, entries: readonly Entry[]): CountTableBody {
  const arms = shownArms(groupByKey(entries), layout.option)
  const models = modelNaming(entries.map(({ key }) => key))
  const shown = arms.flatMap(arm => arm.entries)
  const values = [...new Set(shown.map(entry => facetValueOf(entry, layout)))].sort(compareText)
  const rows = arms.map(({ key, entries: own }) => ({
    names: [models.of(key.model), settingLabel(key)],
    cells: shareCells(layout, own, values),
  }))
  const hasTotal = layout.option === undefined && rows.length > 1
  const total = { names: ['all arms', ''], cells: shareCells(layout, shown, values) }
  return {
    heads: ['model', 'setting'],
    columns: ['valid', ...values, 'all', 'of valid'],
    rows: hasTotal ? [...rows, total] : rows,
  }
}

/** Returns all arms, or those with an option, each after the same arm without it. */
function shownArms(arms: readonly Arm[], option: ArmOptions | undefined): readonly Arm[] {
  if (option === undefined) return arms
  return arms.flatMap(arm => {
    if (!hasOptions(arm.key, option)) return []
    const plain = { ...arm.key, options: withoutOptions(arm.key.options, Object.keys(option)) }
    const without = arms.find(({ key }) => isSameArm(key, plain))
    return without === undefined ? [] : [without, arm]
  })
}

function facetValueOf({ attempt }: Entry, { by }: SharesLayout): string {
  return facetOf(attempt, by) ?? attempt.domain
}

function shareCells(layout: SharesLayout, entries: readonly Entry[], values: readonly string[]): CountCell[] {
  const answered = entries.filter(({ score }) => score?.answered === true)
  const share = (column: string, own: readonly Entry[]): CountCell => ({
    column,
    part: sumOf(own, layout.part),
    whole: sumOf(own, layout.whole),
    ...{ low: null, high: null },
  })
  return [
    { column: 'valid', part: answered.length, whole: entries.length, low: null, high: null },
    ...values.map(value =>
      share(
        value,
        entries.filter(entry => facetValueOf(entry, layout) === value),
      ),
    ),
    { ...share('all', entries), ...intervalOf(layout, entries) },
    share('of valid', answered),
  ]
}

function sumOf(entries: readonly Entry[], count: string): number {
  return entries.reduce((sum, { score }) => sum + (score?.counts[count] ?? 0), 0)
}

function intervalOf(
  { part, whole }: SharesLayout,
  entries: readonly Entry[],
): Pick<CountCell, 'low' | 'high'> {
  const parts = entries.map(entry => ({
    component: entry.component,
    part: sumOf([entry], part),
    whole: sumOf([entry], whole),
  }))
  const { low = null, high = null } = ratioInterval(parts) ?? {}
  return { low, high }
}

function tallyTable(layout: TallyLayout, entries: readonly Entry[]): CountTableBody {
  const arms = groupByKey(entries)
  const models = modelNaming(entries.map(({ key }) => key))
  const columns = arms.map(({ key }) => `${models.of(key.model)}, ${settingLabel(key)}`)
  const named = arms.map(({ entries: own }) =>
    own.filter(isScored).flatMap(({ score }) => layout.of(score) ?? []),
  )
  const names = [...groupBy(named.flat(), name => name)].sort(([, a], [, b]) => b.length - a.length)
  const row = (name: string, count: (own: readonly string[]) => number) => ({
    names: [name],
    cells: named.map((own, at) => ({
      ...{ column: columns[at]!, part: count(own) },
      ...{ whole: null, low: null, high: null },
    })),
  })
  const rows = names.map(([name]) => row(name, own => own.filter(one => one === name).length))
  return {
    heads: ['failure'],
    columns,
    rows: rows.length === 0 ? [] : [...rows, row('all', own => own.length)],
  }
}
