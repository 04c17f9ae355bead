import { describe, expect, it } from 'vitest'
import { optionsText } from '../../src/core/arm.ts'
import type { Score } from '../../src/core/score.ts'
import type { PaperRow } from '../../src/report/compare/paper-table.ts'
import {
  makePaperTable,
  renderComparison,
  writeComparisonFiles,
  writeComparisonMarkdown,
} from '../../src/report/compare/render-comparison.ts'
import type { ComparedRun } from '../../src/report/compare/run-notes.ts'
import type { ReportManifest } from '../../src/report/model/report-input.ts'
import { displayWidth } from '../../src/report/tables/display-width.ts'
import { escapeLatex, writeLatexTable, writeTableCsv } from '../../src/report/tables/table-formats.ts'
import { readTaskType } from '../../tasks/aoe/record.ts'
import { aoeTables } from '../../tasks/aoe/tables.ts'
import { compareRuns as compare } from './compare-runs.ts'
import { type MadeAttempt, makeAttempt, makeScore, scorers } from './records.ts'

/** Compares runs as the command does, with the tables of the benchmark. */
const compareRuns = (runs: readonly ComparedRun[], { force }: { readonly force: boolean }) =>
  compare(runs, { force, benchmarks: { aoe: aoeTables } })

type Made = MadeAttempt & { readonly f1: number; readonly score?: Partial<Score> }

function runOf(runId: string, web: string, made: readonly Made[]): ComparedRun {
  const attempts = made.map(makeAttempt).map(one => ({ ...one, facets: { taskType: readTaskType(one) } }))
  const scores = attempts.map((attempt, at) => makeScore(attempt, made[at]!.f1, made[at]!.score))
  return { manifest: { runId, startedAt: null, endedAt: null, config: { web } }, attempts, scores, scorers }
}

function numbers(row: PaperRow | undefined, metric: string): Record<string, string> {
  const cells = row?.cells.filter(cell => cell.metric === metric) ?? []
  return Object.fromEntries(cells.map(cell => [cell.domain, `${cell.value?.toFixed(1)}${cell.arrow}`]))
}

const full = runOf('r1', 'sealed', [
  { task: 'financial_a_4_en', domain: 'financial', setting: 'offline', f1: 0.5 },
  { task: 'legal_a_1_zh', domain: 'legal', setting: 'offline', f1: 0.4 },
  { task: 'financial_a_4_en', domain: 'financial', setting: 'rag', f1: 0.51 },
  { task: 'legal_a_1_zh', domain: 'legal', setting: 'rag', f1: 0.3 },
  { task: 'financial_a_4_en', domain: 'financial', setting: 'online', f1: 0.2 },
  { task: 'financial_b_4_en', domain: 'financial', setting: 'online', f1: 0, score: { answered: false } },
  { task: 'legal_a_1_zh', domain: 'legal', setting: 'online', f1: 0.1 },
  { task: 'financial_a_4_en', domain: 'financial', setting: 'offline', variant: 'cot=off', f1: 0.4 },
  { task: 'legal_a_1_zh', domain: 'legal', setting: 'offline', variant: 'cot=off', f1: 0.4 },
])

function table(id: string, runs: ComparedRun[] = [full], force = false) {
  return compareRuns(runs, { force }).tables.find(one => one.id === id)
}

describe('the comparison', () => {
  it('has every table of the paper that the runs have data for', () => {
    const ids = compareRuns([full], { force: false }).tables.map(one => one.id)
    const papers = ['table3', 'table6', 'table7', 'table8', 'table9']
    // The arms scored different tasks.
    expect(ids).toEqual(papers.flatMap(id => [`${id}-common`, id]))
  })

  it('marks changes by retrieval of more than two points, and no smaller ones (Table 6)', () => {
    const [, rag] = table('table6')?.rows ?? []
    expect(numbers(rag, 'cellF1')).toEqual({ financial: '51.0', legal: '30.0↓', allByDomain: '40.5↓' })
  })

  it('compares retrieval with offline attempts that used the same prompts and chain of thought (Table 6)', () => {
    const made = (setting: string, variant: string, f1: number) => ({
      task: 'legal_a_1_zh',
      domain: 'legal',
      setting,
      variant,
      f1,
    })
    const run = runOf('r9', 'sealed', [
      made('offline', '', 0.9),
      made('rag', 'retriever=bm25', 0.9),
      made('offline', 'prompts=short', 0.3),
      made('rag', 'retriever=bm25,prompts=short', 0.3),
      made('offline', 'control=found-only', 0.1),
    ])
    const rows = table('table6', [run])?.rows ?? []
    expect(rows.map(row => [row.label, numbers(row, 'cellF1').legal])).toEqual([
      ['extractive', '90.0'],
      ['+ rag [retriever=bm25]', '90.0'],
      ['extractive [prompts=short]', '30.0'],
      ['+ rag [retriever=bm25,prompts=short]', '30.0'],
    ])
  })

  it('computes arrows only from tasks that were scored on both sides', () => {
    const run = runOf('r9', 'sealed', [
      { task: 'legal_a_1_zh', domain: 'legal', setting: 'offline', f1: 0.9 },
      { task: 'legal_b_1_zh', domain: 'legal', setting: 'offline', f1: 0.1 },
      { task: 'legal_a_1_zh', domain: 'legal', setting: 'rag', f1: 0.8 },
      {
        task: 'legal_b_1_zh',
        domain: 'legal',
        setting: 'rag',
        f1: 0,
        score: { status: 'unscored', cause: 'provider' },
      },
    ])
    const [, rag] = table('table6', [run])?.rows ?? []
    expect(numbers(rag, 'cellF1')).toEqual({ legal: '80.0↓', allByDomain: '80.0↓' })
  })

  it('marks any change by chain of thought (Table 8)', () => {
    const [off, on] = table('table8')?.rows ?? []
    expect(numbers(off, 'cellF1')).toMatchObject({ financial: '40.0', legal: '40.0' })
    expect(numbers(on, 'cellF1')).toMatchObject({ financial: '50.0↑', legal: '40.0' })
  })

  it('compares all attempts with the answered ones (Table 9)', () => {
    const [all, passed] = table('table9')?.rows ?? []
    expect(numbers(all, 'cellF1')).toMatchObject({ financial: '10.0', legal: '10.0' })
    expect(numbers(passed, 'cellF1')).toMatchObject({ financial: '20.0', legal: '10.0' })
    expect([all?.n, passed?.n]).toEqual([3, 2])
  })

  it('pools live and sealed attempts only with force', () => {
    const live = runOf('r2', 'live', [
      { task: 'financial_a_4_en', domain: 'financial', setting: 'online', f1: 0.6 },
    ])
    const refused = () => compareRuns([full, live], { force: false })
    expect(refused).toThrow(expect.objectContaining({ code: 'webs-differ' }))
    expect(refused).toThrow(/different webs \(live, sealed\).*Name runs with the same web, or add --force/)
    const pooled = compareRuns([full, live], { force: true })
    expect(new Set(pooled.groups.map(group => group.setting))).toEqual(new Set(['offline', 'rag', 'online']))
    expect(pooled.notes[0]).toBe(
      'the webs differ (live, sealed). --force pooled them, so do not compare their scores',
    )
    const group = pooled.groups.find(one => one.setting === 'online' && one.domain === 'financial')
    expect(group).toMatchObject({ n: 3, tasks: 2, metrics: { cellF1: { mean: 0.2 } } })
  })

  it('pools different judges only with force, and separates several judges of one run', () => {
    const other = runOf('r2', 'sealed', [
      {
        task: 'financial_a_4_en',
        domain: 'financial',
        setting: 'offline',
        f1: 0.9,
        score: { judge: 'none' },
      },
    ])
    const judges = (runs: ComparedRun[], force: boolean) =>
      new Set(compareRuns(runs, { force }).groups.map(group => group.judge))
    expect(() => judges([full, other], false)).toThrow(expect.objectContaining({ code: 'judges-differ' }))
    expect(judges([full, other], true)).toEqual(new Set(['mixed: none, rules']))
    const both = {
      ...full,
      scores: [...full.scores, ...full.scores.map(score => ({ ...score, judge: 'none' }))],
    }
    expect(judges([both], false)).toEqual(new Set(['none', 'rules']))
  })

  it('compares the judges of each scorer separately', () => {
    const strict = full.scores.map(score => ({ ...score, scorer: 'strict', judge: 'openai:m' }))
    const more = { ...full, scores: [...full.scores, ...strict] }
    const plain = { ...full, manifest: { ...full.manifest, runId: 'r2' } }
    const scorings = (force: boolean) =>
      new Set(compareRuns([more, plain], { force }).groups.map(({ scorer, judge }) => `${scorer} ${judge}`))
    expect(scorings(false)).toEqual(new Set(['aoe rules', 'strict openai:m']))
    expect(scorings(true)).toEqual(scorings(false))
  })

  it('compares models in a setting, paired over tasks', () => {
    const run = runOf('r2', 'sealed', [
      { task: 'financial_a_4_en', setting: 'offline', f1: 0.9, over: { model: 'gpt' } },
      { task: 'legal_a_1_zh', domain: 'legal', setting: 'offline', f1: 0.6, over: { model: 'gpt' } },
    ])
    const found = compareRuns([full, run], { force: false }).differences.find(
      row => row.from === 'offline · extractive' && row.metric === 'cellF1',
    )
    expect(found).toMatchObject({ to: 'offline · gpt', n: 2 })
    expect(found?.mean).toBeCloseTo(0.3, 12)
  })

  it('compares agents with each other, and shows where each lost cells', () => {
    const cell = { goldRow: 0, column: 'Beds', gold: '12', predicted: '13', rule: 'numeric' }
    const score = { cells: [{ ...cell, score: 0, class: 'wrong' as const }] }
    const made = (variant: string, f1: number): Made => ({
      ...{ task: 'financial_a_4_en', domain: 'financial', setting: 'online', variant, f1, score },
    })
    const compared = compareRuns([runOf('r1', 'sealed', [made('', 0.5), made('agent=mine', 0.4)])], {
      force: false,
    })
    const names = compared.differences.map(({ from, to }) => `${from} -> ${to}`)
    expect(new Set(names)).toEqual(new Set(['online -> online [agent=mine]']))
    expect(
      compared.waterfall.map(({ options, domain, classes }) => [optionsText(options), domain, classes]),
    ).toEqual([
      ['', 'financial', { wrong: 1 }],
      ['', 'all', { wrong: 1 }],
      ['agent=mine', 'financial', { wrong: 1 }],
      ['agent=mine', 'all', { wrong: 1 }],
    ])
    expect(renderComparison(compared, { columns: 120 })).toContain('Where cells were lost')
  })

  it('groups by task type when the ids contain one', () => {
    expect(readTaskType({ taskId: 'financial_10q-all_4_en', domain: 'financial' })).toBe('financial_4')
    expect(readTaskType({ taskId: 'academic_x_12_1', domain: 'academic' })).toBe('academic_1')
    expect(readTaskType({ taskId: 'my-task', domain: 'own' })).toBe('own')
    const types = compareRuns([full], { force: false }).byTaskType.map(group => group.domain)
    expect(new Set(types)).toEqual(new Set(['financial_4', 'legal_1']))
    const paired = compareRuns([full], { force: false }).differencesByTaskType.find(
      row =>
        row.domain === 'legal_1' && row.from === 'offline' && row.to === 'rag' && row.metric === 'cellF1',
    )
    expect(paired?.mean).toBeCloseTo(-0.1, 12)
  })

  it('has a table by task type when a domain has several types', () => {
    const typed = runOf('r', 'sealed', [
      { task: 'financial_a_0_en', setting: 'offline', f1: 0.2 },
      { task: 'financial_a_4_en', setting: 'offline', f1: 0.6 },
    ])
    const [row] = table('task-types', [typed])?.rows ?? []
    expect(numbers(row, 'cellF1')).toEqual({ financial_0: '20.0', financial_4: '60.0', allByDomain: '40.0' })
    expect(table('task-types')).toBeUndefined()
  })

  it('shows terminations and costs of an imported run, without scores', () => {
    const made = makeAttempt({ task: 'q', setting: 'online', domain: 'imported', over: { model: 'gpt-x' } })
    const manifest = {
      ...({ source: 'import', runId: 'i', startedAt: null, endedAt: null } as const),
      config: { imported: 'tongyi' },
    }
    const comparison = compareRuns([full, { manifest, attempts: [made], scores: [], scorers: {} }], {
      force: false,
    })
    expect(comparison.notes).toContain(
      'run i is missing from the tables of scores, because it was imported from tongyi logs, which have no gold answers',
    )
    expect(comparison.tables.every(one => one.scorer === 'aoe')).toBe(true)
    expect(comparison.ends.filter(row => row.model === 'gpt-x')).toHaveLength(1)
    const text = renderComparison(comparison, { columns: 120 })
    expect(text).toContain('Why the attempts ended (scorer aoe, judge rules; not scored)')
    expect(text).not.toContain('scorer none')
  })

  it('sorts numbers in variants by value, and compares found-only with online', () => {
    const sizes = ['context-tokens=32000', 'context-tokens=8000', ''].map(variant => ({
      task: 'a_1_en',
      setting: 'rag',
      variant,
      f1: 0.5,
    }))
    const found = [
      { task: 'a_1_en', setting: 'offline', variant: 'control=found-only', f1: 0.5 },
      { task: 'a_1_en', setting: 'online', f1: 0.4 },
      { task: 'a_1_en', setting: 'online', variant: 'control=oracle-inject', f1: 0.4 },
    ]
    const { groups, differences } = compareRuns([runOf('r', 'sealed', [...sizes, ...found])], {
      force: false,
    })
    const rag = groups.filter(group => group.setting === 'rag' && group.domain === 'all')
    expect(rag.map(group => optionsText(group.options))).toEqual([
      '',
      'context-tokens=8000',
      'context-tokens=32000',
    ])
    const pairs = new Set(differences.map(row => `${row.from} -> ${row.to}`))
    expect(pairs).toContain('offline [control=found-only] -> online')
    expect(pairs).not.toContain('offline [control=found-only] -> online [control=oracle-inject]')
  })

  it('adds a note about each run that is not finished', () => {
    const half = { ...full, manifest: { ...full.manifest, planned: 12 } }
    expect(compareRuns([half], { force: false }).notes).toEqual([
      expect.stringContaining('the arms scored different tasks'),
      'run r1 is not finished: 3 of 12 attempts have not been made',
    ])
  })

  it('adds a note about tasks that were searched for on different sealed webs', () => {
    const on = (webSha256: string, run = full): ComparedRun => ({
      ...run,
      manifest: { ...run.manifest, identity: { webSha256 } },
    })
    const words = 'the online attempts at 3 tasks used different sealed webs'
    expect(compareRuns([on('a'), on('b')], { force: false }).notes.join()).toContain(words)
    const other = runOf('r2', 'sealed', [{ task: 'financial_c_4_en', setting: 'online', f1: 0.1 }])
    const offline = runOf('r3', 'sealed', [{ task: 'legal_a_1_zh', setting: 'offline', f1: 0.1 }])
    const fine = compareRuns([on('a'), on('a'), on('b', other), on('c', offline)], { force: false })
    expect(fine.notes.join()).not.toContain('sealed webs')
  })

  it('counts cancelled attempts as missing', () => {
    const end = { cause: 'operator', reason: 'cancelled' } as const
    const half = runOf('r4', 'sealed', [{ task: 'a', setting: 'offline', f1: 0.5, end }])
    const { runId, startedAt, endedAt } = half.manifest
    const manifest = { runId, startedAt, endedAt, planned: 2 }
    const notes = (made: Pick<ReportManifest, 'source' | 'config'>) =>
      compareRuns([{ ...half, manifest: { ...manifest, ...made } as ReportManifest }], { force: false }).notes
    expect(notes({ source: 'run', config: {} })).toEqual([
      'run r4 is not finished: 2 of 2 attempts have not been made or were cancelled',
    ])
    expect(notes({ source: 'import', config: { imported: 'inspect' } })[0]).toMatch(
      /1 of 2 attempts have not been made$/,
    )
  })

  it('counts the attempts in the leak ledger of each run and adds a note', () => {
    const { attemptId } = full.attempts[0]!
    const leaky = { ...full, tainted: new Set([attemptId]) }
    const comparison = compareRuns(
      [leaky, runOf('r5', 'sealed', [{ task: 'x', setting: 'offline', f1: 1 }])],
      {
        force: false,
      },
    )
    const offline = comparison.groups.find(({ domain, setting }) => domain === 'all' && setting === 'offline')
    expect(offline).toMatchObject({ n: 3, tainted: 1, withoutTainted: { n: 2 } })
    expect(offline?.withoutTainted?.metrics.cellF1?.mean).toBeCloseTo(0.7, 12)
    expect(comparison.notes.join()).toContain('1 attempt of run r1 saw gold rows')
  })

  it('counts terminations and costs of every attempt once, in one scoring', () => {
    const made: Made = { task: 'a_1_en', setting: 'offline', f1: 0.5 }
    const twice = runOf('r6', 'sealed', [made])
    const both = { ...twice, scores: twice.scores.flatMap(one => [one, { ...one, scorer: 'strict' }]) }
    const strict = runOf('r7', 'sealed', [{ ...made, trial: 1, f1: 0.3, score: { scorer: 'strict' } }])
    const comparison = compareRuns([both, strict], { force: false })
    expect(comparison.ends).toMatchObject([{ scorer: 'strict', n: 2, share: 1, mean: 0.4 }])
    expect(comparison.costs).toMatchObject([{ scorer: 'strict', n: 2, tokens: 1200 }])
    expect(comparison.notes).toContain('the scorers differ (aoe, strict). Each has its own tables')
  })

  it('adds a note about records that could not be read as tasks', () => {
    const manifest = { ...full.manifest, skippedTasks: [{ line: 2, recordId: null, problem: 'no query' }] }
    expect(compareRuns([{ ...full, manifest }], { force: false }).notes).toContain(
      'run r1: 1 task could not be read and was skipped',
    )
    expect(compareRuns([full], { force: false }).notes.join()).not.toContain('skipped')
  })

  it('adds a note when models have different tasks', () => {
    const two = runOf('r1', 'sealed', [
      { task: 'financial_a_4_en', setting: 'offline', f1: 0.9 },
      { task: 'financial_b_4_en', setting: 'offline', f1: 0.1 },
    ])
    const easy = runOf('r2', 'sealed', [
      { task: 'financial_a_4_en', setting: 'offline', f1: 0.9, over: { model: 'openai:m' } },
    ])
    const notes = (...runs: ComparedRun[]) => compareRuns(runs, { force: false }).notes.join()
    expect(notes(two, easy)).toContain('different tasks (1 of 2 are common to all)')
    expect(notes(two, two)).not.toContain('different tasks')
  })

  it('adds a note about attempts that are in several runs', () => {
    expect(compareRuns([full, full], { force: false }).notes.join()).toContain(
      '9 attempts are in more than one run',
    )
  })

  describe('of runs with the same attempts', () => {
    const under = (identity: Record<string, unknown>): ComparedRun => ({
      ...full,
      manifest: { ...full.manifest, identity },
    })
    const variants = (runs: ComparedRun[], setting: string): string[] => [
      ...new Set(
        compareRuns(runs, { force: false })
          .groups.filter(group => group.setting === setting)
          .map(group => optionsText(group.options)),
      ),
    ]

    it('pools runs as trials when they differ only in the seed or in options that do not affect the setting', () => {
      const runs = [under({ seed: 0, trials: 1, cut: 'head' }), under({ seed: 1, trials: 2, cut: 'middle' })]
      expect(variants(runs, 'online')).toEqual([''])
      expect(compareRuns(runs, { force: false }).notes.join()).toContain('3 attempts are in more than one')
      expect(variants(runs, 'offline')).toContain('cot=off,cut=middle')
    })

    it('separates named runs with the same seed by their names, and compares them in the order of the runs', () => {
      const runs = [
        { ...under({ seed: 0 }), name: 'old' },
        { ...under({ seed: 0 }), name: 'new, longer' },
      ]
      expect(variants(runs, 'online')).toEqual(['run=1:old', 'run=2:new+ longer'])
      const { notes, arms, differences } = compareRuns(runs, { force: false })
      expect(notes.join()).toContain('old, new, longer made the same attempts')
      expect(notes.join()).not.toContain('more than one run')
      expect(arms.map(({ name }) => name)).toContain('online new+ longer')
      const labels = differences.map(({ from, to }) => `${from} > ${to}`)
      expect(labels).toContain('online [run=1:old] > online [run=2:new+ longer]')
      const trials = runs.map((run, seed) => ({ ...run, manifest: { ...run.manifest, identity: { seed } } }))
      expect(variants(trials, 'online')).toEqual([''])
    })

    it('compares three runs of one arm with the first named one, or with the one of --baseline', () => {
      const runs = ['second', 'third', 'first'].map(name => ({ ...under({ seed: 0 }), name }))
      const pairs = (baseline?: string) => {
        const { arms, baselineDifferences } = compare(runs, { force: false, baseline })
        const nameOf = (id: string) => arms.find(arm => arm.id === id)!.options.run
        const ofOnline = baselineDifferences.filter(({ arm }) => /^online/.test(arm))
        return ofOnline.map(({ arm, fromArm }) => `${nameOf(arm)} minus ${nameOf(fromArm)}`)
      }
      expect(pairs('online third')).toEqual([...['1:second minus 2:third', '3:first minus 2:third']])
      const online = runs.map(run => ({
        ...run,
        attempts: run.attempts.filter(({ setting }) => setting === 'online'),
      }))
      const { arms, baselineDifferences } = compare(online, { force: false })
      expect(baselineDifferences.map(({ fromArm }) => fromArm)).toEqual([arms[0]!.id, arms[0]!.id])
      expect(arms[0]!.options.run).toBe('1:second')
    })

    it('separates runs with different budgets into variants and compares them', () => {
      const runs = [under({ budgetTokens: 1000, block: [] }), under({ budgetTokens: 500, block: ['a', 'b'] })]
      expect(variants(runs, 'rag')).toEqual(['budget-tokens=500', 'budget-tokens=1000'])
      expect(variants(runs, 'online')).toEqual(['block=a+b,budget-tokens=500', 'budget-tokens=1000'])
      const { notes, differences } = compareRuns(runs, { force: false })
      expect(notes.join()).toContain('different options (--block, --budget-tokens). Each has its own rows')
      const labels = differences.map(({ from, to }) => `${from} > ${to}`)
      expect(labels).toContain('rag [budget-tokens=500] > rag [budget-tokens=1000]')
      expect(labels).toContain('offline [budget-tokens=500] > rag [budget-tokens=500]')
      expect(labels).not.toContain('offline [budget-tokens=500] > rag [budget-tokens=1000]')
    })

    it('separates found-only controls by online budgets, like the online attempts', () => {
      const variant = 'control=found-only'
      const run = runOf('f', 'sealed', [
        { task: 'a', setting: 'online', f1: 0.5 },
        { task: 'a', setting: 'offline', variant, f1: 0.6 },
      ])
      const runs = [{ budgetFetchCalls: 2 }, { budgetFetchCalls: null }].map(identity => ({
        ...run,
        manifest: { ...run.manifest, identity },
      }))
      expect(variants(runs, 'offline')).toEqual([variant, `${variant},budget-fetch-calls=2`])
      expect(variants(runs, 'online')).toEqual(['', 'budget-fetch-calls=2'])
    })

    it('separates different documents of the same tasks, and different prompts of the same name', () => {
      const run = runOf('p', 'sealed', [
        { task: 'a', setting: 'offline', f1: 0.5 },
        { task: 'a', setting: 'offline', variant: 'prompts=short', f1: 0.6 },
      ])
      const of = (identity: Record<string, unknown>): ComparedRun => ({
        ...run,
        manifest: { ...run.manifest, identity: { tasksSha256: 't', limit: null, ...identity } },
      })
      const hashes = (short: string) => ({ promptsSha256: { own: '0000000000', short } })
      const texts = [of(hashes('aaaaaaaaaa')), of(hashes('bbbbbbbbbb'))]
      expect(variants(texts, 'offline')).toEqual(['', 'prompts=short-aaaaaaaa', 'prompts=short-bbbbbbbb'])
      expect(compareRuns(texts, { force: false }).notes.join()).toContain('different options (--prompts)')
      const documents = [of({ documentsSha256: 'cccccccccc' }), of({ documentsSha256: 'dddddddddd' })]
      expect(variants(documents, 'offline')).toContain('docs=cccccccc')
      const labels = compareRuns(documents, { force: false }).differences.map(({ from, to }) => [from, to])
      expect(labels).toContainEqual(['offline [docs=cccccccc]', 'offline [docs=dddddddd]'])
      // Attempts with the same ids at tasks that were changed are no trials of each other.
      const changed = [of({}), of({ tasksSha256: 'eeeeeeeeee' })]
      expect(variants(changed, 'offline')).toContain('tasks=eeeeeeee')
      // Of other tasks, the hash of all documents says nothing.
      const part = of({ documentsSha256: 'dddddddddd', limit: 1 })
      expect(variants([documents[0]!, part], 'offline')).toEqual(['', 'prompts=short'])
    })

    it('reads a switch that an older version did not record as off', () => {
      const runs = [under({ cut: 'head' }), under({ cut: 'head', showColumns: false })]
      expect(variants(runs, 'online')).toEqual([''])
      expect(compareRuns(runs, { force: false }).notes.join()).not.toContain('different options')
      const shown = [under({}), under({ showColumns: true })]
      expect(compareRuns(shown, { force: false }).notes.join()).toContain(
        'different options (--show-columns)',
      )
    })

    it('adds a note about different programs when both runs recorded them', () => {
      const notes = (...runs: ComparedRun[]) => compareRuns(runs, { force: false }).notes.join()
      const read = (ocr: string | null) => under({ environment: { documentText: 'text-1', ocr } })
      expect(notes(read(null), read('tesseract-5'))).toContain(
        'different programs for ocr (none, tesseract-5)',
      )
      expect(notes(read(null), read(null), under({}))).not.toContain('different programs')
    })

    it('leaves out an option that was not given', () => {
      const runs = [under({ budgetUsd: null }), under({ budgetUsd: 2 })]
      expect(variants(runs, 'rag')).toEqual(['', 'budget-usd=2'])
    })
  })
})

describe('the output formats of a comparison', () => {
  const many = runOf(
    'r',
    'sealed',
    ['academic', 'financial', 'legal', 'sport', '招聘'].flatMap(domain =>
      ['offline', 'rag', 'online'].flatMap(setting =>
        [1, 2, 3].map(at => ({
          task: `${domain}_${at}_0_en`,
          domain,
          setting,
          f1: at / 4,
          score: { overall: { intent: 50, schema: 60, content: 70, format: 80, mean: 65 } },
        })),
      ),
    ),
  )

  it.each([100, 120])('fit a terminal of %i columns', columns => {
    const text = renderComparison(compareRuns([many], { force: false }), { columns })
    expect(Math.max(...text.split('\n').map(displayWidth))).toBeLessThanOrEqual(columns)
  })

  it('have in CSV a row for each arm, with n, groups and intervals of each domain', () => {
    const csv = writeTableCsv(makePaperTable(table('table3')!)).split('\n')
    expect(csv[0]).toBe(
      'setting,model,unscored,financial n,financial n groups,financial answered,financial answered low,financial answered high,financial Cell F1,financial Cell F1 low,financial Cell F1 high,legal n,legal n groups,legal answered,legal answered low,legal answered high,legal Cell F1,legal Cell F1 low,legal Cell F1 high,mean n,mean n groups,mean answered,mean answered low,mean answered high,mean Cell F1,mean Cell F1 low,mean Cell F1 high',
    )
    expect(csv[1]).toMatch(/^offline,extractive,0,1,1,100,,,50,,,/)
  })

  it('have the same number of fields in every line of a LaTeX table', () => {
    const latex = writeLatexTable(makePaperTable(compareRuns([many], { force: false }).tables[0]!))
    const lines = latex.split('\n').filter(line => line.endsWith('\\\\'))
    expect(new Set(lines.map(line => line.split(' & ').length)).size).toBe(1)
    expect(latex).toContain('{\\scriptsize [')
  })

  it('escape the special characters of LaTeX', () => {
    expect(escapeLatex('50% of a_b & {c} \\x ↑')).toBe(
      '50\\% of a\\_b \\& \\{c\\} \\textbackslash{}x $\\uparrow$',
    )
  })

  it('have CSV files of the differences and of every metric', () => {
    const files = new Map(writeComparisonFiles(compareRuns([many], { force: false }), 'csv'))
    const [header, ...differences] = files.get('differences.csv')!.trim().split('\n')
    expect(header).toBe(
      [
        'from,to,model,domain,metric,n,groups,difference,difference low,difference high',
        'p Holm,detectable,difference alone,difference alone low,difference alone high,p',
      ].join(),
    )
    expect(differences.length).toBeGreaterThan(0)
    expect(new Set(differences.map(line => line.split(',').length))).toEqual(new Set([16]))
    expect(files.get('metrics.csv')!.split('\n')[0]).toContain(',hallucination rate,abstention rate')
  })

  it('have the mean, best and worst of several trials in the tables and as files, and none for single trials', () => {
    const trial = (at: number, f1: number): Made => ({ task: 'a', setting: 'online', trial: at, f1 })
    const repeated = runOf('r1', 'sealed', [trial(0, 1), trial(1, 0.5), trial(2, 0)])
    const comparison = compareRuns([repeated], { force: false })
    expect(renderComparison(comparison, { columns: 120 })).toMatch(
      /online +Cell F1 +1 +3 +50\.0 +100\.0 +0\.0/,
    )
    const csv = new Map(writeComparisonFiles(comparison, 'csv')).get('trials.csv')!
    expect(csv.split('\n')[0]).toBe('domain,model,setting,metric,tasks,N,Avg@N,Max@N,Min@N,Pass@N')
    expect(csv).toMatch(/^all tasks,extractive,online,Cell F1,1,2,0\.5,0\.83\d*,0\.16\d*,/m)
    expect(writeComparisonFiles(comparison, 'latex').map(([name]) => name)).toContain('trials.tex')
    const single = writeComparisonFiles(compareRuns([full], { force: false }), 'csv')
    expect(single.map(([name]) => name)).not.toContain('trials.csv')
  })

  it('have intervals in Markdown and one LaTeX file for each table', () => {
    const comparison = compareRuns([many], { force: false })
    expect(writeComparisonMarkdown(comparison)).toMatch(/50\.0 \\\[\d+\.\d, \d+\.\d\\\]/)
    expect(writeComparisonFiles(comparison, 'latex').map(([name]) => name)).toContain('table6.tex')
    expect(writeComparisonMarkdown({ ...comparison, notes: ['judges differ (openai:a_b_c, x|y)'] })).toMatch(
      /^> judges differ \(openai:a\\_b\\_c, x\\\|y\)\n/,
    )
  })
})

describe('tables of papers', () => {
  const tasks = [1, 2, 3].map(at => ({ task: `financial_${at}_4_en`, domain: 'financial' }))
  const offline = tasks.map((task, at) => ({ ...task, setting: 'offline', f1: [0.6, 0.7, 1][at]! }))
  const rag = tasks.slice(0, 2).map((task, at) => ({ ...task, setting: 'rag', f1: [0.5, 0.6][at]! }))

  it('show the means over common tasks before those of each arm, and say so', () => {
    const { tables } = compareRuns([runOf('r1', 'sealed', [...offline, ...rag])], { force: false })
    const [common, own] = tables.filter(({ id }) => id.startsWith('table3'))
    expect(common?.title).toContain('the 2 tasks that all arms scored')
    expect(own?.title).toContain('own tasks of each arm')
    const means = (one: typeof common) =>
      one?.rows.map(
        ({ cells }) =>
          cells.find(({ domain, metric }) => domain === 'financial' && metric === 'cellF1')?.value,
      )
    expect(means(common)).toEqual([expect.closeTo(65), expect.closeTo(55)])
    expect(means(own)).toEqual([expect.closeTo(230 / 3), expect.closeTo(55)])
  })

  it('are printed for the benchmark of the paper, and for others when they are asked for', () => {
    const made = runOf('r1', 'sealed', [
      ...offline,
      ...rag.slice(0, 2),
      { ...tasks[2]!, setting: 'rag', f1: 0.5 },
    ])
    const foreign = {
      ...made,
      attempts: made.attempts.map((attempt, at) => ({ ...attempt, benchmark: at === 0 ? 'mine' : 'aoe' })),
    }
    const text = (run: ComparedRun, paper: boolean) =>
      renderComparison(compareRuns([run], { force: false }), { columns: 120, full: true, paper })
    expect(text(made, false)).toContain('Table 3')
    expect(text(foreign, false)).not.toContain('Table 3')
    expect(text(foreign, true)).toContain('Table 3')
  })
})
