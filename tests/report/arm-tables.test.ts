import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../src/core/attempt.ts'
import { pairArms } from '../../src/report/app/run-changes.ts'
import { makePageData } from '../../src/report/html/page-data.ts'
import { findArm } from '../../src/report/model/arms.ts'
import { buildReport } from '../../src/report/model/build-report.ts'
import type { Report } from '../../src/report/model/report.ts'
import { writeShortSummary } from '../../src/report/short/short-summary.ts'
import { makeArmTables, makePooledDifferenceTables } from '../../src/report/tables/arm-tables.ts'
import { makeEfficiencyTables } from '../../src/report/tables/cost-tables.ts'
import { makeDifferenceTables } from '../../src/report/tables/difference-tables.ts'
import { reportTables } from '../../src/report/tables/report-sections.ts'
import { writeTableCsv } from '../../src/report/tables/table-formats.ts'
import { makeTextTable } from '../../src/report/tables/text-table.ts'
import { meanText } from '../../src/report/tables/value-text.ts'
import { compareRuns } from './compare-runs.ts'
import { makeAttempt, makeCell, makeScore, scorers } from './records.ts'

/** The scores of an arm, one for each task. */
type Arms = Readonly<Record<string, readonly number[]>>

const manifest = { runId: 'r', startedAt: null, endedAt: null, config: { web: 'sealed' } }

/** Makes a run of arms that are named `model setting option=value`. Each score has ten cells. */
function runOf(arms: Arms) {
  const attempts: Attempt[] = []
  const scores = Object.entries(arms).flatMap(([arm, values]) => {
    const [model = '', setting = '', variant = ''] = arm.split(' ')
    return values.map((value, at) => {
      const made = makeAttempt({ task: `t${at}`, setting, variant, over: { documents: [] } })
      const usage = { ...made.usage, usd: 0.02 }
      const attempt = { ...made, usage, model: `openai:${model}`, attemptId: `${made.attemptId}.${model}` }
      attempts.push(attempt)
      const cells = Array.from({ length: 10 }, (_, cell) =>
        makeCell(cell < 10 * value ? {} : { score: 0, class: cell % 3 === 0 ? 'missed-row' : 'wrong' }),
      )
      return makeScore(attempt, value, { cells })
    })
  })
  return { manifest, attempts, scores, scorers }
}

const reportOf = (arms: Arms, baseline?: string): Report =>
  buildReport({ ...runOf(arms), skippedTasks: [], ...(baseline === undefined ? {} : { baseline }) })

const base = [0.9, 0.8, 1, 0.7, 0.9, 0.8]
const less = (by: number): number[] => base.map((value, at) => value - by - (at % 2) / 50)
const square: Arms = {
  'a offline': base,
  'a rag': less(0.2),
  'b offline': less(0.1),
  'b rag': less(0.3),
}

describe('the table of arms', () => {
  it('has score, difference to the first arm, losses and cost of every arm in one table', () => {
    const [table, ...others] = makeArmTables(reportOf(square))
    expect(others).toEqual([])
    const text = makeTextTable(table!)
    expect(text.columns.map(({ head }) => head)).toEqual([
      ...[
        'model',
        'setting',
        'scored',
        'Cell F1 [95%]',
        'difference [95%]',
        'p Holm',
        'lost',
        'largest loss',
      ],
      ...['US$', 'seconds', 'US$/cell', 's/cell'],
    ])
    expect(text.rows.map(row => row.slice(0, 3))).toEqual([
      ['a', 'offline', '6/6'],
      ['a', 'rag', '6/6'],
      ['b', 'offline', '6/6'],
      ['b', 'rag', '6/6'],
    ])
    expect(text.rows[0]!.slice(4, 6)).toEqual(['', ''])
    expect(text.rows[3]![4]).toMatch(/^-31\.0 \[-\d+\.\d, -\d+\.\d\]$/)
    expect(text.rows[0]!.slice(6)).toEqual(['15.0', 'missed-row 8.3', '0.0200', '2.00', '0.0024', '0.235'])
  })

  it('counts the tests of the table as one family', () => {
    const { baselineDifferences } = reportOf(square)
    expect(baselineDifferences.map(({ arm, fromArm, tests }) => [arm, fromArm, tests])).toEqual([
      ['rag-a', 'offline-a', 3],
      ['offline-b', 'offline-a', 3],
      ['rag-b', 'offline-a', 3],
    ])
    // Each has 1/32 of its own: two of the 2^6 ways to flip six groups are as extreme.
    expect(baselineDifferences.map(({ pValue, pValueHolm }) => [pValue, pValueHolm])).toEqual(
      Array(3).fill([1 / 32, 3 / 32]),
    )
  })

  it('compares with the arm of --baseline, by the names that readers see', () => {
    for (const name of ['rag-b', 'b rag', 'rag · b', 'B RAG']) {
      const { baselineDifferences } = reportOf(square, name)
      expect(new Set(baselineDifferences.map(({ fromArm }) => fromArm))).toEqual(new Set(['rag-b']))
      expect(baselineDifferences.find(({ arm }) => arm === 'offline-a')?.mean).toBeCloseTo(0.31)
    }
    expect(() => reportOf(square, 'rga-b')).toThrow(
      expect.objectContaining({
        code: 'unknown-arm',
        message: expect.stringMatching(/did you mean 'rag-b'/),
      }),
    )
    expect(() => findArm(reportOf(square).arms, 'rag')).toThrow(
      expect.objectContaining({ code: 'unknown-arm', message: expect.stringContaining('rag-a, rag-b') }),
    )
  })

  it('finds arms by names that leave out what all arms share', () => {
    const idOf = (arms: Arms, name: string): string => findArm(reportOf(arms).arms, name).id
    const models = { 'a offline': base, 'ab offline': base }
    expect([idOf(models, 'a'), idOf(models, 'ab'), idOf(models, 'openai:ab')]).toEqual([
      ...['offline-a', 'offline-ab', 'offline-ab'],
    ])
    const options = { 'a rag': base, 'a rag cot=off': base, 'b rag': base, 'b rag cot=off': base }
    expect([idOf(options, 'b'), idOf(options, 'b cot=off')]).toEqual(['rag-b', 'rag-cot-off-b'])
    const retrievers = { 'a rag retriever=bm25': base, 'a rag retriever=mmr': base }
    expect(idOf(retrievers, 'retriever=mmr')).toBe('rag-mmr-a')
    for (const name of ['rag', 'c', 'a b', ''])
      expect(() => idOf(options, name)).toThrow(expect.objectContaining({ code: 'unknown-arm' }))
  })

  it('takes the first arm with a score as the baseline', () => {
    const run = runOf({ 'a offline': [1, 1], 'b offline': [0.5, 0.5], 'c offline': [0.2, 0.2] })
    const scores = run.scores.map((score, at) => (at < 2 ? makeScore(run.attempts[at]!, 'provider') : score))
    const { baselineDifferences } = buildReport({ ...run, scores, skippedTasks: [] })
    expect(baselineDifferences.map(({ arm, fromArm }) => [arm, fromArm])).toEqual([
      ['offline-c', 'offline-b'],
    ])
  })

  const forks: Arms = {
    'a online fork=give,cause=not-opened': base,
    'a online fork=none,cause=not-opened': less(0.3),
    'a online fork=none,cause=wrong': less(0.4),
    'a online fork=prompt-note,cause=wrong': less(0.1),
  }

  it('compares forks with those of the same cause that change nothing, which come first, also on the page', () => {
    const run = runOf(forks)
    const report = reportOf(forks)
    expect(report.arms.map(({ options }) => `${options.cause} ${options.fork}`)).toEqual([
      ...['not-opened none', 'not-opened give', 'wrong none', 'wrong prompt-note'],
    ])
    const pairs = report.baselineDifferences.map(({ arm, fromArm }) => [arm, fromArm])
    expect(pairs).toEqual([
      ['online-fork-give-cause-not-opened-a', 'online-fork-none-cause-not-opened-a'],
      ['online-fork-prompt-note-cause-wrong-a', 'online-fork-none-cause-wrong-a'],
    ])
    expect(report.baselineDifferences[0]!.mean).toBeCloseTo(0.31)
    expect(compareRuns([run], { force: false }).baselineDifferences).toEqual(report.baselineDifferences)
    expect(report.differences.every(({ to, from }) => to.slice(-5) === from.slice(-5))).toBe(true)
    expect(summaryOf(report, run).match(/ baseline$/gm)).toHaveLength(2)
    expect(pairArms(pageOf(report, run))).toEqual([
      { before: 0, after: 1 },
      { before: 2, after: 3 },
    ])
  })

  it('compares forks with the only control when the fork has another model, and with the arm of --baseline', () => {
    const arms = {
      'b online fork=none': base,
      'a online fork=model_a': less(0.2),
      'b online fork=give': base,
    }
    const fromArms = (baseline?: string) =>
      new Set(reportOf(arms, baseline).baselineDifferences.map(({ fromArm }) => fromArm))
    expect(fromArms()).toEqual(new Set(['online-fork-none-b']))
    expect(fromArms('online-fork-give-b')).toEqual(new Set(['online-fork-give-b']))
  })

  it('pairs the baseline of a run with each other arm on the page', () => {
    const report = reportOf(square, 'rag-a')
    expect(pairArms(pageOf(report, runOf(square)))).toEqual([0, 2, 3].map(after => ({ before: 1, after })))
  })

  it('has no difference for a single arm, and every class of losses in CSV', () => {
    const [table] = makeArmTables(reportOf({ 'a offline': base }))
    expect(makeTextTable(table!).columns.map(({ head }) => head)).not.toContain('difference [95%]')
    expect(writeTableCsv(table!).split('\n')[0]).toContain(',wrong,')
  })

  it('writes times into CSV in the unit of their heads', () => {
    const report = reportOf({ 'a offline': base })
    const fields = (csv: string): Record<string, string> => {
      const [head, row] = csv.split('\n').map(line => line.split(','))
      return Object.fromEntries(head!.map((name, at) => [name, row![at]!]))
    }
    const [spent, costs] = makeEfficiencyTables(report)
    expect(fields(writeTableCsv(makeArmTables(report)[0]!)).seconds).toBe('2')
    expect(fields(writeTableCsv(makeArmTables(report)[0]!))['s/cell']).toMatch(/^0\.235/)
    expect(fields(writeTableCsv(spent!))).toMatchObject({ seconds: '2', working: '1.5' })
    expect(fields(writeTableCsv(costs!))['s/cell']).toMatch(/^0\.235/)
  })

  it('is the first table of a report and of a comparison, with equal numbers', () => {
    const run = runOf(square)
    const report = buildReport({ ...run, skippedTasks: [] })
    const comparison = compareRuns([run], { force: false })
    expect(reportTables(report)[0]?.title).toBe('Arms (scorer aoe, judge rules)')
    expect(makeArmTables(comparison).map(makeTextTable)).toEqual(makeArmTables(report).map(makeTextTable))
    expect(comparison.pooledDifferences).toEqual(report.pooledDifferences)
  })

  it('has the adjusted numbers that the summary and the page say', () => {
    const { attempts, scores } = runOf(square)
    const report = buildReport({ manifest, scorers, attempts, scores, skippedTasks: [] })
    const summary = summaryOf(report, { attempts, scores })
    const { sentences } = pageOf(report, { attempts, scores })
    const table = makeTextTable(makeArmTables(report)[0]!)
    for (const [at, { pValueHolm }] of report.baselineDifferences.entries()) {
      const [, , , , difference, p] = table.rows[at + 1]!
      expect(p).toBe(pValueHolm!.toFixed(3))
      expect(summary).toMatch(new RegExp(`${difference!.replace(/[[\]+.]/g, '\\$&')} +${p} `, 'm'))
      expect(sentences[at + report.pooledDifferences.length]?.detail).toContain(`Holm p=${p} of 3 tests`)
    }
    const causes = { rows: [], sentence: 'Of 3 points, 2 come back.', doubts: ['A doubt.'] }
    const [first, ...others] = pageOf({ ...report, causes }, { attempts, scores }).sentences
    expect(first).toEqual({ claim: causes.sentence, detail: 'A doubt.' })
    expect(others).toEqual(sentences)
  })
})

function summaryOf(report: Report, records: Pick<ReturnType<typeof runOf>, 'attempts' | 'scores'>): string {
  return writeShortSummary({
    ...{ report, records: { ...records, manifest }, title: 'Run r', columns: 80, isRunning: false },
    ...{ reportFiles: [], commands: { full: 'all', resume: null, status: null, retry: null } },
  })
}

function pageOf(report: Report, records: Pick<ReturnType<typeof runOf>, 'attempts' | 'scores'>) {
  return makePageData({
    ...{
      report,
      ...records,
      manifest,
      scorers,
      tasks: new Map(),
      tainted: new Set<string>(),
      scoresOf: () => [],
    },
    run: { name: 'r', runId: 'r', startedAt: null, facts: [], command: null, bibtex: '' },
  })
}

describe('differences along one dimension', () => {
  const pooled = (arms: Arms) =>
    reportOf(arms).pooledDifferences.map(({ dimension, from, to, combinations, over, n, tests }) => ({
      ...{ dimension, from, to, combinations, over, n, tests },
    }))

  it('are pooled over the combinations of the others, for the model and the setting', () => {
    const [models, settings] = reportOf(square).pooledDifferences
    expect(pooled(square)).toEqual([
      {
        dimension: 'model',
        from: 'openai:a',
        to: 'openai:b',
        combinations: 2,
        over: ['setting'],
        n: 6,
        tests: 2,
      },
      { dimension: 'setting', from: 'offline', to: 'rag', combinations: 2, over: ['model'], n: 6, tests: 2 },
    ])
    // The mean of -0.11 offline and -0.10 with rag, and of -0.21 and -0.20.
    expect(models?.mean).toBeCloseTo(-0.105)
    expect(settings?.mean).toBeCloseTo(-0.205)
    expect(models?.pValue).toBe(1 / 32)
  })

  it('are not pooled when an arm of a combination is missing', () => {
    const { 'b rag': _, ...missing } = square
    expect(pooled(missing)).toEqual([])
    const withControl = { ...square, 'a rag control=oracle': base }
    expect(pooled(withControl).map(({ dimension }) => dimension)).toEqual(['setting'])
  })

  it('are pooled over both models and settings, for an option that all have', () => {
    const arms = Object.fromEntries(
      Object.entries(square).flatMap(([arm, values]) => [
        [arm, values],
        [`${arm} cot=off`, values.map(value => value - 0.05)],
      ]),
    )
    const row = pooled(arms).find(({ dimension }) => dimension === 'cot')
    expect(row).toMatchObject({ from: 'default', to: 'off', combinations: 4, over: ['model', 'setting'] })
    const table = makeTextTable(makePooledDifferenceTables(reportOf(arms))[0]!)
    expect(table.rows.map(([dimension, , , over]) => `${dimension}: ${over}`)).toContain(
      'cot: 4 combinations of model and setting',
    )
  })

  it('are pooled for an option of one setting, although others lack it', () => {
    const arms = { ...square, 'a rag retriever=bm25': less(0.1), 'b rag retriever=bm25': less(0.2) }
    expect(pooled(arms).map(({ dimension, from, to, over }) => [dimension, from, to, over])).toEqual([
      ['model', 'openai:a', 'openai:b', ['setting', 'retriever']],
      ['setting', 'offline', 'rag', ['model']],
      ['setting', 'offline', 'rag bm25', ['model']],
      ['retriever', 'default', 'bm25', ['model']],
    ])
  })

  it('are over the tasks that all arms of both sides scored', () => {
    const arms = { ...square, 'b rag': square['b rag']!.slice(0, 5) }
    expect(pooled(arms).map(({ n }) => n)).toEqual([5, 5])
    expect(pooled({ 'a offline': base, 'b offline': base })).toEqual([])
  })

  it('leave out combinations in which an arm has no score', () => {
    const run = runOf({ ...square, 'a closed-book': base, 'b closed-book': base })
    const scores = run.scores.map((score, at) =>
      run.attempts[at]!.setting === 'closed-book' && run.attempts[at]!.model === 'openai:b'
        ? makeScore(run.attempts[at]!, 'provider')
        : score,
    )
    const { pooledDifferences } = buildReport({ ...run, scores, skippedTasks: [] })
    const models = pooledDifferences.filter(({ dimension }) => dimension === 'model')
    expect(models.map(({ combinations, n, mean }) => [combinations, n, mean])).toEqual([
      [2, 6, expect.closeTo(-0.105)],
    ])
  })

  it('name an option and its values in the summary, one difference of each dimension first', () => {
    const arms = Object.fromEntries(
      Object.entries(square).flatMap(([arm, values]) =>
        ['bm25', 'mmr', 'rerank'].map((name, at): [string, number[]] => [
          `${arm} retriever=${name}`,
          values.map(value => value - at / 20),
        ]),
      ),
    )
    const { attempts, scores } = runOf(arms)
    const summary = summaryOf(buildReport({ manifest, scorers, attempts, scores, skippedTasks: [] }), {
      attempts,
      scores,
    })
    expect(summary).toMatch(/^6 pairs of arms +b minus a /m)
    expect(summary).toMatch(/^6 pairs of arms +rag minus offline /m)
    expect(summary).toMatch(/^4 pairs of arms +retriever: mmr minus bm25 +-5\.0/m)
    expect(summary.split('\n').every(line => line.length <= 80)).toBe(true)
  })

  it('leave the table of all differences as it is', () => {
    const tables = makeDifferenceTables(reportOf(square))
    expect(tables.map(({ title }) => title)).toEqual([
      'Differences between settings (scorer aoe, judge rules)',
    ])
  })
})

describe('a mean that ends in 5', () => {
  it.each([0.8125, 0.0625, 0.1875, 0.3125, 0.4375, 0.5625, 0.6875, 0.9375, 0.2345, 0.1235, 0.0005, 0.9995])(
    'is rounded the same in the summary, the tables and the page: %d',
    value => {
      const { attempts, scores } = runOf({ 'a offline': [value] })
      const report = buildReport({ manifest, scorers, attempts, scores, skippedTasks: [] })
      const { metrics, results } = pageOf(report, { attempts, scores })
      const page = meanText(metrics[0]!, { mean: results[0]!.mean })
      expect(makeTextTable(makeArmTables(report)[0]!).rows[0]).toContain(page)
      expect(summaryOf(report, { attempts, scores })).toMatch(
        new RegExp(`^offline +1/1 .* ${page.replace('.', '\\.')} `, 'm'),
      )
    },
  )
})
