import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../src/core/attempt.ts'
import type { CellClass } from '../../src/core/cell-classes.ts'
import type { Score } from '../../src/core/score.ts'
import { buildReport } from '../../src/report/model/build-report.ts'
import type { CausalWaterfall } from '../../src/report/model/causal-waterfall.ts'
import type { StabilityRow } from '../../src/report/model/report-rows.ts'
import { writeShortSummary } from '../../src/report/short/short-summary.ts'
import { displayWidth } from '../../src/report/tables/display-width.ts'
import { packageRoot } from '../../src/system/paths.ts'
import { type MadeAttempt, makeAttempt, makeCell, makeScore, scorers } from './records.ts'

interface Made {
  readonly attempts: readonly Attempt[]
  readonly scores: readonly Score[]
}

interface Shown {
  readonly planned?: number
  readonly skipped?: number
  readonly isRunning?: boolean
  readonly causes?: CausalWaterfall
  readonly stability?: readonly StabilityRow[]
}

function summaryOf(made: Made, over: Shown = {}): string {
  const [text = ''] = summariesOf(made, [Number.POSITIVE_INFINITY], over)
  return text
}

/** The summary of a run on terminals of so many columns. */
function summariesOf({ attempts, scores }: Made, terminals: readonly number[], over: Shown): string[] {
  const { planned = attempts.length } = over
  const manifest = { runId: 'r', startedAt: null, endedAt: null, planned, config: { web: 'sealed' } }
  const skippedTasks = Array.from({ length: over.skipped ?? 0 }, (_, at) => ({
    line: at + 1,
    recordId: null,
    problem: 'query is missing',
  }))
  const report = buildReport({ manifest, scorers, attempts, scores, skippedTasks })
  const common = {
    report: { ...report, causes: over.causes ?? null, stability: over.stability ?? [] },
    records: { manifest, attempts, scores },
    title: 'Run first',
    isRunning: over.isRunning ?? false,
    reportFiles: ['runs/first/report.html'],
    commands: {
      full: 'npx tablehunt report runs/first --full',
      resume: 'npx tablehunt run --resume --out runs/first',
      status: 'npx tablehunt status runs/first',
      retry: 'npx tablehunt run --resume --out runs/first --retry unscored',
    },
  }
  return terminals.map(columns => writeShortSummary({ ...common, columns }))
}

interface MadeArm extends Omit<MadeAttempt, 'task'> {
  readonly model?: string
}

/** Attempts of an arm, one for each number; a text in its place is why the attempt has no score. */
function armOf(made: MadeArm, outcomes: readonly (number | string)[], over: Partial<Score> = {}): Made {
  const { model = 'openai:gpt-4o', ...rest } = made
  const attempts = outcomes.map((outcome, at) => {
    const killed = typeof outcome === 'string' ? { cause: 'provider', reason: outcome } : null
    const attempt = makeAttempt({
      ...rest,
      task: `task-${at}`,
      ...(killed !== null && { end: killed as Attempt['termination'] }),
      over: { model, ...rest.over },
    })
    return { ...attempt, attemptId: `${attempt.attemptId}.${model}` }
  })
  const scores = attempts.map((attempt, at) => {
    const outcome = outcomes[at]!
    const columnRecall = typeof outcome === 'string' ? null : 1
    return makeScore(attempt, typeof outcome === 'string' ? 'provider' : outcome, {
      metrics: { columnRecall },
      ...over,
    })
  })
  return { attempts, scores }
}

function together(...made: readonly Made[]): Made {
  return { attempts: made.flatMap(one => one.attempts), scores: made.flatMap(one => one.scores) }
}

function expectToFit(text: string, columns = 80): void {
  const lines = text.trimEnd().split('\n')
  expect(Math.max(...lines.map(displayWidth))).toBeLessThanOrEqual(columns)
}

/** Adds twenty cells to each score, of which as many are correct as its Cell F1 says. The others are lost to a class. */
function withLosses({ attempts, scores }: Made, ...classes: readonly CellClass[]): Made {
  const cellsFor = (correct: number) =>
    Array.from({ length: 20 }, (_, at) => {
      const lost = classes[at % classes.length]!
      return makeCell(at < correct ? {} : { score: 0, class: lost })
    })
  const withCells = (score: Score): Score => ({
    ...score,
    cells: cellsFor(Math.round(20 * (score.metrics.cellF1 ?? 0))),
  })
  return { attempts, scores: scores.map(score => (score.status === 'scored' ? withCells(score) : score)) }
}

/** The run that docs/reading-a-run.md explains line by line. */
function documented(): string {
  const found = { surfaced: 1, opened: 0.75, parsed: 0.75, used: 0.5 }
  const online = { discovery: { hints: [], recall: found, distractorsOpened: 0 } }
  const priced = makeAttempt({ task: 't', setting: 'rag' }).usage
  const calls = { ...priced, modelCalls: 6, searchCalls: 4, fetchCalls: 5, toolErrors: 1, usd: 0.02 }
  const made = together(
    withLosses(
      armOf(
        { setting: 'offline', over: { documents: [], usage: { ...priced, usd: 0.004 } } },
        [0.9, 0.8, 1, 0.95, 0.85, 1],
      ),
      'wrong',
    ),
    withLosses(
      armOf(
        { setting: 'rag', over: { documents: [], usage: { ...priced, usd: 0.003 } } },
        [0.7, 0.4, 0.9, 0.85, 0.6, 0.5],
        { metrics: { columnRecall: 1, schemaPrecision: 0.9 } },
      ),
      ...(['not-retrieved', 'not-retrieved', 'wrong'] as const),
    ),
    withLosses(
      armOf({ setting: 'online', over: { ...online, usage: calls } }, [
        0.5,
        0.3,
        0.4,
        0.7,
        0.2,
        'rate-limited',
      ]),
      ...(['not-opened', 'not-surfaced', 'not-opened', 'wrong'] as const),
    ),
  )
  return summaryOf(made, { planned: 19, skipped: 1 })
}

describe('the short summary', () => {
  it('says how stable repeated scores of the shown scoring are', () => {
    const made = armOf({ setting: 'offline' }, [0.5, 0.6])
    const { scorer, judge } = made.scores[0]!
    const row = {
      repeats: 3,
      metric: 'Cell F1',
      n: 2,
      pearson: 0.5,
      spearman: 1,
      judgedCells: 8,
      flippedCells: 2,
    }
    const summary = (stability: readonly StabilityRow[]) => summaryOf(made, { stability })
    expect(summary([{ ...row, scorer, judge }])).toContain(
      'Repeats: 2 of the 8 items scored by the judge (25.0%) got different scores in\n  the 3 repeats.',
    )
    expect(summary([{ ...row, scorer, judge, judgedCells: 0, flippedCells: 0 }])).toContain(
      '0 of the 0 items',
    )
    for (const others of [[], [{ ...row, scorer: 'another', judge }]])
      expect(summary(others)).not.toContain('Repeats:')
  })

  it('prints the example of docs/reading-a-run.md', () => {
    const shown = documented()
    expectToFit(shown)
    const page = readFileSync(join(packageRoot, 'docs', 'reading-a-run.md'), 'utf8')
    expect(page).toContain(`\n${shown}\`\`\`\n`)
  })

  it('shows the arms, their scores, the best arm, and how to continue a stopped run', () => {
    const text = documented()
    expect(text).toMatch(/^offline +6\/6 +90\.0 \[.*\] +91\.7 +baseline/m)
    expect(text).toMatch(/^online +5\/6 +42\.0 \[.*\] +42\.0 +-48\.0 \[.*\] +0\.\d{3}/m)
    expect(text).toContain('\nBest: offline, Cell F1 90.0; next: rag, 69.0\n')
    expect(text).toMatch(
      /^Real: not established: rag minus offline\s+-25\.8 points \[[\s\S]*Holm p=0\.063 of 2 tests,/m,
    )
    expect(text).toMatch(
      /Not scored: 1 of 18 attempts: 1 provider\/rate-limited; counted as 0, Cell F1\s+is online 35\.0/,
    )
    expect(text).toContain(
      '1 of 19 attempts are left. Continue with:\n  npx tablehunt run --resume --out runs/first\n',
    )
    expect(text).toContain('Skipped: 1 task (line 1: query is missing)')
    expect(text).not.toContain('\u001b')
  })

  it('names a single model once, and several models by their differences', () => {
    const one = summaryOf(armOf({ setting: 'rag' }, [1, 0.5]))
    expect(one.match(/gpt-4o/g)).toHaveLength(1)
    expect(one).not.toMatch(/^Best|^Real|baseline/m)
    const [first, second] = ['openai:gpt-4o', 'openai:gpt-4o-mini'].map(model =>
      armOf({ setting: 'rag', model }, [1, model.endsWith('mini') ? 0.5 : 0.9]),
    )
    const two = summaryOf(together(first!, second!))
    expect(two).not.toContain('openai:')
    expect(two).toMatch(/^gpt-4o +2\/2/m)
    expect(two).toMatch(
      /^Real: not known, a test needs 5 groups of tasks with separate documents:\s+gpt-4o-mini minus gpt-4o -20\.0 points/m,
    )
    const alike = armOf({ setting: 'rag', model: 'openai:gpt-4o-mini' }, [1, 0.9])
    expect(summaryOf(together(first!, alike))).toContain('Best: none, both arms have Cell F1 95.0\n')
  })

  it('shows the share of answers and of fields passed for extractions', () => {
    const extraction = {
      scorer: 'extract-bench',
      counts: { nodes: 4, passedNodes: 1 },
      extract: { schema: 's', valid: true, failure: null, nodes: [], summary: null },
    }
    const text = summaryOf(armOf({ setting: 'offline' }, [1, 1], extraction))
    expect(text).toMatch(/answered +Fields passed\noffline +2\/2 +100\.0 +25\.0\n/)
    expect(text).toMatch(/\(fewer\s+than\s+5:\s+no\s+interval,\s+no\s+p\)/)
    expect(text).not.toContain('Row F1')
  })

  it('shows unknown costs, and the known part when only some are unknown', () => {
    expect(summaryOf(armOf({ setting: 'rag' }, [1]))).toContain('US$ unknown')
    const { usage } = makeAttempt({ task: 't', setting: 'rag' })
    const some = together(
      armOf({ setting: 'rag' }, [1]),
      armOf({ setting: 'offline', over: { usage: { ...usage, usd: 0.5 } } }, [1]),
    )
    expect(summaryOf(some)).toContain('US$ at least 0.50')
  })

  it("explains the lowest attempts with the scorer's sentences when an arm scores badly", () => {
    const explanation = ['0 of 3 gold columns were found in the answer (gold: beds, town; answer: Name).']
    const low = armOf({ setting: 'rag' }, [0, 0.9, 0.1], { explanation })
    const text = summaryOf(low)
    expect(text).toMatch(/^Lowest: task-0 rag 0\.0: 0 of 3 gold columns were found/m)
    expectToFit(text)
    expect(summaryOf(armOf({ setting: 'rag' }, [1], { explanation }))).not.toContain('Lowest')
  })

  it('counts the ends of attempts by agent, over all models', () => {
    const crash = { cause: 'agent', reason: 'crashed' } as Attempt['termination']
    const made = ['openai:a', 'openai:b'].flatMap(model => [
      armOf({ setting: 'online', model }, [1, 0.5]),
      armOf({ setting: 'online', model, variant: 'agent=mine', end: crash }, [0, 0]),
    ])
    const ended = /^Ended: .*(\n .*)*/m.exec(summaryOf(together(...made)))?.[0].replace(/\s+/g, ' ')
    expect(ended).toBe('Ended: online 4 normally; online agent=mine 4 crashed')
  })

  it('shows the best and the worst of many arms, and the command that shows all', () => {
    const arms = Array.from({ length: 14 }, (_, at) => armOf({ setting: 'rag', model: `m${at}` }, [at / 14]))
    const text = summaryOf(together(...arms))
    expectToFit(text)
    expect(text).toMatch(/^m13 .*\n(m\d+ .*\n)+…\n(m\d+ .*\n)+/m)
    expect(text).toMatch(/^m0 /m)
    expect(text).toMatch(
      /^\d+ of 14 arms are not shown\. All arms: npx tablehunt report runs\/first --full$/m,
    )
  })

  const found = { surfaced: 1, opened: 1, parsed: 1, used: 1 }
  const discovery = { hints: [], recall: found, distractorsOpened: 0 }
  const onlineArms = (scores: readonly number[], ...variants: string[]): Made =>
    together(...variants.map(variant => armOf({ setting: 'online', variant, over: { discovery } }, scores)))

  it.each([
    ['', 'agent=agent2'],
    ['', 'temperature=0'],
  ])('shows every metric beside short names of arms: "%s", "%s"', (...variants) => {
    const text = summaryOf(onlineArms([0.9, 0.8], ...variants))
    expectToFit(text)
    expect(text).toContain(variants[1])
    expect(text).toMatch(/^ +minus +column +Row +schema +docs$/m)
    expect(text).not.toContain('No space')
  })

  it('leaves out other metrics when names and differences need space, and says where they are', () => {
    const text = summaryOf(onlineArms([0.9, 0.8, 0.95, 0.85, 0.7], '', 'table-format=markdown'))
    expectToFit(text)
    expect(text).toMatch(/^No space for .*column recall, Row F1.*schema precision:\s+see "All tables"\.$/m)
    expect(text).toContain('table-format=markdown')
  })

  it.each([1, 2, 6, 8, 9, 13])(
    'fits 80 columns with %i arms of short and of long names, and shows eight',
    n => {
      const options = (length: number): string[] =>
        Array.from({ length: n }, (_, at) => `prompts=${'p'.repeat(length)}${at}`)
      for (const length of [1, 40]) {
        const text = summaryOf(onlineArms([0.9, 0.8], ...options(length)))
        expectToFit(text)
        const rows = text.match(/^.* 2\/2 .*$/gm) ?? []
        const hidden = Number(/^(\d+) of \d+ arms are not shown/m.exec(text)?.[1] ?? 0)
        expect(rows.length + hidden).toBe(n)
        expect(rows.length).toBeGreaterThanOrEqual(Math.min(n, 8))
        expect(text).toMatch(/schema/)
      }
    },
  )

  it('answers the questions of a reader in their order', () => {
    const labels = documented().match(/^(?:Best|Real|Lost|Ended|Not scored|Cost|Report|All tables)(?=:)/gm)
    expect(labels).toEqual(['Best', 'Real', 'Lost', 'Ended', 'Not scored', 'Cost', 'Report', 'All tables'])
  })

  it('says for every arm what it lost and what an attempt and a correct cell cost', () => {
    const text = documented()
    expect(text).toMatch(
      /^Lost: online lost most, 58\.0% of the gold cells: not-opened 29\.0% \(the agent\s+did not open a document with the gold value\); then/m,
    )
    expect(text).toMatch(/^offline +10\.0 +wrong 10\.0 +0\.0040 +0\.00022 +2\.00 +0\.111$/m)
    expect(text).toMatch(/^rag +31\.0 +not-retrieved/m)
  })

  it('says after the losses which of them came back, and which class no change confirms', () => {
    const causes = { rows: [], sentence: 'Of 34 points lost online, 21 come back.', doubts: ['A doubt.'] }
    const text = summaryOf(armOf({ setting: 'online' }, [0.5, 0.6]), { causes })
    expect(text).toMatch(
      /\nLost: [\s\S]*\nCauses: Of 34 points lost online, 21 come back\.\nA doubt\.\n[\s\S]*\nEnded: /,
    )
  })

  it('says in a short line that nothing was lost, also of a single arm', () => {
    const whole = withLosses(armOf({ setting: 'rag' }, [1, 1]), 'wrong')
    expect(summaryOf(whole)).toContain('\nLost: nothing, all gold cells are correct\n')
    const lost = withLosses(armOf({ setting: 'rag' }, [1, 0.5]), 'missed-row')
    expect(summaryOf(lost)).toMatch(/^Lost: 25\.0% of the gold cells: missed-row 25\.0% \(/m)
    expect(summaryOf(armOf({ setting: 'rag' }, [1, 0.5]))).toContain('\nLost: unknown')
  })

  it('says how many rows of the answers are extra, although nothing of the gold is lost', () => {
    const withRows = (setting: string, extra: readonly number[]): Made =>
      withLosses(
        armOf(
          { setting },
          extra.map(() => 1),
        ),
        'wrong',
      )
    const counted = ({ attempts, scores }: Made, extra: readonly number[], counts: object = {}): Made => ({
      attempts,
      scores: scores.map((score, at) => ({
        ...score,
        counts: { goldRows: 4, matchedRows: 4, predictedRows: 4 + extra[at]!, ...counts },
      })),
    })
    const offline = counted(withRows('offline', [2, 0, 3]), [2, 0, 3])
    expect(summaryOf(offline)).toMatch(
      /Lost: nothing, all gold cells are correct\n[\s\S]*\nExtra rows: 5 in 2 of 3 answers match no gold row\. They lower precision, and\n {2}are no lost cells\n/,
    )
    const rag = counted(withRows('rag', [1, 0, 0]), [1, 0, 0])
    expect(summaryOf(together(offline, rag))).toContain(
      '6 in 3 of 6 answers (offline 5, rag 1) match no gold',
    )
    expect(summaryOf(rag)).toContain('Extra rows: 1 in 1 of 3 answers matches no gold row. It lowers')
    // A judge failed on these rows, or the scorer does not count rows.
    expect(summaryOf(counted(withRows('rag', [1]), [1], { unscoredRows: 1 }))).not.toContain('Extra rows')
    expect(summaryOf(withRows('rag', [1]))).not.toContain('Extra rows')
  })

  it('mentions closed-book only where an arm was asked so', () => {
    const [rag, closed] = ['rag', 'closed-book'].map(setting =>
      withLosses(armOf({ setting }, [0.5, 0.5]), 'wrong'),
    )
    expect(summaryOf(rag!)).not.toContain('closed-book')
    expect(summaryOf(closed!).replace(/\s+/g, ' ')).toContain(
      '(the model was shown the value (or asked closed-book)',
    )
  })

  it('has no head of an interval where no interval is printed', () => {
    expect(summaryOf(armOf({ setting: 'rag' }, [1, 0.5, 0, 1]))).not.toContain('95%')
    expect(summaryOf(armOf({ setting: 'rag' }, [1, 0.5, 0, 1, 0.5]))).toMatch(
      /\[95% interval\][\s\S]*Cell F1 \[95%\]/,
    )
    const some = armOf({ setting: 'rag' }, [1, 0.5, 0, 1, 'timeout'])
    expect(summaryOf(some)).not.toContain('95%')
  })

  it('shows what models and settings change, pooled over the others', () => {
    const arm = (setting: string, model: string, scores: readonly number[]): Made =>
      armOf({ setting, model }, scores)
    const made = together(
      arm('offline', 'openai:a', [0.9, 0.8, 1, 0.9, 0.8]),
      arm('rag', 'openai:a', [0.7, 0.6, 0.8, 0.7, 0.6]),
      arm('offline', 'openai:b', [0.8, 0.7, 0.9, 0.8, 0.7]),
      arm('rag', 'openai:b', [0.6, 0.5, 0.7, 0.6, 0.5]),
    )
    const text = summaryOf(made)
    expect(text).toMatch(/^2 settings +b minus a +-10\.0 .* 0\.125$/m)
    expect(text).toMatch(/^2 models +rag minus offline +-20\.0 .* 0\.125$/m)
    expectToFit(text)
  })

  it('names the status command while another process makes the attempts', () => {
    const text = summaryOf(armOf({ setting: 'rag' }, [1]), { planned: 4, isRunning: true })
    expect(text).toContain('Another process makes them. Watch it with:\n  npx tablehunt status runs/first\n')
    expect(text).not.toContain('--resume')
  })

  it('says that no attempt has a score record', () => {
    const { attempts } = armOf({ setting: 'rag' }, [1, 1])
    const text = summaryOf({ attempts, scores: [] })
    expect(text).toContain('No attempt has a score record.')
    expect(text).toContain("2 attempts have no score record. 'tablehunt score RUN' adds the missing")
  })

  it('has lines that fit the terminal, even for long names and many failures', () => {
    const nasty = (at: number): string =>
      `openai:${'超长模型名'.repeat(20)}-${at}-${'long\u001b[31m '.repeat(30)}`
    const arms = ['offline', 'rag', 'online'].flatMap(setting =>
      [1, 2, 3, 4].map(at =>
        armOf(
          { setting, model: nasty(at), variant: `cot=off,prompts=${'p'.repeat(50)}-${at}` },
          [0, 1, 'rate-limited', 'unavailable', 'timeout', 'auth', 'content-filter', 'bad-response'],
          { explanation: ['Nothing was found. '.repeat(40)], infrastructureFailures: 1 },
        ),
      ),
    )
    const terminals = [80, 100, 300, Number.POSITIVE_INFINITY]
    const text = summariesOf(together(...arms), terminals, { planned: 9_999, skipped: 30 })
    for (const [at, columns] of [80, 100, 100, 80].entries()) {
      const lines = text[at]!
      expectToFit(lines, columns)
      expect(lines).not.toContain('\u001b')
      const names = lines.match(/^\S.* +2\/8 /gm) ?? []
      expect(names.length).toBeGreaterThanOrEqual(8)
      expect(new Set(names).size).toBe(names.length)
    }
  })
})

it('shows the first scoring of the records in all of its lines', () => {
  const scored = (scorer: string, value: number): Made =>
    together(
      armOf({ setting: 'offline' }, [value, value], { scorer }),
      armOf({ setting: 'rag' }, [0.2, 0.2], { scorer }),
    )
  const [strict, aoe] = [scored('strict', 0.4), scored('aoe', 0.9)]
  const text = summaryOf({ attempts: strict.attempts, scores: [...strict.scores, ...aoe.scores] })
  expect(text).toContain('scorer strict')
  expect(text).toMatch(/^offline .* 40\.0/m)
  expect(text).toMatch(/^Real: [\s\S]*?rag\s+minus offline -20\.0/m)
})
