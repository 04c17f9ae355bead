import { answeredMetric, successMetric } from '../../core/metric.ts'
import { escapeHtml } from '../figures/escape-html.ts'
import { type ModelNaming, modelNaming, settingLabel } from '../model/arm-names.ts'
import { metricsOf, type RunScorers } from '../model/metrics.ts'
import type { Report } from '../model/report.ts'
import type { ReportGroup } from '../model/report-group.ts'
import { scoringOf } from '../model/scorings.ts'
import { metricText } from '../tables/metric-text.ts'

/** The largest number of cards. The tables show all arms. */
const maxCards = 12

/** Whether a group has a card: an arm over all tasks, in the first scoring, that is not a control. */
function isShown(group: ReportGroup, first: ReportGroup | undefined): boolean {
  return (
    group.domain === 'all' &&
    !/(?:^|,)control=/.test(group.variant) &&
    first !== undefined &&
    scoringOf(group) === scoringOf(first)
  )
}

/** Renders a card for each arm with its mean score. Empty when nothing was scored. */
export function summaryHtml(report: Report): string {
  const groups = report.groups.filter(group => isShown(group, report.groups[0]))
  const models = modelNaming(groups)
  const cards = groups.slice(0, maxCards).flatMap(group => cardHtml(group, models, report.scorers))
  const [first] = groups
  return cards.length === 0 || first === undefined
    ? ''
    : `<ul class="cards" aria-label="settings at a glance">${cards.join('')}</ul><p class="remark">Means over all tasks with 95% intervals over groups of tasks that share documents (${escapeHtml(scoringOf(first))})</p>`
}

function cardHtml(group: ReportGroup, models: ModelNaming, scorers: RunScorers): string[] {
  const { primary } = metricsOf(scorers, group.profile)
  const { mean = null, low = null, high = null } = primary === null ? {} : (group.metrics[primary.key] ?? {})
  if (primary === null || mean === null) return []
  const facts = [answeredMetric, successMetric].map(
    metric => `${metric.label} ${metricText(metric, group.metrics[metric.key]?.mean ?? null)}`,
  )
  const text = (value: number): string => metricText(primary, value)
  const interval = low === null || high === null ? '' : `95%: ${text(low)} to ${text(high)}`
  const unscored = group.unscored === 0 ? '' : `, ${group.unscored} unscored`
  const parts = [
    `<span class="card-name">${escapeHtml(settingLabel(group))}</span>`,
    ...(models.several ? [`<span class="card-model">${escapeHtml(models.of(group.model))}</span>`] : []),
    `<span class="card-value">${text(mean)}<small> ${escapeHtml(primary.label)}</small></span>`,
    `<span class="card-facts">${[interval, ...facts, `n ${group.n}${unscored}`].filter(part => part !== '').join(' · ')}</span>`,
  ]
  return [`<li>${parts.join('')}</li>`]
}
