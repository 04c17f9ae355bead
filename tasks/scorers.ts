import { ConfigError } from '../src/core/errors.ts'
import type { AnswerKindName, ScorerMetrics } from '../src/core/metric.ts'
import { Registry } from '../src/core/registry.ts'
import { rulesJudge } from '../src/score/judge/judge.ts'
import type { TextScorer } from '../src/score/metrics/metric.ts'
import {
  answerF1Scorer,
  gptScorer,
  hScorer,
  judgeAccuracyScorer,
  rougeLScorer,
} from '../src/score/metrics/scorers.ts'
import type { Scorer } from '../src/score/scorer.ts'
import { isTableScorer, type TableScorer, tableScorer } from '../src/score/table/table-scorer.ts'
import { isTextScorer } from '../src/score/text/text-scorer.ts'
import { browseCompPlusScorer } from './browsecomp-plus/scorer.ts'
import { extractBenchScorer } from './extract-bench/scorer.ts'
import { fanOutScorer, fanOutTableScorer } from './fanoutqa/scorer.ts'
import { gisaScorer, gisaTableScorer } from './gisa/scorer.ts'
import { longTableBenchScorer } from './longtablebench/scorer.ts'
import { strucBenchAbilities, strucBenchPScore, strucBenchScorer } from './struc-bench/scorer.ts'
import { structextScorer } from './structext/scorer.ts'
import { deepWideSearchScorer, fixedWideSearchScorer, wideSearchScorer } from './widesearch/scorer.ts'

/** Every way to score an answer. */
export const scorers = new Registry<Scorer>({
  kind: 'scorer',
  builtIn: {
    aoe: tableScorer(
      {
        summary: "AOE's published scorer: key match or similarity of 90, numbers within 1e-5, texts equal",
        forgives:
          'only commas and rounding in number columns (€14,200, 14200 EUR and 14.2k are wrong against 14200; 12.36% is 0.1236), and similar keys, even of another year or code',
      },
      async tables => await (await import('./aoe/compare.ts')).compareAsPublished(tables),
    ),
    paper: tableScorer(
      {
        summary:
          "the AOE paper's scorer: columns aligned, keys matched among the free ones, cells rated 0..1 by five rules",
        forgives:
          'partly right texts and lists (with a judge), and typing errors in keys whose figures are the same; in number columns only commas and rounding within 1e-5',
      },
      async tables => await (await import('../src/score/paper/compare.ts')).compareAsPaper(tables),
    ),
    strict: tableScorer(
      {
        summary:
          "Tablehunt's own: compares values, not spellings (numbers, units, currencies, dates); rows by optimal assignment",
        forgives:
          'spellings, not values: €14,200, 14200 EUR and 14.2k equal 14200; 12.36% equals 12.36 where the column says percent and 0.1236 elsewhere; typing errors in keys whose figures are the same',
      },
      async tables => await (await import('../src/score/strict/compare.ts')).compareStrictly(tables),
    ),
    'extract-bench': extractBenchScorer,
    'answer-f1': answerF1Scorer,
    'rouge-l': rougeLScorer,
    'judge-accuracy': judgeAccuracyScorer,
    'h-score': hScorer,
    'gpt-score': gptScorer,
    longtablebench: longTableBenchScorer,
    'struc-bench': strucBenchScorer,
    'struc-bench-p-score': strucBenchPScore,
    'struc-bench-abilities': strucBenchAbilities,
    widesearch: wideSearchScorer,
    'widesearch-fixed': fixedWideSearchScorer,
    deepwidesearch: deepWideSearchScorer,
    structext: structextScorer,
    fanoutqa: fanOutScorer,
    gisa: gisaScorer,
    'gisa-table': gisaTableScorer,
    'fanoutqa-table': fanOutTableScorer,
    'browsecomp-plus': browseCompPlusScorer,
  },
})

/** Names a scorer and says in one line which differences it forgives. */
export function scorerNotice(name: string): string {
  const { forgives, summary } = scorers.get(name)
  return `scorer: ${name}: ${forgives === undefined ? summary : `forgives ${forgives}`}`
}

/** Lists the names of the scorers that take a kind of gold. */
export function scorersOf(kind: AnswerKindName): string[] {
  return scorers.entries().flatMap(([name, scorer]) => (scorer.kind === kind ? [name] : []))
}

/**
 * Returns a scorer that compares tables.
 *
 * @throws ConfigError [unknown-scorer, wrong-scorer]
 */
export function tableScorerNamed(name: string): TableScorer {
  const scorer = scorers.get(name)
  if (isTableScorer(scorer)) return scorer
  throw wrongScorer(name, 'it does not compare tables', tableScorerNames())
}

/**
 * Returns a scorer that compares texts by one metric.
 *
 * @throws ConfigError [unknown-scorer, wrong-scorer]
 */
export function textScorerNamed(name: string): TextScorer {
  const scorer = scorers.get(name)
  if (isTextScorer(scorer)) return scorer
  throw wrongScorer(name, 'it does not compare texts', textScorerNames())
}

/** Lists the names of the scorers that compare tables. */
export function tableScorerNames(): string[] {
  return scorers.entries().flatMap(([name, scorer]) => (isTableScorer(scorer) ? [name] : []))
}

/** Lists the names of the scorers that compare texts. */
export function textScorerNames(): string[] {
  return scorers.entries().flatMap(([name, scorer]) => (isTextScorer(scorer) ? [name] : []))
}

/** Creates the error [wrong-scorer] for a scorer that cannot score what was asked. */
export function wrongScorer(name: string, why: string, others: readonly string[]): ConfigError {
  const instead = others.length === 0 ? 'No scorer does.' : `Use one of ${others.join(', ')}.`
  return new ConfigError(`--scorer ${name}: ${why}. ${instead}`, { code: 'wrong-scorer' })
}

/**
 * Finds the scorer of a record by its `profile`, the field of earlier versions. Null: the task's default, which they
 * named `aoe` for every task.
 */
export function scorerOfProfile(profile: unknown): string[] | null {
  return typeof profile === 'string' && profile !== 'aoe' ? [profile] : null
}

/** Returns the name of the judge in a scorer's records. Without a judge it is `rules`, so that `--judge` adds no scores. */
export function recordedJudge(scorer: string, judge: string): string {
  return scorers.get(scorer).usesJudge === false ? rulesJudge.name : judge
}

/** The kinds and metrics of scorers, by name. A run's manifest stores them for reports. */
export function metricsOfScorers(names: readonly string[]): Record<string, ScorerMetrics> {
  return Object.fromEntries(
    names.map(name => {
      const { kind, metrics, forgives } = scorers.get(name)
      return [name, { kind, metrics, ...(forgives === undefined ? {} : { forgives }) }]
    }),
  )
}
