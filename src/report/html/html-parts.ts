import type { Attempt } from '../../core/attempt.ts'
import type { Score } from '../../core/score.ts'
import type { DrawFigure } from '../figures/draw-figure.ts'
import { escapeHtml } from '../figures/escape-html.ts'
import { figureCsv } from '../figures/figure-csv.ts'
import type { Figure } from '../figures/figures.ts'
import { type ModelNaming, modelNaming, settingLabel } from '../model/arm-names.ts'
import { answerKindOf, primaryOf, primaryScore, scoreMetrics } from '../model/metrics.ts'
import { compactCount, percent, seconds } from '../tables/numbers.ts'
import type { ReportTable } from '../tables/report-table.ts'

function sortHead(name: string, numeric: boolean): string {
  return `<th scope="col" aria-sort="none"${numeric ? ' class="number"' : ''}><button type="button">${escapeHtml(name)}</button></th>`
}

/** A table whose columns sort by their heads. */
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

/** A file's text behind a link, inside the page itself. */
function dataLink(name: string, text: string, label: string): string {
  const data = Buffer.from(text, 'utf8').toString('base64')
  return `<a download="${escapeHtml(name)}" href="data:text/csv;charset=utf-8;base64,${data}">${escapeHtml(label)}</a>`
}

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

const scoreBands: readonly (readonly [string, string])[] = [
  ['0-0.25', 'below 25'],
  ['0.25-0.5', '25 to 50'],
  ['0.5-0.75', '50 to 75'],
  ['0.75-1', '75 and more'],
  ['unscored', 'unscored'],
]

function endOf(attempt: Attempt): string {
  return `${attempt.termination.cause} / ${attempt.termination.reason}`
}

export function filtersHtml(
  attempts: readonly Attempt[],
  scoreOf: (attempt: Attempt) => Score | null,
): string {
  return [
    '<div class="filters" role="search" aria-label="filter attempts">',
    '<div><label for="filter-text">text</label><input id="filter-text" type="search" data-filter="text" placeholder="task, model, …"></div>',
    select('setting', 'setting', sameNames(attempts.map(settingLabel))),
    select('domain', 'domain', sameNames(attempts.map(attempt => attempt.domain))),
    select('end', 'termination', sameNames(attempts.map(endOf))),
    select('score', scoreName(attempts, scoreOf), scoreBands),
    '<button type="button" class="plain" id="filter-reset">show all</button>',
    '<span id="attempt-count" role="status"></span>',
    '</div>',
  ].join('\n')
}

/** The scores beside the primary one. */
const otherScores = scoreMetrics.filter(metric => !metric.primary)

const attemptColumns = (scored: string): readonly (readonly [string, boolean])[] => [
  ['task', false],
  ['domain', false],
  ['setting', false],
  ['model', false],
  ['trial', true],
  ['termination', false],
  [scored, true],
  ...otherScores.map(metric => [metric.short, true] as const),
  ['found', true],
  ['tokens', true],
  ['seconds', true],
]

/** What an attempt's score is called. */
function scoreName(attempts: readonly Attempt[], scoreOf: (attempt: Attempt) => Score | null): string {
  const isExtraction = attempts.some(attempt => answerKindOf(scoreOf(attempt)?.profile ?? 'none') === 'json')
  return primaryOf(isExtraction ? 'json' : 'table').short
}

function attemptRow(attempt: Attempt, score: Score | null, models: ModelNaming): string {
  const primary = score === null ? null : primaryScore(score).value
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
    `<tr ${attributes.join(' ')} data-score="${primary ?? ''}">`,
    `<td><a href="#attempt=${encodeURIComponent(attempt.attemptId)}">${escapeHtml(attempt.taskId)}</a></td>`,
    ...[attempt.domain, settingLabel(attempt), models.of(attempt.model)].map(
      text => `<td>${escapeHtml(text)}</td>`,
    ),
    number(String(attempt.trial), attempt.trial),
    `<td>${escapeHtml(endOf(attempt))}</td>`,
    number(score?.status === 'scored' ? percent(primary) : 'unscored', primary),
    ...otherScores.map(metric => {
      const value = score === null ? null : metric.of(score)
      return number(percent(value), value)
    }),
    number(percent(attempt.discovery?.recall.opened ?? null), attempt.discovery?.recall.opened ?? null),
    number(compactCount(tokens), tokens),
    number(seconds(wallMs), wallMs),
    '</tr>',
  ].join('')
}

/** Every attempt with its first scoring, row by row; a task's name leads to the attempt's page. */
export function* attemptListHtml(
  attempts: readonly Attempt[],
  scoreOf: (attempt: Attempt) => Score | null,
  title: string,
): Generator<string> {
  const scored = scoreName(attempts, scoreOf)
  const models = modelNaming(attempts)
  yield [
    `<div class="scroll" tabindex="0" role="group" aria-label="attempts"><table class="sortable" id="attempts"><caption>${escapeHtml(title)}</caption><thead><tr>`,
    ...attemptColumns(scored).map(([name, numeric]) => sortHead(name, numeric)),
    '</tr></thead><tbody>',
    '',
  ].join('\n')
  for (const attempt of attempts) yield `${attemptRow(attempt, scoreOf(attempt), models)}\n`
  yield '</tbody></table></div>'
}
