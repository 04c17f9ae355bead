import { type Arm, armKey, hasOptions, isSameArm, settingLabel, withoutOptions } from '../../core/arm.ts'
import { groupBy } from '../../core/group-by.ts'
import type { MetricDefinition } from '../../core/metric.ts'
import type { LayoutRows } from '../../core/table-layout.ts'
import { averageKnown, computeClusterMeans, computeMean } from '../../score/statistics/clusters.ts'
import { isOfflineCounterpart } from '../model/degradation.ts'
import { type Entry, groupByDomain, isScored } from '../model/entries.ts'
import { reportGroups } from '../model/groups.ts'
import { listMetricValues } from '../model/measures.ts'
import type { RunScorers } from '../model/metrics.ts'
import type { ReportGroup } from '../model/report-group.ts'
import { convertToUnits } from '../tables/value-text.ts'
import type { PaperCell, PaperRow } from './paper-table.ts'

// Adding the same numbers in another order can change their mean by this much.
const noChange = 1e-9

/** How a row marks its changes against another row. */
interface Arrows {
  readonly change: Change
  readonly above: number
}

function makePaperCell(group: ReportGroup, metric: MetricDefinition, arrows: Arrows | null): PaperCell {
  const summary = group.metrics[metric.key]
  const printValue = (value: number | null | undefined): number | null =>
    value === null || value === undefined ? null : convertToUnits(metric, value)
  const change = arrows === null ? 0 : arrows.change(group.domain, metric)
  const isMarked = arrows !== null && Math.abs(change) > arrows.above + noChange
  return {
    domain: group.domain,
    metric: metric.key,
    value: printValue(summary?.mean),
    low: printValue(summary?.low),
    high: printValue(summary?.high),
    ...(summary?.unseenShare === undefined ? {} : { unseenShare: summary.unseenShare }),
    valueUnscoredAsZero: printValue(summary?.meanUnscoredAsZero),
    bounds:
      summary?.bounds == null
        ? null
        : {
            low: convertToUnits(metric, summary.bounds.low),
            high: convertToUnits(metric, summary.bounds.high),
          },
    n: group.n,
    components: summary?.components ?? 0,
    unscored: group.unscored,
    arrow: isMarked ? (change > 0 ? '↑' : '↓') : '',
  }
}

/** The groups of one arm: one for each domain, and their mean. */
interface Family extends Arm {
  readonly groups: readonly ReportGroup[]
}

/** Groups the groups of a report by arm. The mean over all tasks is left out. */
export function groupFamilies(groups: readonly ReportGroup[]): Family[] {
  const families = groupBy(
    groups.filter(group => group.domain !== 'all'),
    armKey,
  )
  return [...families.values()].map(familyGroups => {
    const { setting, options, model } = familyGroups[0]!
    return { setting, options, model, groups: familyGroups }
  })
}

/** The data from which the rows of one table are made. */
interface TableSource {
  readonly metrics: readonly MetricDefinition[]
  readonly families: readonly Family[]
  /** The entries of the table's scoring. Their domains are values of its facet. */
  readonly entries: readonly Entry[]
  readonly scorers: RunScorers
}

function makePaperRow(
  label: string,
  family: Family,
  { metrics }: TableSource,
  arrows: Arrows | null = null,
): PaperRow {
  const whole = family.groups.find(group => group.domain === 'allByDomain')
  return {
    model: family.model,
    label,
    n: whole?.n ?? 0,
    unscored: whole?.unscored ?? 0,
    unratedItems: whole?.unratedItems ?? 0,
    cells: family.groups.flatMap(group => metrics.map(metric => makePaperCell(group, metric, arrows))),
  }
}

/** Makes the rows of a table as its layout says. */
export function listLayoutRows(rows: LayoutRows, source: TableSource): PaperRow[] {
  switch (rows.kind) {
    case 'arms':
      return listArmRows(rows, source)
    case 'settings':
      return listSettingRows(rows, source)
    case 'option':
      return listOptionRows(rows, source)
    default:
      return rows satisfies never
  }
}

/** Makes rows for the arms of some settings, over all attempts or over parts of them. */
function listArmRows(
  { settings, parts, meanOfModels }: Extract<LayoutRows, { kind: 'arms' }>,
  source: TableSource,
): PaperRow[] {
  const { families, entries, scorers } = source
  const shown = families.filter(({ setting }) => settings?.some(name => setting.startsWith(name)) !== false)
  if (parts === undefined) {
    const rows = shown.map(family => makePaperRow(settingLabel(family), family, source))
    return meanOfModels === true ? [...rows, ...averageModels(rows)] : rows
  }
  const answered = groupFamilies(
    reportGroups(
      entries.filter(entry => isScored(entry) && entry.score.answered),
      scorers,
    ),
  )
  return shown.flatMap(family =>
    parts.flatMap(({ label, attempts }) => {
      const armFamily = attempts === 'all' ? family : answered.find(candidate => isSameArm(candidate, family))
      return armFamily === undefined
        ? []
        : [makePaperRow(`${settingLabel(family)}, ${label}`, armFamily, source)]
    }),
  )
}

/** Makes a row with the mean of the models' numbers for each label that several models have. Means have no interval. */
function averageModels(rows: readonly PaperRow[]): PaperRow[] {
  return [...groupBy(rows, row => row.label).values()].flatMap(labelRows => {
    const [first, second] = labelRows
    if (first === undefined || second === undefined) return []
    const cells = groupBy(
      labelRows.flatMap(row => row.cells),
      cell => JSON.stringify([cell.domain, cell.metric]),
    )
    return [
      {
        model: `mean of ${labelRows.length} models`,
        label: first.label,
        n: sumOver(labelRows, row => row.n),
        unscored: sumOver(labelRows, row => row.unscored),
        unratedItems: sumOver(labelRows, row => row.unratedItems),
        cells: [...cells.values()].map(same => ({
          ...same[0]!,
          value: meanKnown(same.map(cell => cell.value)),
          valueUnscoredAsZero: meanKnown(same.map(cell => cell.valueUnscoredAsZero)),
          bounds: meanBounds(same),
          low: null,
          high: null,
          arrow: '' as const,
          n: sumOver(same, cell => cell.n),
          components: Math.max(...same.map(cell => cell.components)),
          unscored: sumOver(same, cell => cell.unscored),
        })),
      },
    ]
  })
}

function meanBounds(cells: readonly PaperCell[]): PaperCell['bounds'] {
  if (cells.every(({ bounds }) => bounds === null)) return null
  const [low, high] = (['low', 'high'] as const).map(side =>
    meanKnown(cells.map(({ bounds, value }) => bounds?.[side] ?? value)),
  )
  return low == null || high == null ? null : { low, high }
}

function sumOver<T>(items: readonly T[], readValue: (item: T) => number): number {
  return items.reduce((sum, item) => sum + readValue(item), 0)
}

/** Returns null when any value is unknown, because a mean over the other models would mislead. */
function meanKnown(values: readonly (number | null)[]): number | null {
  const knownValues = values.filter(value => value !== null)
  return knownValues.length < values.length ? null : computeMean(knownValues)
}

/** Makes a row for each arm of one setting, then rows for the same arm in another, with arrows for larger changes. */
function listSettingRows(
  { base, compared, arrowsAbove }: Extract<LayoutRows, { kind: 'settings' }>,
  source: TableSource,
): PaperRow[] {
  const { families, entries } = source
  return families
    .filter(family => family.setting === base)
    .flatMap(from => {
      const comparedFamilies = families.filter(
        family =>
          family.setting === compared &&
          family.model === from.model &&
          isOfflineCounterpart(from.options, family.options),
      )
      if (comparedFamilies.length === 0) return []
      const label = settingLabel({ setting: from.model, options: from.options })
      return [
        makePaperRow(label, from, source),
        ...comparedFamilies.map(family => {
          const arrows = { change: makeChange(family, from, entries), above: arrowsAbove }
          return makePaperRow(`+ ${settingLabel(family)}`, family, source, arrows)
        }),
      ]
    })
}

/** Makes a row for each arm with an option, then a row for the arm without it. */
function listOptionRows(
  { option, label, arrowsAbove }: Extract<LayoutRows, { kind: 'option' }>,
  source: TableSource,
): PaperRow[] {
  const { families, entries } = source
  return families
    .filter(family => hasOptions(family, option))
    .flatMap(family => {
      const plain = { ...family, options: withoutOptions(family.options, Object.keys(option)) }
      const without = families.find(candidate => isSameArm(candidate, plain))
      if (without === undefined) return []
      const arrows = { change: makeChange(without, family, entries), above: arrowsAbove }
      return [
        makePaperRow(settingLabel(family), family, source),
        makePaperRow(`${settingLabel(without)} ${label}`, without, source, arrows),
      ]
    })
}

/** Returns the change of a row in a metric against its base row, for a domain, in the metric's printed unit. */
type Change = (domain: string, metric: MetricDefinition) => number

/** Averages the change over the tasks with a value on both sides. Returns null when there is no such task. */
function averageChange(
  after: readonly Entry[],
  before: readonly Entry[],
  metric: MetricDefinition,
): number | null {
  const earlier = computeClusterMeans(listMetricValues(before, metric.key))
  const changes = [...computeClusterMeans(listMetricValues(after, metric.key))].flatMap(([task, value]) => {
    const base = earlier.get(task)
    return base === undefined ? [] : [convertToUnits(metric, value - base)]
  })
  return averageKnown(changes)
}

/** Compares the entries of a row with those of its base row. `allByDomain` is the mean of the domains' changes. */
function makeChange(row: Arm, base: Arm, entries: readonly Entry[]): Change {
  const before = filterByArm(base, entries)
  const domains = new Map(groupByDomain(filterByArm(row, entries)))
  return (domain, metric) => {
    const names = domain === 'allByDomain' ? [...domains.keys()] : [domain]
    const changes = names.flatMap(name => averageChange(domains.get(name) ?? [], before, metric) ?? [])
    return changes.length === 0 ? 0 : computeMean(changes)
  }
}

function filterByArm(arm: Arm, entries: readonly Entry[]): Entry[] {
  return entries.filter(({ key }) => isSameArm(key, arm))
}
