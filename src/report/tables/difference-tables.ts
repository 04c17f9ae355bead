import type { MetricDefinition } from '../../core/metric.ts'
import { type ArmCell, type MeasuredCell, makeTable, type Table } from '../../core/table.ts'
import { isInTable, testFamilies } from '../model/differences.ts'
import { findMetric, listScoringMetrics, type RunScorers } from '../model/metrics.ts'
import type { ReportArm } from '../model/report.ts'
import type {
  DegradationRow,
  DifferenceRange,
  DifferenceRow,
  PooledDifference,
  UnscoredSensitivity,
} from '../model/report-rows.ts'
import { listScorings, nameScoring } from '../model/scorings.ts'
import { makeFacetColumn, makeModelColumn, measureCell, nameDomain, nameFacet } from './columns.ts'
import { listFewGroupsRemarks } from './few-groups.ts'
import { withKnownColumns } from './text-table.ts'
import { convertToUnits, formatMetric, formatP, type Measurement } from './value-text.ts'

/** The differences to show, with the arms, the metrics and the facet that name them. */
interface DifferenceTablesSource {
  readonly differences: readonly DifferenceRow[]
  readonly arms: readonly ReportArm[]
  readonly scorers: RunScorers
  readonly facet: string
}

/**
 * Shows the differences between arms: in the primary metric for every domain, in the others over all tasks. Of several
 * arms of a setting, each is compared with the default or the first one, unless all pairs are asked for. With `allMetrics`,
 * all metrics have rows for every domain.
 */
export function makeDifferenceTables(
  { differences, arms, scorers, facet }: DifferenceTablesSource,
  {
    allPairs = false,
    allMetrics = false,
  }: { readonly allPairs?: boolean; readonly allMetrics?: boolean } = {},
): Table[] {
  const side = makeArmCells(arms)
  const areSomeLeftOut = !allPairs && differences.some(row => !row.againstFirst)
  const families = testFamilies(differences, scorers).filter(([first]) => {
    return (allPairs || first!.againstFirst) && (allMetrics || isInTable(first!, scorers))
  })
  return families.map(family => {
    const rows = family.map(row => ({ row, metric: findMetric(scorers, row.scorer, row.metric)! }))
    const [first] = family
    const titleEnd = first!.againstFirst ? '' : ', other pairs'
    const part = isInTable(first!, scorers) ? titleEnd : `${titleEnd}, other metrics`
    return makeTable({
      title: `Differences between settings${part} (${nameScoring(first!)})`,
      rows,
      columns: column => [
        column('from', 'arm', ({ row }) => side(row, row.fromArm)),
        column('to', 'arm', ({ row }) => side(row, row.arm)),
        column('model', 'model', ({ row }) => row.model),
        column(nameFacet(facet), 'text', ({ row }) => nameDomain(row.domain, facet)),
        column('metric', 'text', ({ metric }) => metric.label),
        column('n', 'count', ({ row }) => row.n),
        column('groups', 'count', ({ row }) => row.components),
        column('difference', 'change', ({ row, metric }) => measureCell(metric, makeSimultaneous(row)), {
          head: 'difference [95%]',
        }),
        column('p Holm', 'p', ({ row }) => row.pValueHolm),
        column('detectable', 'mean', ({ row, metric }) => ({ unit: metric.unit, mean: row.detectable })),
        column('difference alone', 'change', ({ row, metric }) => measureCell(metric, row), {
          detail: true,
        }),
        column('p', 'p', ({ row }) => row.pValue, { detail: true }),
      ],
      remarks: [
        `difference: to minus from, in ${formatPoints(rows.map(({ metric }) => metric))}, paired over the n tasks scored in both. groups: the independent units, which are groups of tasks that share documents.`,
        ...listFamilyRemarks(family),
        ...listFewGroupsRemarks(family),
        ...lowerRemark(rows.map(({ metric }) => metric)),
        ...(areSomeLeftOut
          ? [
              'Each arm is compared with the default or the first one of its setting. --json contains all pairs.',
            ]
          : []),
      ],
    })
  })
}

/** Returns a function that names a side of a difference. Differences between models name the model on both sides. */
function makeArmCells(arms: readonly ReportArm[]): (row: DifferenceRow, id: string) => ArmCell | null {
  const armOfId = new Map(arms.map(arm => [arm.id, arm]))
  return ({ arm, fromArm }, id) => {
    const reportArm = armOfId.get(id)
    if (reportArm === undefined) return null
    const isBetweenModels = armOfId.get(arm)?.model !== armOfId.get(fromArm)?.model
    const { setting, options, model } = reportArm
    return { setting, options, ...(isBetweenModels ? { model } : {}) }
  }
}

/** A difference that is tested among others. */
export type TestedDifference = DifferenceRow | PooledDifference

/** Returns a difference with the interval that belongs to its adjusted p-value. */
export function makeSimultaneous(row: TestedDifference): Measurement {
  return { ...row, low: row.simultaneousLow, high: row.simultaneousHigh }
}

/** Writes the p-value of a difference with the number of tests, and the smallest difference that its run detects. */
export function testTexts(row: TestedDifference, metric: MetricDefinition): string[] {
  const { pValueHolm, leastHolm, detectable, tests } = row
  if (pValueHolm === null || leastHolm === null) return []
  const p = formatP(pValueHolm).replace(/^(?!<)/, '=')
  const texts = tests === 1 ? [`p${p}`] : [`Holm p${p} of ${tests} tests`]
  if (leastHolm > 0.05)
    return [...texts, `which is at least ${formatP(leastHolm)} with ${row.components} groups`]
  if (detectable === null) return texts
  const [least, most] = metric.range
  if (least !== null && most !== null && detectable > most - least)
    return [...texts, `no possible difference is detectable with ${row.components} groups`]
  return [...texts, `detectable from ${formatMetric(metric, detectable)}`]
}

/** Says what p-values and intervals cover, and when no p can be small enough. Empty without any p-value. */
export function listFamilyRemarks(
  rows: readonly TestedDifference[],
  { hasDetectable = true }: { readonly hasDetectable?: boolean } = {},
): string[] {
  const tested = rows.filter(({ pValue }) => pValue !== null)
  const [first] = tested
  if (first === undefined) return []
  const { tests } = first
  const testRemark =
    tests === 1
      ? 'Brackets: 95% interval. p: permutation test that flips the signs of whole groups.'
      : `Brackets and p Holm are for all ${tests} tests of this table together: simultaneous 95% intervals, and permutation tests that flip the signs of whole groups, corrected by Holm's method.`
  const hopeless = tested.flatMap(({ leastHolm }) =>
    leastHolm !== null && leastHolm > 0.05 ? [leastHolm] : [],
  )
  const count = hopeless.length === tests ? '' : ` for ${hopeless.length} of ${tests} rows`
  return [
    testRemark,
    ...(hasDetectable
      ? [
          'detectable: the smallest difference that 80% of such runs find with p Holm at most 0.05. –: none, or no spread.',
        ]
      : []),
    ...(hopeless.length === 0
      ? []
      : [
          `p Holm cannot reach 0.05${count}, whatever the difference: with so few groups and ${tests} tests it is at least ${formatP(Math.min(...hopeless))}. Use more groups, or compare fewer arms.`,
        ]),
  ]
}

/**
 * Shows how much the differences of the primary metric over all tasks depend on single groups of tasks and on unscored
 * attempts.
 */
export function makeSensitivityTables({ differences, arms, scorers }: DifferenceTablesSource): Table[] {
  const side = makeArmCells(arms)
  return testFamilies(differences, scorers).flatMap(family => {
    const [first] = family
    const { primary } = listScoringMetrics(scorers, first!.scorer)
    const rows = family.filter(row => row.domain === 'all' && row.metric === primary?.key && row.againstFirst)
    if (primary === null || rows.length === 0) return []
    const { unit } = primary
    const rangeCell = (range: DifferenceRange | null | undefined) => (range ? { unit, ...range } : null)
    const count = (readCount: (unscored: UnscoredSensitivity) => number) => (row: DifferenceRow) =>
      row.unscored === undefined ? null : readCount(row.unscored)
    const table = makeTable({
      title: `What the differences depend on: ${primary.label} (${nameScoring(first!)})`,
      rows,
      columns: column => [
        column('from', 'arm', row => side(row, row.fromArm)),
        column('to', 'arm', row => side(row, row.arm)),
        column('model', 'model', row => row.model),
        column('difference', 'change', row => ({ unit, mean: row.mean })),
        column('without one group', 'changes', row => rangeCell(row.withoutOneGroup)),
        column(
          'unscored from',
          'count',
          count(unscored => unscored.from),
        ),
        column(
          'unscored to',
          'count',
          count(unscored => unscored.to),
        ),
        column(
          'content filter',
          'count',
          count(unscored => unscored.filteredFrom + unscored.filteredTo),
        ),
        column('unscored at extremes', 'changes', row => rangeCell(row.unscored?.extremes)),
      ],
      remarks: [
        'without one group: the range of the difference when any single group of tasks is left out.',
        ...(rows.some(({ unscored }) => unscored !== undefined)
          ? [
              'unscored: attempts without a score at tasks of both arms. content filter: those of both arms that the content filter of a provider stopped.',
              'unscored at extremes: the range of the difference with the unscored attempts of one arm counted as the worst value and those of the other as the best.',
            ]
          : []),
      ],
    })
    return [withKnownColumns(table)]
  })
}

function formatPoints(metrics: readonly MetricDefinition[]): string {
  return metrics.every(metric => metric.unit === 'share')
    ? 'percentage points'
    : 'percentage points for shares and in their own units for other metrics'
}

/** Names the metrics where lower is better. */
function lowerRemark(metrics: readonly MetricDefinition[]): string[] {
  const labels = new Set(metrics.filter(({ better }) => better === 'lower').map(({ label }) => label))
  return labels.size === 0 ? [] : [`Lower is better: ${[...labels].join(', ')}.`]
}

/** Table 6 of the AOE paper marks changes of more than two points. The rest is for rounding: 0.52 - 0.5 exceeds 0.02. */
const arrowAbove = 2 + 1e-7

/** Marks a mean that differs from offline by more than two points. */
function markMean(metric: MetricDefinition, mean: number | null, offline: number): MeasuredCell {
  const isLarge = mean !== null && Math.abs(convertToUnits(metric, mean - offline)) > arrowAbove
  return { unit: metric.unit, mean, ...(isLarge ? { arrow: mean > offline ? '↑' : '↓' } : {}) }
}

/** Shows the primary metric of offline, rag and the controls, and the differences between them. */
export function makeDegradationTables(report: {
  readonly degradation: readonly DegradationRow[]
  readonly scorers: RunScorers
  readonly facet: string
}): Table[] {
  return listScorings(report.degradation).flatMap(scoring => {
    const scoringRows = report.degradation.filter(row => nameScoring(row) === scoring)
    const { primary } = listScoringMetrics(report.scorers, scoringRows[0]?.scorer ?? 'none')
    const rows = scoringRows.filter(row => row.metric === primary?.key)
    return primary === null ? [] : [makeDegradationTable(rows, primary, { scoring, facet: report.facet })]
  })
}

function makeDegradationTable(
  rows: readonly DegradationRow[],
  metric: MetricDefinition,
  { scoring, facet }: { readonly scoring: string; readonly facet: string },
): Table {
  const controls = (['oracle', 'random'] as const).filter(arm => rows.some(row => row[arm] !== null))
  const losses = pickShownLosses(metric, controls)
  return makeTable({
    title: `What RAG loses, by cause: ${metric.label} (${scoring})`,
    rows,
    columns: column => [
      makeFacetColumn(facet),
      makeModelColumn(),
      column('rag', 'options', ({ options }) => ({ setting: 'rag', options })),
      column('n', 'count', row => row.n),
      column('groups', 'count', row => row.total.components),
      column('offline', 'mean', row => ({ unit: metric.unit, mean: row.offline })),
      ...(['rag', ...controls] as const).map(arm =>
        column(arm, 'mean', (row: DegradationRow) => markMean(metric, row[arm], row.offline)),
      ),
      ...losses.map(({ head, of }) =>
        column(head, 'change', (row: DegradationRow) => measureCell(metric, of(row) ?? undefined)),
      ),
    ],
    remarks: [
      `${metric.unit === 'share' ? 'Means in percent' : 'Means'} over the n tasks scored in every arm. The trials of a task are averaged first. Brackets: 95% interval over groups of tasks that share documents. Arrows: more than 2 points from offline.`,
      ...listFewGroupsRemarks(rows.map(({ total }) => total)),
      ...losses.flatMap(({ head, meaning }) => (meaning === null ? [] : [`${head}: ${meaning}.`])),
      ...lowerRemark([metric]),
    ],
  })
}

/** A column with a loss, which is a difference between two arms. */
interface LossColumn {
  readonly head: string
  /** What the loss means. Null when the head is enough. */
  readonly meaning: string | null
  of(row: DegradationRow): DegradationRow['retrieval']
}

/** Returns the losses that can be computed with these controls. */
function pickShownLosses(
  { better }: MetricDefinition,
  controls: readonly ('oracle' | 'random')[],
): LossColumn[] {
  // A loss is positive.
  const head = (from: string, to: string): string =>
    better === 'higher' ? `${from} - ${to}` : `${to} - ${from}`
  const total: LossColumn = { head: head('offline', 'rag'), meaning: null, of: row => row.total }
  const byOracle: LossColumn[] = [
    { head: head('offline', 'oracle'), meaning: 'loss from the smaller context', of: row => row.lessContext },
    { head: head('oracle', 'rag'), meaning: 'loss from imperfect retrieval', of: row => row.retrieval },
  ]
  const byRandom: LossColumn[] = [
    { head: head('rag', 'random'), meaning: 'gain of retrieval over random chunks', of: row => row.earned },
  ]
  return [
    total,
    ...(controls.includes('oracle') ? byOracle : []),
    ...(controls.includes('random') ? byRandom : []),
  ]
}
