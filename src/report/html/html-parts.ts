import type { Attempt } from '../../core/attempt.ts'
import type { MetricDefinition } from '../../core/metric.ts'
import type { Score } from '../../core/score.ts'
import type { DrawFigure } from '../figures/draw-figure.ts'
import { escapeHtml } from '../figures/escape-html.ts'
import type { Figure } from '../figures/figure.ts'
import { figureCsv } from '../figures/figure-csv.ts'
import { type ModelNaming, modelNaming, settingLabel } from '../model/arm-names.ts'
import { goodness, metricsOf, type RunScorers, recordedValue } from '../model/metrics.ts'
import { headOf, metricText } from '../tables/metric-text.ts'
import { compactCount, percent, seconds } from '../tables/numbers.ts'
import type { ReportTable } from '../tables/report-table.ts'

function sortHead(name: string, numeric: boolean): string {
  return `<th scope="col" aria-sort="none"${numeric ? ' class="number"' : ''}><button type="button">${escapeHtml(name)}</button></th>`
}

/** Renders a table that a reader can sort by clicking a column head. */
export function tableHtml(table: ReportTable): string {
  const numeric = table.columns.map(column => column.align === 'right')
  const cell = (text: string, at: number): string =>
    `<td${numeric[at] === true ? ' class="number"' : ''}>${escapeHtml(text)}</td>`
  return [
    '<div class="table">',
    `<h3>${escapeHtml(table.title)}</h3>`,
    `<div class="scroll" tabindex="0" role="group" aria-label="${escapeHtml(table.title)}"><table class="sortable"><thead><tr>`,
    ...table.columns.map(column => sortHead(column.name, column.align === 'right')),
    '</tr></thead><tbody>',
    ...table.rows.map(row => `<tr>${row.map(cell).join('')}</tr>`),
    '</tbody></table></div>',
    ...table.remarks.map(remark => `<p class="remark">${escapeHtml(remark)}</p>`),
    '</div>',
  ].join('\n')
}

/** Renders a link that contains a file as a data URL. */
function dataLink(name: string, text: string, label: string): string {
  const data = Buffer.from(text, 'utf8').toString('base64')
  return `<a download="${escapeHtml(name)}" href="data:text/csv;charset=utf-8;base64,${data}">${escapeHtml(label)}</a>`
}

/** Renders a figure with its caption, legend and data. */
export function figureHtml(figure: Figure, draw: DrawFigure): string {
  const { svg, legend } = draw(figure)
  const entries = legend.map(
    ({ number, name, color }) =>
      `<li><span class="swatch" style="background:${escapeHtml(color)}"></span>${number} ${escapeHtml(name)}</li>`,
  )
  return [
    `<figure id="figure-${escapeHtml(figure.id)}">`,
    `<figcaption>${escapeHtml(figure.title)}</figcaption>`,
    `<p class="remark">${escapeHtml(figure.caption)} ${dataLink(`${figure.id}.csv`, figureCsv(figure), 'Data as CSV')}</p>`,
    `<ul class="legend">${entries.join('')}</ul>`,
    `<div class="chart" tabindex="0" role="group" aria-label="${escapeHtml(figure.title)}">${svg}</div>`,
    '</figure>',
  ].join('\n')
}

function select(name: string, label: string, options: readonly (readonly [string, string])[]): string {
  const all = options.map(
    ([value, text]) => `<option value="${escapeHtml(value)}">${escapeHtml(text)}</option>`,
  )
  return `<div><label for="filter-${name}">${label}</label><select id="filter-${name}" data-filter="${name}"><option value="">all</option>${all.join('')}</select></div>`
}

function sameNames(values: readonly string[]): [string, string][] {
  return [...new Set(values)].sort().map(value => [value, value])
}

/** Returns the options of the score filter: quarters of the metric's range, from the worst, as `goodness` from 0 to 1. */
function scoreBands(metric: MetricDefinition | null): (readonly [string, string])[] {
  const quarters = [0, 0.25, 0.5, 0.75]
  const isPercent = metric === null || (metric.unit === 'share' && metric.better === 'higher')
  return [
    ...quarters.map((from, at): [string, string] => {
      const names = isPercent
        ? ['below 25', '25 to 50', '50 to 75', '75 or more']
        : ['worst quarter', 'below the middle', 'above the middle', 'best quarter']
      return [`${from}-${from + 0.25}`, names[at] ?? '']
    }),
    ['unscored', 'unscored'],
  ]
}

function endOf(attempt: Attempt): string {
  return `${attempt.termination.cause} / ${attempt.termination.reason}`
}

/** The metrics of the list of attempts, which are those of the first scoring. */
export interface ListedScores {
  readonly primary: MetricDefinition | null
  /** The scores besides the primary metric. */
  readonly others: readonly MetricDefinition[]
  scoreOf(attempt: Attempt): Score | null
}

/** Returns the metrics of the list of attempts. With several scorers, the list shows the first. */
export function listedScores(
  attempts: readonly Attempt[],
  scoreOf: (attempt: Attempt) => Score | null,
  scorers: RunScorers,
): ListedScores {
  const first = attempts.map(scoreOf).find(score => score !== null)
  const { primary, columns } = metricsOf(scorers, first?.profile ?? 'none')
  return { primary, others: columns.filter(metric => metric !== primary), scoreOf }
}

/** Renders the filters of the list of attempts. */
export function filtersHtml(attempts: readonly Attempt[], { primary }: ListedScores): string {
  return [
    '<div class="filters" role="search" aria-label="filter attempts">',
    '<div><label for="filter-text">text</label><input id="filter-text" type="search" data-filter="text" placeholder="task, model, …"></div>',
    select('setting', 'setting', sameNames(attempts.map(settingLabel))),
    select('domain', 'domain', sameNames(attempts.map(attempt => attempt.domain))),
    select('end', 'termination', sameNames(attempts.map(endOf))),
    select('score', primary === null ? 'score' : headOf(primary), scoreBands(primary)),
    '<button type="button" class="plain" id="filter-reset">show all</button>',
    '<span id="attempt-count" role="status"></span>',
    '</div>',
  ].join('\n')
}

const attemptColumns = ({ primary, others }: ListedScores): readonly (readonly [string, boolean])[] => [
  ['task', false],
  ['domain', false],
  ['setting', false],
  ['model', false],
  ['trial', true],
  ['termination', false],
  [primary === null ? 'score' : headOf(primary), true],
  ...others.map(metric => [headOf(metric), true] as const),
  ['docs found', true],
  ['tokens', true],
  ['seconds', true],
]

function attemptRow(attempt: Attempt, listed: ListedScores, models: ModelNaming): string {
  const { primary, others } = listed
  const score = listed.scoreOf(attempt)
  const scored = score?.status === 'scored' ? score : null
  const value = primary === null || scored === null ? null : recordedValue(scored, primary.key)
  // The score filter compares goodness, so that it works for metrics where lower is better.
  const good = primary === null || value === null ? null : (goodness(primary, value) ?? value)
  const { inputTokens, outputTokens, wallMs } = attempt.usage
  const tokens = inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens
  const number = (text: string, sort: number | null): string =>
    `<td class="number" data-sort="${sort ?? ''}">${escapeHtml(text)}</td>`
  const data = {
    id: attempt.attemptId,
    setting: settingLabel(attempt),
    domain: attempt.domain,
    end: endOf(attempt),
  }
  const attributes = Object.entries(data).map(([name, value]) => `data-${name}="${escapeHtml(value)}"`)
  return [
    `<tr ${attributes.join(' ')} data-score="${good ?? ''}">`,
    `<td><a href="#attempt=${encodeURIComponent(attempt.attemptId)}">${escapeHtml(attempt.taskId)}</a></td>`,
    ...[attempt.domain, settingLabel(attempt), models.of(attempt.model)].map(
      text => `<td>${escapeHtml(text)}</td>`,
    ),
    number(String(attempt.trial), attempt.trial),
    `<td>${escapeHtml(endOf(attempt))}</td>`,
    number(primary === null || scored === null ? 'unscored' : metricText(primary, value), value),
    ...others.map(metric => {
      const other = scored === null ? null : recordedValue(scored, metric.key)
      return number(metricText(metric, other), other)
    }),
    number(percent(attempt.discovery?.recall.opened ?? null), attempt.discovery?.recall.opened ?? null),
    number(compactCount(tokens), tokens),
    number(seconds(wallMs), wallMs),
    '</tr>',
  ].join('')
}

/** Renders the list of attempts row by row. The task id of each row links to the page of the attempt. */
export function* attemptListHtml(
  attempts: readonly Attempt[],
  listed: ListedScores,
  title: string,
): Generator<string> {
  const models = modelNaming(attempts)
  yield [
    `<div class="scroll" tabindex="0" role="group" aria-label="attempts"><table class="sortable" id="attempts"><caption>${escapeHtml(title)}</caption><thead><tr>`,
    ...attemptColumns(listed).map(([name, numeric]) => sortHead(name, numeric)),
    '</tr></thead><tbody>',
    '',
  ].join('\n')
  for (const attempt of attempts) yield `${attemptRow(attempt, listed, models)}\n`
  yield '</tbody></table></div>'
}
