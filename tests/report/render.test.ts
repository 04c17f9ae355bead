import { describe, expect, it } from 'vitest'
import { buildReport } from '../../src/report/model/build-report.ts'
import { displayWidth } from '../../src/report/tables/display-width.ts'
import { renderMarkdown, reportTables } from '../../src/report/tables/report-sections.ts'
import { escapeMarkdown } from '../../src/report/tables/table-formats.ts'
import { renderTerminal } from '../../src/report/tables/terminal.ts'
import { makeAttempt, makeCell, makeScore, scorers } from './records.ts'

const domains = ['financial', '法律判决与执行', 'a-domain-with-a-very-long-name-that-nobody-expected']

function sample() {
  const attempts = domains.flatMap((domain, at) =>
    ['offline', 'rag', 'online'].flatMap(setting =>
      [1, 2, 3].map(task => makeAttempt({ task: `t${at}-${task}`, domain, setting })),
    ),
  )
  const scores = attempts.map((attempt, at) =>
    makeScore(attempt, (at % 5) / 5, { cells: [makeCell(), makeCell({ score: 0, class: 'wrong' })] }),
  )
  const manifest = { runId: 'r1', startedAt: null, endedAt: null, planned: 30, config: { web: 'sealed' } }
  return buildReport({
    manifest,
    scorers,
    attempts,
    scores,
    skippedTasks: [{ line: 3, recordId: 'x', problem: 'bad' }],
  })
}

describe('the terminal report', () => {
  it.each([100, 120, 300])('fits into %i columns, with wide characters counted as two', columns => {
    const widths = renderTerminal(sample(), { columns }).split('\n').map(displayWidth)
    expect(Math.max(...widths)).toBeLessThanOrEqual(columns)
  })

  it('does not cut names when there is no terminal', () => {
    expect(renderTerminal(sample(), { columns: Number.POSITIVE_INFINITY })).not.toContain('…')
  })

  it('names the web, and the scorer and judge in the title of every table with scores', () => {
    const text = renderTerminal(sample(), { columns: 120 })
    const titles = reportTables(sample()).map(table => table.title)
    expect(titles.filter(title => !title.includes('scorer aoe, judge rules'))).toEqual([])
    expect(text.match(/scorer aoe, judge rules/g)?.length).toBe(titles.length)
    expect(text).toContain('web sealed')
  })

  it('has notes about missing attempts and skipped tasks', () => {
    const text = renderTerminal(sample(), { columns: 120 })
    expect(text).toContain('3 of 30 attempts have not been made')
    expect(text).toContain('1 task could not be read and was skipped')
  })

  it('has bounds of the primary metric when the web failed, and names the model if there are several', () => {
    const remarksOf = (scorer: string, models: readonly string[]) => {
      const attempts = models.map(model =>
        makeAttempt({ task: 't', setting: 'online', over: { model, attemptId: model } }),
      )
      const isTable = scorer === 'aoe'
      const own = {
        scorer,
        infrastructureFailures: 1,
        ...(isTable ? {} : { counts: { nodes: 4, passedNodes: 1 } }),
        ...(isTable
          ? {}
          : { extract: { schema: 's', valid: true, failure: null, nodes: [], summary: null } }),
      }
      const scores = attempts.map(attempt => makeScore(attempt, 0.5, own))
      const manifest = { runId: 'r', startedAt: null, endedAt: null, config: {} }
      const tables = reportTables(buildReport({ manifest, scorers, attempts, scores, skippedTasks: [] }))
      const table = tables.find(({ title }) => title.startsWith('Comparison'))
      return table?.remarks.filter(remark => remark.includes('infrastructure failed in'))
    }
    expect(remarksOf('aoe', ['m', 'n'])).toEqual([
      expect.stringMatching(/^online · m: .* Cell F1 without them: –, bounds 50.0–50.0\.$/),
      expect.stringMatching(/^online · n: /),
    ])
    expect(remarksOf('extract-bench', ['m'])).toEqual([
      expect.stringMatching(/^online: .* Fields passed without them: –, bounds 25.0–25.0\.$/),
    ])
  })

  it('removes control characters from names', () => {
    const attempts = [makeAttempt({ task: 't', setting: 'rag', domain: 'evil\u001b[31m' })]
    const manifest = { runId: 'r\u001b[31m', startedAt: null, endedAt: null, config: {} }
    const report = buildReport({
      manifest,
      scorers,
      attempts,
      scores: [makeScore(attempts[0]!, 1)],
      skippedTasks: [],
    })
    expect(renderTerminal(report, { columns: 100 })).not.toContain('\u001b')
  })
})

describe('the Markdown report', () => {
  it('escapes pipes, stars and tags', () => {
    expect(escapeMarkdown('a|b *c* <img>')).toBe('a\\|b \\*c\\* \\<img\\>')
  })

  it('has the same number of cells in every row of a table', () => {
    const rows = renderMarkdown(sample())
      .split('\n\n')
      .map(block => block.split('\n').filter(line => line.startsWith('|')))
    for (const table of rows)
      expect(new Set(table.map(line => line.split(' | ').length)).size).toBeLessThan(2)
  })
})
