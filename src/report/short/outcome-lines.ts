import type { Arm } from '../../core/arm.ts'
import type { Attempt } from '../../core/attempt.ts'
import { hasChangedClock } from '../../core/attempt.ts'
import { groupBy } from '../../core/group-by.ts'
import type { MetricDefinition } from '../../core/metric.ts'
import { countMissingDocuments, documentNamesText } from '../../core/missing-documents.ts'
import { joinToOneLine } from '../../text/plain-text.ts'
import { type Entry, isScored } from '../model/entries.ts'
import { findWorstValue, rateValue } from '../model/metrics.ts'
import { formatUnrated, largeUnratedShare } from '../model/record-notes.ts'
import type { Report } from '../model/report.ts'
import type { ReportGroup } from '../model/report-group.ts'
import type { ExplainedAttempt } from '../model/report-rows.ts'
import { fitMiddle, fitWidth, wrapLine } from '../tables/display-width.ts'
import { formatUnratedArm } from '../tables/few-groups.ts'
import type { ArmNaming } from '../tables/fit-names.ts'
import { formatRepeated, type Sum, sumKnown, sumText } from '../tables/spending-text.ts'
import { formatCompactCount, formatDollars, formatMetric } from '../tables/value-text.ts'

const indent = '  '

/** Returns the text with spaces at which `wrapWithin` does not break the line. */
export const keepTogether = (text: string): string => text.replaceAll(' ', '\u00a0')

/** Wraps a text into lines, all but the first indented. Only a word that is wider than a line is cut. */
export function wrapText(text: string, columns: number): string[] {
  return wrapLine(text, columns - indent.length).map((line, at) =>
    fitWidth(at === 0 ? line : indent + line, columns).replaceAll('\u00a0', ' '),
  )
}

interface End {
  readonly cause: string
  readonly reason: string
}

/** Names how an attempt ended: `normally` when the agent gave its answer, else as `provider/rate-limited`. */
function endText({ cause, reason }: End): string {
  if (cause !== 'agent') return `${cause}/${reason}`
  return reason === 'answered' ? 'normally' : reason
}

/** The ends of a run's attempts, by setting and by arm. */
interface RunEnds {
  readonly terminations: Report['terminations']
  readonly ends: Report['ends']
}

/** Says why attempts ended, counted by setting, and by agent if there are several. Empty without attempts. */
export function formatEnds({ terminations, ends }: RunEnds): string {
  const kinds = new Set(terminations.map(endText))
  const total = terminations.reduce((sum, row) => sum + row.n, 0)
  const [only] = kinds
  if (total === 0) return ''
  if (kinds.size === 1) {
    const attempts = total === 1 ? 'the only attempt' : `all ${total} attempts`
    return `Ended: ${attempts} ${only === 'normally' ? only : `with ${only}`}`
  }
  const [first] = ends
  const ofAgents = ends.filter(row => row.scorer === first?.scorer && row.judge === first?.judge)
  const hasAgents = new Set(ofAgents.map(labelAgent)).size > new Set(ofAgents.map(row => row.setting)).size
  const rowsByLabel: Map<string, readonly CountedEnd[]> = hasAgents
    ? groupBy(ofAgents, labelAgent)
    : groupBy(terminations, row => row.setting)
  const settings = [...rowsByLabel].map(([setting, rows]) => `${setting} ${formatCount(rows).join(', ')}`)
  return `Ended: ${settings.join('; ')}`
}

interface CountedEnd extends End {
  readonly n: number
}

/** Counts equal ends, such as those of several models. */
function formatCount(rows: readonly CountedEnd[]): string[] {
  return [...groupBy(rows, endText)].map(([end, endRows]) =>
    keepTogether(`${endRows.reduce((sum, { n }) => sum + n, 0)} ${end}`),
  )
}

/** The setting and the agent that its options name. */
function labelAgent({ setting, options: { agent } }: Omit<Arm, 'model'>): string {
  return agent === undefined ? setting : `${setting} agent=${agent}`
}

/** Says how many attempts have no score, why, and what the arms score if those count as the worst value. */
export function formatUnscored(
  entries: readonly Entry[],
  arms: readonly ReportGroup[],
  { metric, naming }: { readonly metric: MetricDefinition | null; readonly naming: ArmNaming },
): string {
  const unscored = entries.filter(entry => !isScored(entry))
  const n = entries.length
  if (n === 0) return 'Nothing is scored: no attempt was made'
  if (unscored.length === 0) {
    const unrated = arms.reduce((sum, arm) => sum + arm.unratedItems, 0)
    const items = arms.reduce((sum, arm) => sum + arm.items, 0)
    const except = unrated === 0 ? '' : `, but ${formatUnrated(unrated, items)}`
    return `Failed: none, ${n === 1 ? 'the only attempt is' : `all ${n} attempts are`} scored${except}`
  }
  const causes = [...groupBy(unscored, formatUnscoredCause)]
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([cause, causeGroups]) => formatCause(cause, causeGroups))
  const counted = metric === null ? '' : formatCountedAsWorst(arms, metric, naming)
  return `Not scored: ${unscored.length} of ${n} attempts: ${causes.join(', ')}${counted}`
}

/** Whether a judge left so many items of an arm without a rating that the first screen says so. */
export function hasManyUnrated({ unratedItems, items }: ReportGroup): boolean {
  return unratedItems > largeUnratedShare * items
}

/** Says in which arms a judge left many items without a rating, and what the arms score at least and at most. */
export function listUnratedTexts(
  { scorers }: Report,
  arms: readonly ReportGroup[],
  naming: ArmNaming,
): string[] {
  const many = arms.filter(hasManyUnrated)
  if (many.length === 0) return []
  const nameOf = naming.fit(30)
  const texts = many.slice(0, 3).map(arm => `${nameOf(arm)} ${formatUnratedArm(arm, scorers)}`)
  const more = many.length > 3 ? `; and ${many.length - 3} more arms` : ''
  return [`Not rated by the judge: ${texts.join('; ')}${more}`]
}

/** Counts the attempts with a cause, and names the documents that they lacked. */
function formatCause(cause: string, entries: readonly Entry[]): string {
  const missing = cause === 'documents' ? countMissingDocuments(entries.map(({ attempt }) => attempt)) : null
  if (missing === null) return keepTogether(`${entries.length} ${cause}`)
  return `${keepTogether(`${entries.length} lacked documents`)} (${documentNamesText(missing.names)})`
}

/** Says what arms score if their unscored attempts count as the worst value. Empty when the metric has no worst value. */
function formatCountedAsWorst(
  arms: readonly ReportGroup[],
  metric: MetricDefinition,
  naming: ArmNaming,
): string {
  const worst = findWorstValue(metric)
  const affected = arms.filter(arm => arm.unscored > 0 && measureOf(arm, metric)?.mean != null)
  if (worst === null || affected.length === 0) return ''
  const nameOf = naming.fit(30)
  const bounds = affected
    .slice(0, 3)
    .map(arm => `${nameOf(arm)} ${formatMetric(metric, measureOf(arm, metric)?.meanUnscoredAsZero ?? null)}`)
  const counted = formatMetric(metric, worst).replace(/\.0$/, '')
  return `; counted as ${counted}, ${metric.label} is ${bounds.join(', ')}`
}

const measureOf = (arm: ReportGroup, { key }: MetricDefinition): ReportGroup['metrics'][string] | undefined =>
  arm.metrics[key]

function formatUnscoredCause({ score, attempt: { termination } }: Entry): string {
  if (score === null) return 'without a score record'
  if (score.cause === termination.cause) return endText(termination)
  if (score.cause === 'undefined') return 'no value by the metric'
  if (score.cause === 'run-budget') return "ended by the run's budget"
  return score.cause === 'scorer' ? 'scorer failed' : `${score.cause ?? 'unknown cause'}`
}

/** Says how many tool calls failed and in how many scored attempts the web or the infrastructure failed. Empty for none. */
export function listDisturbanceTexts(attempts: readonly Attempt[], arms: readonly ReportGroup[]): string[] {
  const tools = attempts.map(countToolCalls)
  const failed = tools.reduce((sum, toolCalls) => sum + toolCalls.failed, 0)
  const disturbed = arms.reduce((sum, arm) => sum + arm.infrastructureFailures, 0)
  const scored = arms.reduce((sum, arm) => sum + arm.scored, 0)
  if (failed === 0 && disturbed === 0) return []
  const calls = tools.reduce((sum, toolCalls) => sum + toolCalls.calls, 0)
  const noun = failed === 1 ? 'tool call' : 'tool calls'
  const total = calls > 0 ? ` (${formatCompactCount(calls)} searches and fetches in all)` : ''
  const web = `the web or the infrastructure failed in ${disturbed} of ${scored} scored attempts`
  const tool = `${formatCompactCount(failed)} ${noun} failed${total}`
  return [`Tools: ${[...(failed > 0 ? [tool] : []), ...(disturbed > 0 ? [web] : [])].join('; ')}`]
}

interface ToolCallCount {
  readonly calls: number
  readonly failed: number
}

/** Counts the searches and fetches of an attempt. Older records contain charged calls only. */
function countToolCalls({ usage, toolFailures }: Attempt): ToolCallCount {
  if (toolFailures === undefined)
    return { calls: (usage.searchCalls ?? 0) + (usage.fetchCalls ?? 0), failed: usage.toolErrors ?? 0 }
  const failures = [toolFailures.search, toolFailures.fetch]
  return {
    calls: failures.reduce((sum, toolCalls) => sum + toolCalls.calls, 0),
    failed: failures.flatMap(toolCalls => Object.values(toolCalls.failed)).reduce((sum, n) => sum + n, 0),
  }
}

/** Says how many tasks were left out of the run. Empty for none. */
export function listSkippedTexts({ skippedTasks }: Report): string[] {
  const [first] = skippedTasks
  if (first === undefined) return []
  const n = skippedTasks.length
  const which = `${n > 1 ? 'first ' : ''}line ${first.line}: ${joinToOneLine(first.problem)}`
  return [`Skipped: ${n} ${n === 1 ? 'task' : 'tasks'} (${which})`]
}

/** The worst attempts are explained when the mean of an arm is below this part of the metric's range. */
const lowScore = 0.5

const maxLowestLines = 2

/** Explains the score of the worst attempt in as many of the scorer's sentences as fit into two lines. */
export function listLowestLines(
  { explained }: Report,
  arms: readonly ReportGroup[],
  how: {
    readonly metric: MetricDefinition | null
    readonly naming: ArmNaming
    readonly columns: number
  },
): string[] {
  const { metric } = how
  if (metric === null) return []
  const goodnessOf = ({ value }: ExplainedAttempt): number =>
    value === null ? 0 : (rateValue(metric, value) ?? 0)
  const [attempt] = explained.toSorted((a, b) => goodnessOf(a) - goodnessOf(b))
  if (attempt === undefined) return []
  const means = arms.flatMap(arm => measureOf(arm, metric)?.mean ?? [])
  if (means.every(mean => (rateValue(metric, mean) ?? 0) >= lowScore)) return []
  const which = metric.better === 'higher' ? 'Lowest' : 'Highest'
  const score = formatMetric(metric, attempt.value)
  const head = `${which}: ${fitMiddle(joinToOneLine(attempt.taskId), 30)} ${how.naming.fit(24)(attempt)} ${score}`
  const sentences = attempt.sentences.map(joinToOneLine)
  const texts = sentences.map((_, at) =>
    wrapText(`${head}: ${sentences.slice(0, at + 1).join(' ')}`, how.columns),
  )
  return texts.findLast(lines => lines.length <= maxLowestLines) ?? wrapText(head, how.columns)
}

function formatTime(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const minutes = Math.round(ms / 60_000)
  return minutes < 100 ? `${minutes} min` : `${(ms / 3_600_000).toFixed(1)} h`
}

/** Says what all attempts cost together, in tokens, calls, dollars and time, and what judging cost. */
export function formatCost(attempts: readonly Attempt[], { judging, repeated }: Report['run']): string {
  const total = (
    readUsage: (usage: Attempt['usage']) => number | null,
    more: 'tokens' | 'modelCalls' | 'searchCalls' | 'fetchCalls' | 'usd',
  ): Sum => {
    const sum = sumKnown(attempts.map(({ usage }) => readUsage(usage)))
    if (repeated === undefined) return sum
    const isUnsure = !repeated.isWhole && (more === 'tokens' || more === 'usd')
    return { known: sum.known + repeated[more], unknown: sum.unknown + Number(isUnsure) }
  }
  const clocks = attempts.filter(hasChangedClock).length
  const tokens = total(
    ({ inputTokens, outputTokens }) =>
      inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens,
    'tokens',
  )
  const calls = (singular: string, many: string, sum: Sum): string[] =>
    sum.known === 0 && sum.unknown === 0
      ? []
      : [`${sumText(sum, formatCompactCount)} ${sum.known === 1 && sum.unknown === 0 ? singular : many}`]
  const parts = [
    `${sumText(tokens, formatCompactCount)} tokens`,
    ...calls(
      'model call',
      'model calls',
      total(usage => usage.modelCalls, 'modelCalls'),
    ),
    ...calls(
      'search',
      'searches',
      total(usage => usage.searchCalls, 'searchCalls'),
    ),
    ...calls(
      'fetch',
      'fetches',
      total(usage => usage.fetchCalls, 'fetchCalls'),
    ),
    `US$ ${sumText(
      total(usage => usage.usd, 'usd'),
      formatDollars,
    )}`,
    `attempt time ${sumText(
      sumKnown(attempts.map(attempt => (hasChangedClock(attempt) ? null : attempt.usage.wallMs))),
      formatTime,
    )}${clocks === 0 ? '' : ` (the clock was changed during ${clocks} of ${attempts.length} attempts)`}`,
  ]
  const judge =
    judging.calls === 0
      ? ''
      : `; judge: ${formatCompactCount(judging.calls)} calls, ${formatCompactCount(judging.tokens)} tokens, US$ ${judging.usd === null ? 'unknown' : formatDollars(judging.usd)}`
  const again = repeated === undefined ? '' : `; included: ${formatRepeated(repeated)}`
  const uncertain = attempts.filter(({ usage }) => usage.uncertain === true).length
  const doubt = uncertain === 0 ? '' : ` (usage: uncertain in ${uncertain} of ${attempts.length} attempts)`
  return `Cost: ${parts.map(keepTogether).join(', ')}${doubt}${again}${judge}`
}
