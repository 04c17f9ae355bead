import type { Attempt } from '../../core/attempt.ts'
import type { Score } from '../../core/score.ts'
import { loadFigureDrawing } from '../figures/draw-figure.ts'
import { escapeHtml } from '../figures/escape-html.ts'
import type { Figure } from '../figures/figure.ts'
import { reportFigures } from '../figures/figures.ts'
import type { Report } from '../model/report.ts'
import { scoringOf } from '../model/scorings.ts'
import { reportFacts, reportNotes, reportSections } from '../tables/report-sections.ts'
import { attemptListHtml, figureHtml, filtersHtml, listedScores, tableHtml } from './html-parts.ts'
import { summaryHtml } from './summary.ts'

/** Renders the first page of the report: the summary, the sections of tables and figures, then all attempts. */
export async function* overviewHtml(
  report: Report,
  attempts: readonly Attempt[],
  scoreOf: (attempt: Attempt) => Score | null,
): AsyncGenerator<string> {
  const draw = await loadFigureDrawing()
  const figures = reportFigures(report)
  const sections = reportSections(report)
    .map(section => ({ ...section, figures: figures.filter(figure => sectionOf(figure) === section.id) }))
    .filter(section => section.tables.length + section.figures.length > 0)
  const first = attempts.map(scoreOf).find(score => score !== null)
  const scoring = scoringOf(first ?? { profile: 'none', judge: 'none' })
  yield `${[
    '<header>',
    `<h1>Run ${escapeHtml(report.run.runId)}</h1>`,
    `<p class="remark">${reportFacts(report).map(escapeHtml).join(' · ')}</p>`,
    '</header>',
    ...reportNotes(report).map(noteHtml),
    ...skippedHtml(report),
    summaryHtml(report),
    contentsHtml([...sections, { id: 'all-attempts', title: 'Attempts' }]),
  ].join('\n')}\n`
  for (const { id, title, tables, figures: own } of sections) {
    yield `${[
      `<section id="${id}"><h2>${escapeHtml(title)}</h2>`,
      ...own.map(figure => figureHtml(figure, draw)),
      ...tables.map(tableHtml),
      '</section>',
    ].join('\n')}\n`
  }
  const listed = listedScores(attempts, scoreOf, report.scorers)
  yield `<section id="all-attempts"><h2>Attempts</h2>\n${filtersHtml(attempts, listed)}\n`
  const title = `All attempts (${scoring}). Keys: / search, j next attempt, k previous attempt, Esc back`
  yield* attemptListHtml(attempts, listed, title)
  yield '</section>\n'
}

/** Highlights notes and warnings. The cost of judging is a plain remark. */
function noteHtml(note: string): string {
  return `<p class="${/^(?:Note|Warning): /.test(note) ? 'note' : 'remark'}">${escapeHtml(note)}</p>`
}

function skippedHtml({ skippedTasks }: Report): string[] {
  if (skippedTasks.length === 0) return []
  const items = skippedTasks.map(({ line, recordId, problem, file }) => {
    const id = recordId === null ? '' : `, ${escapeHtml(recordId)}`
    const place = file === undefined ? `line ${line}` : `${escapeHtml(file)}:${line}`
    return `<li>${place}${id}: ${escapeHtml(problem)}</li>`
  })
  return [`<h2>Skipped tasks</h2><ul>${items.join('')}</ul>`]
}

function contentsHtml(sections: readonly { readonly id: string; readonly title: string }[]): string {
  const links = sections.map(({ id, title }) => `<a href="#${id}">${escapeHtml(title)}</a>`)
  return `<nav class="contents" aria-label="sections">${links.join('')}</nav>`
}

/** Returns the section of a figure, which is the section with the tables of the same numbers. */
function sectionOf(figure: Figure): string {
  const starts: readonly (readonly [string, string])[] = [
    ['waterfall', 'losses'],
    ['terminations', 'ends'],
    ['evidence-recall', 'retrieval'],
    ['context', 'retrieval'],
    ['budget', 'costs'],
    ['stability', 'stability'],
  ]
  // The id of a bar figure is the name of a metric, which may begin like one of these.
  if (figure.kind === 'bars') return 'results'
  return starts.find(([start]) => figure.id.startsWith(start))?.[1] ?? 'results'
}
