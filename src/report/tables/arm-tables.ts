import type { MetricDefinition } from '../../core/metric.ts'
import { column, makeTable, type ReadColumn, type Table } from '../../core/table.ts'
import { nameModels } from '../model/arm-names.ts'
import { type ArmStanding, listArmStandings, sortLosses } from '../model/arm-standings.ts'
import { listScoringMetrics } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { DifferenceRow, PooledDifference } from '../model/report-rows.ts'
import { listScorings, nameScoring } from '../model/scorings.ts'
import { lossClasses } from '../model/waterfall.ts'
import { makeModelColumn, makeSettingColumn, measureCell, nameFacet, nameFacets } from './columns.ts'
import { listFamilyRemarks, makeSimultaneous } from './difference-tables.ts'
import { listFewGroupsRemarks } from './few-groups.ts'
import { withKnownColumns } from './text-table.ts'
import { formatMetricHead, formatPercent } from './value-text.ts'

/** A row of the table of arms. */
interface ArmRow extends ArmStanding, Pick<ArmStanding['own'], 'setting' | 'options' | 'model'> {}

/**
 * Shows every arm with its score, its difference to the baseline, what it lost and what it cost. One table for each scoring,
 * whose tests are one family.
 */
export function makeArmTables(report: Report): Table[] {
  return listScorings(report.groups).flatMap(scoring => {
    const rows = listArmStandings(report, scoring).map((standing): ArmRow => {
      const { setting, options, model } = standing.own
      return { ...standing, setting, options, model }
    })
    const { primary, itemNoun: noun } = listScoringMetrics(report.scorers, rows[0]?.own.scorer ?? 'none')
    if (primary === null) return []
    const tests = rows.flatMap(({ difference }) => difference ?? [])
    const common = rows.find(({ group }) => group.domain === 'common')?.group.tasks
    const table = makeTable({
      title: `Arms (${scoring})`,
      rows,
      columns: column => [
        makeModelColumn(),
        makeSettingColumn(),
        column('scored', 'fraction', ({ own }) => ({ part: own.scored, whole: own.n })),
        column(primary.label, 'interval', ({ group }) => scoreCell(primary, group), {
          head: `${formatMetricHead(primary)} [95%]`,
        }),
        ...(common === undefined
          ? []
          : [column('own tasks', 'mean', ({ own }: ArmRow) => scoreCell(primary, own))]),
        ...(tests.length === 0 ? [] : makeDifferenceColumns(primary)),
        ...(rows.every(({ losses }) => losses.recall === null) ? [] : lossColumns),
        ...makeCostColumns(noun),
      ],
      remarks: [
        common === undefined
          ? `${primary.unit === 'share' ? 'Percent, means' : 'Means'} over scored attempts.`
          : `Over the ${common === 1 ? 'only task' : `${common} tasks`} that all arms scored. own tasks: the mean over all scored tasks of the arm.`,
        ...listDifferenceRemarks(tests),
        ...listFewGroupsRemarks([...rows.flatMap(({ group }) => group.metrics[primary.key] ?? []), ...tests]),
        `lost: the share of the gold ${noun}s that is not correct. largest loss: the largest class of lost ${noun}s, as a share of the gold ${noun}s.`,
        `US$ and seconds: means per attempt. /${noun}: what all scored attempts spent, divided by their correct ${noun}s.`,
      ],
    })
    return [withKnownColumns(table)]
  })
}

/** Returns the cell of a metric of an arm. */
export const scoreCell = (metric: MetricDefinition, { metrics }: ArmStanding['own']) =>
  measureCell(metric, metrics[metric.key])

function makeDifferenceColumns(metric: MetricDefinition): ReadColumn<ArmRow>[] {
  /** Reads a value of the difference. The baseline has none, which is not unknown. */
  const read =
    <Value>(readValue: (difference: DifferenceRow) => Value) =>
    ({ difference, isBaseline }: ArmRow): Value | '' | null =>
      difference === null ? (isBaseline ? '' : null) : readValue(difference)
  return [
    column(
      'difference',
      'change',
      read(difference => measureCell(metric, makeSimultaneous(difference))),
      { head: 'difference [95%]' },
    ),
    column(
      'p Holm',
      'p',
      read(({ pValueHolm }) => pValueHolm),
    ),
    column(
      'tasks of both',
      'count',
      read(({ n }) => n),
      { detail: true },
    ),
  ]
}

function listDifferenceRemarks(tests: readonly DifferenceRow[]): string[] {
  if (tests.length === 0) return []
  const hasSeveralBaselines = new Set(tests.map(({ fromArm }) => fromArm)).size > 1
  return [
    'difference: to the baseline, which is the arm without one (--baseline ARM chooses another), over the tasks that both scored.',
    ...(hasSeveralBaselines
      ? ['Forks are compared with those of the same cause that change nothing (fork=none).']
      : []),
    ...listFamilyRemarks(tests, { hasDetectable: false }),
  ]
}

const lossColumns: readonly ReadColumn<ArmRow>[] = [
  column('lost', 'share', ({ losses: { recall } }) => (recall === null ? null : 1 - recall)),
  column('largest loss', 'text', ({ losses }) => formatLargestLoss(losses)),
  ...lossClasses.map(name =>
    column(
      name,
      'share',
      ({ losses }: ArmRow) => losses.classes.find(([other]) => other === name)?.[1] ?? null,
      { detail: true },
    ),
  ),
]

/** Names the largest class of lost items with its share: `wrong 12.5`. Empty without a loss. */
export function formatLargestLoss(losses: ArmStanding['losses']): string {
  const [largest] = sortLosses(losses)
  return largest === undefined ? '' : `${largest[0]} ${formatPercent(largest[1])}`
}

function makeCostColumns(noun: string): ReadColumn<ArmRow>[] {
  return [
    column('US$', 'usd', ({ group }) => group.usd),
    column('seconds', 'shortMs', ({ group }) => group.wallMs),
    column('tokens', 'amount', ({ group }) => group.tokens, { detail: true }),
    column(`US$/${noun}`, 'usd', ({ group }) => group.efficiency.usdPerCorrectCell),
    column(`s/${noun}`, 'shortMs', ({ group }) => group.efficiency.wallMsPerCorrectCell),
    column(`tokens/${noun}`, 'amount', ({ group }) => group.efficiency.tokensPerCorrectCell, {
      detail: true,
    }),
  ]
}

/** Shows differences along one dimension, pooled over the others. One table for each scoring, whose tests are one family. */
export function makePooledDifferenceTables(report: Report): Table[] {
  const { of: shortModel } = nameModels(report.arms)
  return listScorings(report.pooledDifferences).map(scoring => {
    const rows = report.pooledDifferences.filter(row => nameScoring(row) === scoring)
    const { primary } = listScoringMetrics(report.scorers, rows[0]!.scorer)
    const metric = primary!
    const level = ({ dimension }: PooledDifference, value: string): string =>
      dimension === 'model' ? shortModel(value) : value
    return makeTable({
      title: `Differences along one dimension: ${metric.label} (${scoring})`,
      rows,
      columns: column => [
        column('dimension', 'text', row => nameFacet(row.dimension)),
        column('from', 'text', row => level(row, row.from)),
        column('to', 'text', row => level(row, row.to)),
        column('pooled over', 'text', formatPooledOver),
        column('n', 'count', row => row.n),
        column('groups', 'count', row => row.components),
        column('difference', 'change', row => measureCell(metric, makeSimultaneous(row)), {
          head: 'difference [95%]',
        }),
        column('p Holm', 'p', row => row.pValueHolm),
        column('detectable', 'mean', row => ({ unit: metric.unit, mean: row.detectable })),
      ],
      remarks: [
        'difference: to minus from, with all other dimensions equal. Each side is the mean of its arms, over the n tasks that all of them scored.',
        ...listFamilyRemarks(rows),
        ...listFewGroupsRemarks(rows),
      ],
    })
  })
}

/** Says over what a difference is pooled: `2 settings`, or `4 combinations of model and cot`. */
export function formatPooledOver({ combinations, over }: PooledDifference): string {
  const [only] = over
  return over.length === 1 && (only === 'model' || only === 'setting')
    ? `${combinations} ${nameFacets(only)}`
    : `${combinations} combinations of ${over.join(' and ')}`
}
