import type { SharesLayout, TallyLayout } from '../../core/table-layout.ts'
import { ratioInterval } from '../../score/statistics/intervals.ts'
import { modelNaming, settingLabel } from '../model/arm-names.ts'
import { compareText, type Entry, groupBy, groupByKey, isScored } from '../model/entries.ts'
import { facetOf } from '../model/facets.ts'
import type { RunBenchmarks } from '../model/pooled-layouts.ts'
import type { GroupKey } from '../model/report-group.ts'
import { scoringOf } from '../model/scorings.ts'

/** One cell of a table of counts. */
export interface CountCell {
  readonly column: string
  readonly part: number
  /** Null for a plain count. */
  readonly whole: number | null
  /** The ends of the 95% interval of the share, over groups of tasks that share documents. Null when not computed. */
  readonly low: number | null
  readonly high: number | null
}

/** A table in the layout of a benchmark's paper that pools attempts, for one scorer and judge. */
export interface CountTable {
  /** The id of its layout, with a number for further scorings: `table5-2`. */
  readonly id: string
  readonly title: string
  readonly profile: string
  readonly judge: string
  readonly columns: readonly string[]
  /** The names of the columns before the cells. */
  readonly heads: readonly string[]
  readonly rows: readonly { readonly names: readonly string[]; readonly cells: readonly CountCell[] }[]
  readonly remark: string
}

type Arm = { readonly key: GroupKey; readonly entries: readonly Entry[] }

/** Makes the tables of counts of the attempts' benchmarks. Leaves out tables without rows. */
export function countTables(entries: readonly Entry[], benchmarks: RunBenchmarks): CountTable[] {
  return Object.entries(benchmarks).flatMap(([name, { layouts }]) => {
    const own = entries.filter(({ attempt }) => attempt.benchmark === name)
    return layouts.flatMap(layout =>
      layout.kind === 'shares' || layout.kind === 'tally' ? tablesOf(layout, own) : [],
    )
  })
}

function tablesOf(layout: SharesLayout | TallyLayout, entries: readonly Entry[]): CountTable[] {
  const fitting = entries.filter(entry => layout.scorers.includes(entry.key.profile) && isScored(entry))
  const scorings = [...groupBy(fitting, ({ key }) => JSON.stringify([key.profile, key.judge])).values()]
  return scorings.flatMap((own, at) => {
    const { profile, judge } = own[0]!.key
    const table = layout.kind === 'shares' ? sharesTable(layout, own) : tallyTable(layout, own)
    if (table.rows.length === 0) return []
    const id = at === 0 ? layout.id : `${layout.id}-${at + 1}`
    const title = `${layout.title}, ${scoringOf({ profile, judge })}`
    return [{ id, title, profile, judge, remark: layout.remark, ...table }]
  })
}

type Body = Pick<CountTable, 'heads' | 'columns' | 'rows'>

function sharesTable(layout: SharesLayout, entries: readonly Entry[]): Body {
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
function shownArms(arms: readonly Arm[], option: string | undefined): readonly Arm[] {
  if (option === undefined) return arms
  return arms.flatMap(arm => {
    const parts = arm.key.variant.split(',')
    if (!parts.includes(option)) return []
    const variant = parts.filter(part => part !== option).join(',')
    const without = arms.find(
      ({ key }) => key.variant === variant && key.setting === arm.key.setting && key.model === arm.key.model,
    )
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

function tallyTable(layout: TallyLayout, entries: readonly Entry[]): Body {
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
