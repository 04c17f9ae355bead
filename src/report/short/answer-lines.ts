import { isSameArm } from '../../core/arm.ts'
import { groupBy } from '../../core/group-by.ts'
import type { MetricDefinition } from '../../core/metric.ts'
import { pickVerb } from '../../score/explain/wording.ts'
import { averageKnown } from '../../score/statistics/clusters.ts'
import { minComponents } from '../../score/statistics/intervals.ts'
import { nameModels } from '../model/arm-names.ts'
import { type ArmStanding, sortLosses } from '../model/arm-standings.ts'
import { type Entry, isScored, type ScoredEntry } from '../model/entries.ts'
import { isRight, listScoringMetrics, rateValue } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { GroupKey, ReportGroup } from '../model/report-group.ts'
import type { DifferenceRow, PooledDifference } from '../model/report-rows.ts'
import { nameScoring } from '../model/scorings.ts'
import { describeLoss } from '../model/waterfall.ts'
import { formatPooledOver } from '../tables/arm-tables.ts'
import { makeSimultaneous, type TestedDifference, testTexts } from '../tables/difference-tables.ts'
import { displayWidth, fitMiddle, padWidth } from '../tables/display-width.ts'
import type { ArmNaming } from '../tables/fit-names.ts'
import { changeText } from '../tables/text-table.ts'
import { formatP, formatPercent, meanText, sampleText } from '../tables/value-text.ts'
import { type Headline, rankArms } from './arm-table.ts'
import { keepTogether } from './outcome-lines.ts'

/** What the answers about the arms of a scoring are made from. */
export interface AnswerInput {
  readonly report: Report
  readonly arms: readonly ArmStanding[]
  readonly headline: Headline
  readonly naming: ArmNaming
  /** The scored attempts of the first scoring. */
  readonly entries: readonly Entry[]
}

const nameColumns = 34

/** Says which arm is best, and whether it is really better than the next one. Empty with fewer than two scored arms. */
export function listBestTexts(input: AnswerInput): string[] {
  const { arms, headline, naming } = input
  const { metric } = headline
  if (metric === null) return []
  const meanOf = ({ group }: ArmStanding): string =>
    meanText(metric, group.metrics[metric.key] ?? { mean: null })
  const ranked = rankArms(arms, headline).filter(
    ({ group }) => (group.metrics[metric.key]?.mean ?? null) !== null,
  )
  const [first] = ranked
  if (first === undefined || ranked.length < 2) return []
  const haveNoTaskInCommon =
    ranked.every(({ group }) => group.domain !== 'common') && !isHaveSameTasks(input.entries, ranked)
  if (haveNoTaskInCommon) return ['Best: unknown, no task is scored by all arms']
  const nameIn = naming.fit(nameColumns)
  const nameOf = ({ own }: ArmStanding): string => nameIn(own)
  const best = ranked.filter(arm => meanOf(arm) === meanOf(first))
  const next = ranked[best.length]
  const direction = metric.better === 'lower' ? ' (lower is better)' : ''
  const score = `${metric.label}${direction} ${meanOf(first)}`
  if (next === undefined)
    return [`Best: none, ${best.length === 2 ? 'both' : `all ${best.length}`} arms have ${score}`]
  const names = best.length > 3 ? `${best.length} arms` : best.map(nameOf).join(' and ')
  return [
    `Best: ${names}, ${score}${best.length === 1 ? '' : ' each'}; next: ${nameOf(next)}, ${meanOf(next)}`,
    `Real: ${formatEstablished(input, metric, { best: first, next })}`,
    ...listFlippedTexts(input, metric, [first, next]),
  ]
}

/** Whether these arms have a score at the same tasks. */
function isHaveSameTasks(entries: readonly Entry[], arms: readonly ArmStanding[]): boolean {
  const taskSets = arms.map(
    ({ own }) =>
      new Set(
        entries
          .filter(entry => isScored(entry) && isSameArm(entry.key, own))
          .map(({ attempt }) => attempt.taskId),
      ),
  )
  return new Set(taskSets.flatMap(tasks => [...tasks])).size === Math.min(...taskSets.map(({ size }) => size))
}

/** Names the tasks that are right in one of two arms and wrong in the other. */
function listFlippedTexts(
  { entries, naming }: AnswerInput,
  metric: MetricDefinition,
  arms: readonly [ArmStanding, ArmStanding],
): string[] {
  const [best, next] = arms.map(({ own }) => rateTasks(entries, own, metric)) as [TaskGoodness, TaskGoodness]
  const shared = [...best].filter(([task]) => next.has(task))
  const onlyBest = shared.flatMap(([task, value]) =>
    isRight(value) && !isRight(next.get(task)!) ? [task] : [],
  )
  const onlyNext = shared.flatMap(([task, value]) =>
    !isRight(value) && isRight(next.get(task)!) ? [task] : [],
  )
  const flipped = onlyBest.length + onlyNext.length
  if (flipped === 0) return []
  const nameIn = naming.fit(nameColumns)
  const sides = [onlyBest, onlyNext].flatMap((tasks, at) =>
    tasks.length === 0
      ? []
      : [
          `${tasks.length} right in ${nameIn(arms[at]!.own)} and wrong in ${nameIn(arms[1 - at]!.own)} (${listTasks(tasks)})`,
        ],
  )
  const noun = shared.length === 1 ? 'task' : 'tasks'
  return [`Flipped: ${flipped} of ${shared.length} ${noun}: ${sides.join(', ')}`]
}

type TaskGoodness = ReadonlyMap<string, number>

/** The goodness of each task's mean over its scored trials. Tasks without a score, and metrics without a best value, are left out. */
function rateTasks(entries: readonly Entry[], arm: GroupKey, metric: MetricDefinition): TaskGoodness {
  const scored = entries.filter(({ key, score }) => isSameArm(key, arm) && score?.status === 'scored')
  return new Map(
    [...groupBy(scored, ({ attempt }) => attempt.taskId)].flatMap(([task, trials]) => {
      const mean = averageKnown(trials.map(({ score }) => score?.metrics[metric.key] ?? null))
      const rating = mean === null ? null : rateValue(metric, mean)
      return rating === null ? [] : [[task, rating] as const]
    }),
  )
}

const mostTasks = 3

function listTasks(tasks: readonly string[]): string {
  const named = tasks.slice(0, mostTasks).map(task => fitMiddle(task, nameColumns))
  return [...named, ...(tasks.length > mostTasks ? [`${tasks.length - mostTasks} more`] : [])].join(', ')
}

/** Says whether the best arm differs from the next one, and from the baseline if that is another arm. */
function formatEstablished(
  { report, arms, naming }: AnswerInput,
  metric: MetricDefinition,
  { best, next }: { readonly best: ArmStanding; readonly next: ArmStanding },
): string {
  const nameOf = naming.fit(nameColumns)
  const baseline = best.isBaseline
    ? best
    : (arms.find(({ own }) => own.arm === best.difference?.fromArm) ?? arms.find(arm => arm.isBaseline))
  const describe = (other: ArmStanding): string => {
    const row = findDifference(report, best.own, other.own)
    if (row === null) return `${nameOf(other.own)} is not compared with it (--baseline ${best.own.arm} does)`
    const [from, to] = row.arm === best.own.arm ? [other, best] : [best, other]
    const isBetter = (row.arm === best.own.arm) === (metric.better === 'higher') ? row.mean > 0 : row.mean < 0
    const sides = `${nameOf(to.own)} minus ${nameOf(from.own)}`
    return `${formatVerdict(row, isBetter)}${sides} ${formatDifference(row, metric)}`
  }
  const others = baseline === undefined || baseline === best || baseline === next ? [next] : [next, baseline]
  return others.map(describe).join('; ')
}

/** Whether a difference is large enough to be called real. */
function formatVerdict({ pValueHolm }: TestedDifference, isBetter: boolean): string {
  if (pValueHolm === null)
    return `not known, a test needs ${minComponents} groups of tasks with separate documents: `
  return pValueHolm <= 0.05 && isBetter ? 'yes: ' : 'not established: '
}

/** Writes a difference with its interval, adjusted p-value and sample. */
function formatDifference(row: TestedDifference, metric: MetricDefinition): string {
  const points = metric.unit === 'count' ? '' : ' points'
  const size = changeText({ unit: metric.unit, ...makeSimultaneous(row) }, points)
  return [size, ...testTexts(row, metric), sampleText(row.n, row.components)].map(keepTogether).join(', ')
}

/** Finds the difference of two arms in the table of arms, or else among all differences. Null when they are not compared. */
function findDifference(report: Report, a: ReportGroup, b: ReportGroup): DifferenceRow | null {
  const metric = listScoringMetrics(report.scorers, a.scorer).primary?.key
  const rows = [...report.baselineDifferences, ...report.differences]
  const isOf = ({ arm, fromArm }: DifferenceRow): boolean =>
    (arm === a.arm && fromArm === b.arm) || (arm === b.arm && fromArm === a.arm)
  return (
    rows.find(
      row =>
        isOf(row) && row.domain === 'all' && row.metric === metric && nameScoring(row) === nameScoring(a),
    ) ?? null
  )
}

const maxPooled = 4

/** Shows what each dimension changes, pooled over the others, in a line for each of the first few differences. */
export function listPooledLines(
  { report, arms, headline: { metric } }: AnswerInput,
  columns: number,
): string[] {
  const scoring = arms.map(({ own }) => nameScoring(own))
  const rows = putOneOfEachFirst(report.pooledDifferences.filter(row => scoring.includes(nameScoring(row))))
  if (metric === null || rows.length === 0) return []
  const { of: shortModel } = nameModels(report.arms)
  const isTested = rows.some(({ pValueHolm }) => pValueHolm !== null)
  const texts = rows.slice(0, maxPooled).map(row => {
    const { combinations, dimension, over } = row
    return {
      row,
      over: over.length === 1 ? formatPooledOver(row) : `${combinations} pairs of arms`,
      // Values of an option do not say what they are.
      option: dimension === 'model' || dimension === 'setting' ? '' : `${dimension}: `,
      change: changeText({ unit: metric.unit, ...makeSimultaneous(row) }),
    }
  })
  const widest = (read: (text: (typeof texts)[number]) => string): number =>
    Math.max(...texts.map(text => displayWidth(read(text))))
  const room =
    columns - widest(({ over }) => over) - widest(({ change }) => change) - 'p Holm'.length - 3 * gap.length
  const lines = texts.map(({ row, over, option, change }) => {
    const nameColumns = Math.floor((room - displayWidth(`${option} minus `)) / 2)
    const [from, to] = [row.from, row.to].map(value =>
      fitMiddle(row.dimension === 'model' ? shortModel(value) : value, Math.max(8, nameColumns)),
    )
    return [over, `${option}${to} minus ${from}`, change, formatP(row.pValueHolm)]
  })
  const head = ['pooled over', 'difference', isTested ? '[95%]' : '', isTested ? 'p Holm' : '']
  const more = rows.length - maxPooled
  return [
    ...alignColumns([head, ...lines]),
    ...(more > 0
      ? [`${more} more pooled ${more === 1 ? 'difference' : 'differences'}: see "All tables"`]
      : []),
  ]
}

/** Puts the first difference along each dimension before further ones. */
function putOneOfEachFirst(rows: readonly PooledDifference[]): PooledDifference[] {
  const byDimension = [...groupBy(rows, ({ dimension }) => dimension).values()]
  const most = Math.max(0, ...byDimension.map(({ length }) => length))
  return Array.from({ length: most }, (_, at) => byDimension.flatMap(group => group[at] ?? [])).flat()
}

const gap = '  '

/** Aligns rows of four cells: names at the left, numbers at the right. */
function alignColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, at) => Math.max(...rows.map(row => displayWidth(row[at]!))))
  return rows.map(row =>
    row
      .map((text, at) => padWidth(text, widths[at]!, at < 2 ? 'left' : 'right'))
      .join(gap)
      .trimEnd(),
  )
}

/** Says which arm lost most, and which classes its lost items have. */
export function formatLoss({ report, arms, naming }: AnswerInput): string {
  const armLosses = arms.flatMap(arm =>
    arm.losses.recall === null ? [] : [{ ...arm, lost: 1 - arm.losses.recall }],
  )
  const [worst] = armLosses.toSorted((a, b) => b.lost - a.lost)
  if (worst === undefined)
    return arms.some(({ own }) => own.scored > 0) ? 'Lost: unknown, the scores do not list items' : ''
  const { itemNoun } = listScoringMetrics(report.scorers, worst.own.scorer)
  const classes = sortLosses(worst.losses)
  const [largest, ...others] = classes
  if (largest === undefined)
    return `Lost: nothing, all gold ${itemNoun}s are correct${armLosses.length === 1 ? '' : ' in every arm'}`
  const [name, share] = largest
  const isLostBy = (share: number) => (arm: { readonly lost: number }) =>
    formatPercent(arm.lost) === formatPercent(share)
  const isTie = armLosses.length > 1 && armLosses.every(isLostBy(worst.lost))
  if (isTie)
    return `Lost: ${formatPercent(worst.lost)}% of the gold ${itemNoun}s in every arm: ${formatTiedLosses(armLosses)}`
  const arm = armLosses.length === 1 ? '' : `${naming.fit(nameColumns)(worst.own)} lost most, `
  const rest = others.slice(0, 2).map(([other, part]) => keepTogether(`${other} ${formatPercent(part)}%`))
  const tail = rest.length === 0 ? '' : `; then ${rest.join(', ')}`
  return `Lost: ${arm}${formatPercent(worst.lost)}% of the gold ${itemNoun}s: ${keepTogether(`${name} ${formatPercent(share)}%`)} (${describeLoss(name, worst.own)})${tail}`
}

/** Lists the largest classes of lost items of arms that lost equally much, each once with its largest share. */
function formatTiedLosses(arms: readonly ArmStanding[]): string {
  const largest = new Map<string, number>()
  for (const { losses } of arms)
    for (const [name, share] of losses.classes) largest.set(name, Math.max(share, largest.get(name) ?? 0))
  const ranked = [...largest].sort(([, a], [, b]) => b - a).slice(0, 3)
  return ranked.map(([name, share]) => keepTogether(`${name} up to ${formatPercent(share)}%`)).join(', ')
}

/**
 * Counts the rows of the answers that match no gold row. They lower scores, but no loss class contains them. Returns an empty
 * text when there are none, or when the scorer does not count rows.
 */
export function formatExtraRows({ report, arms, entries, naming }: AnswerInput): string {
  const scored = entries.filter(isScored)
  const withExtra = scored
    .map(entry => ({ entry, rows: countExtraRows(entry) }))
    .filter(({ rows }) => rows > 0)
  const countRows = (some: readonly { readonly rows: number }[]): number =>
    some.reduce((sum, { rows }) => sum + rows, 0)
  if (withExtra.length === 0) return ''
  const byArm = arms
    .map(({ own }) => ({ own, rows: countRows(withExtra.filter(({ entry }) => isSameArm(entry.key, own))) }))
    .filter(({ rows }) => rows > 0)
    .toSorted((a, b) => b.rows - a.rows)
  const named = byArm
    .slice(0, 3)
    .map(({ own, rows }) => keepTogether(`${naming.fit(nameColumns)(own)} ${rows}`))
  const unnamed = byArm.length - named.length
  const more = unnamed > 0 ? [`${unnamed} more ${pickVerb(unnamed, 'arm', 'arms')}`] : []
  const where = arms.length === 1 ? '' : ` (${[...named, ...more].join(', ')})`
  const { itemNoun } = listScoringMetrics(report.scorers, arms[0]!.own.scorer)
  const rows = countRows(withExtra)
  const [matches, lowers] =
    rows === 1 ? ['matches', 'It lowers precision, and is'] : ['match', 'They lower precision, and are']
  return `Extra rows: ${rows} in ${withExtra.length} of ${scored.length} answers${where} ${matches} no gold row. ${lowers} no lost ${itemNoun}s`
}

/** Rows that a judge failed to compare are not known to be extra. */
function countExtraRows({ score: { counts } }: ScoredEntry): number {
  const { predictedRows = 0, matchedRows, unscoredRows = 0 } = counts
  return matchedRows === undefined ? 0 : Math.max(0, predictedRows - matchedRows - unscoredRows)
}
