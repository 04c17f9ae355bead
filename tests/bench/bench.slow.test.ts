import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Bench, measureFigures, skipped } from '../../bench/figure.ts'
import { fixedDelayWeb } from '../../bench/parts/fixed-delay-web.ts'
import { runProcess } from '../../bench/parts/process.ts'
import { scoreCases } from '../../bench/parts/score-cases.ts'
import { median, quantile } from '../../bench/parts/statistics.ts'
import { readRecordedRun, recordedRunFile } from '../../bench/recorded-run.ts'
import { benches } from '../../bench/registry.ts'
import { scoreTableCase } from '../../src/run/score-files/score-table-batch.ts'
import { noJudge } from '../../src/score/contract/judge.ts'
import { packageRoot } from '../../src/system/paths.ts'

/** Scripts and papers read these. */
const stable = [
  'overhead-ratio',
  'memory-mb-20000-attempts',
  'help-ms',
  'scorer-tables-per-second',
  'pdf-pages-ratio',
  'index-chunks-per-second',
  'chroma-recall-at-250',
]

describe('the benchmark programs', () => {
  it('measure every stable figure, each in one program', () => {
    const figures = Object.values(benches).flatMap(bench => Object.keys(bench.figures))
    expect(figures).toEqual([...new Set(figures)])
    expect(stable.filter(figure => !figures.includes(figure))).toEqual([])
  })

  it('measure every figure of the recorded run, in its unit', async () => {
    const recorded = (await readRecordedRun(recordedRunFile))!
    for (const [name, { figures }] of Object.entries(recorded.benches)) {
      const units = (figures ?? []).map(({ figure, unit }) => [figure, unit])
      expect(units).toEqual(
        Object.entries(benches[name]!.figures).map(([figure, { unit }]) => [figure, unit]),
      )
    }
  })

  const bench: Bench = {
    ...{ summary: 'pages', read: 'Read it.', figures: { 'pages-ratio': { unit: 'x' } } },
    run: async () => ({ 'pages-ratio': skipped('no pdftotext') }),
  }

  it('print what is skipped, and why, instead of a number', async () => {
    expect(await measureFigures(bench)).toEqual([
      { figure: 'pages-ratio', value: null, unit: 'x', against: 'skipped: no pdftotext', ratio: null },
    ])
  })

  it('print four significant digits', async () => {
    const run = async () => ({ 'pages-ratio': { value: 1234.56, against: '', ratio: 0.0123456 } })
    expect(await measureFigures({ ...bench, run })).toMatchObject([{ value: 1235, ratio: 0.01235 }])
  })

  it('fail when a figure is not measured', async () => {
    await expect(measureFigures({ ...bench, run: async () => ({}) })).rejects.toThrow('pages-ratio was not')
  })

  it('run in processes of their own from the built package', async () => {
    const bench = [process.execPath, join(packageRoot, 'dist', 'bench', 'bench.js')]
    const withoutPages = ['env', '-u', 'TABLEHUNT_BENCH_READING']
    const { stdout } = await runProcess([...withoutPages, ...bench, 'reading-articles-recall', '--json'])
    const lines = stdout
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines.map(({ figure }) => figure)).toEqual(Object.keys(benches.reading!.figures))
    expect(lines.map(({ against }) => against.split(' ', 4).join(' '))).toContain('skipped: put a clone')
  })
})

describe('quantiles', () => {
  it('lie between the values, whatever their order', () => {
    expect([median([3, 1, 2]), median([4, 1, 2, 3]), quantile([0, 10], 0.95)]).toEqual([2, 2.5, 9.5])
  })

  it('are an error for an empty list', () => {
    expect(() => median([])).toThrow('no values')
  })
})

describe("the scorer's batch", () => {
  it('is the same for the same seed, and has the promised shape', () => {
    const [first] = scoreCases(2, 50, 7)
    expect(scoreCases(2, 50, 7)).toEqual(scoreCases(2, 50, 7))
    expect(scoreCases(1, 50, 8)).not.toEqual(scoreCases(1, 50, 7))
    expect(first?.task.answers).toHaveLength(50)
    expect(Object.keys(first?.task.answers[0] ?? {})).toHaveLength(10)
    expect(first?.answer_csv.trim().split('\n')).toHaveLength(46)
  })

  it('lacks a tenth of the rows and changes a tenth of the cells', async () => {
    const [table] = scoreCases(1, 50, 7)
    const score = await scoreTableCase(table!, 'aoe', noJudge)
    expect(score.error).toBeUndefined()
    const numbers = Object.values(score).filter(value => typeof value === 'number')
    expect(numbers.some(value => value > 0.7 && value < 1)).toBe(true)
  })
})

describe('a measured process', () => {
  it('is charged for the processor time of its children', async () => {
    const busy = 'const end = process.cpuUsage(); while (process.cpuUsage(end).user < 200_000);'
    const nested = `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(busy)}])`
    const { cpuMs, wallMs } = await runProcess([process.execPath, '-e', nested])
    expect(cpuMs).toBeGreaterThanOrEqual(190)
    expect(wallMs).toBeGreaterThanOrEqual(190)
  })

  it('is an error when it fails', async () => {
    const broken = [process.execPath, '-e', 'console.error("out of paper"); process.exit(3)']
    await expect(runProcess(broken)).rejects.toThrow(/ended with 3: out of paper/)
  })
})

describe('the web with a fixed delay', () => {
  it('answers searches and pages, but not before the delay is over', async () => {
    const web = fixedDelayWeb(20)
    const { signal } = new AbortController()
    const limits = { maxBytes: 1e6, timeoutMs: 1e3, maxRedirects: 0 }
    const startedAt = performance.now()
    const { hits } = await web.search.search(
      { query: 'figures', page: 1, language: null, region: null },
      (method, url, headers, body) =>
        web.transport.send({ method, url, headers, body, purpose: 'service', ...limits }, signal),
    )
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(19)
    expect(hits).toHaveLength(5)
    const page = await web.transport.send(
      { method: 'GET', url: hits[0]!.url, headers: {}, body: null, purpose: 'page', ...limits },
      signal,
    )
    expect(Buffer.from(page.body).toString()).toContain('Revenue')
  })
})
