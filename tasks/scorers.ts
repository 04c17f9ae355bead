import { ConfigError } from '../src/core/errors.ts'
import type { AnswerKindName, ScorerMetrics } from '../src/core/metric.ts'
import type { NamedScorer } from '../src/score/contract/scorer.ts'
import type { TextScorer } from '../src/score/metrics/metric.ts'
import { isTextScorer } from '../src/score/metrics/text-scorer.ts'
import { isTableScorer, type TableScorer } from '../src/score/table/table-scorer.ts'
import { scorers } from './registry.ts'

/**
 * Returns a scorer with its name.
 *
 * @throws ConfigError [unknown-scorer]
 */
export const findScorer = (name: string): NamedScorer => ({ name, scorer: scorers.get(name) })

/** Names a scorer and says in one line which differences it forgives. */
export function writeScorerNotice(name: string): string {
  const { forgives, summary } = scorers.get(name)
  return `scorer: ${name}: ${forgives === undefined ? summary : `forgives ${forgives}`}`
}

/** Lists the names of the scorers that take a kind of gold. */
export function listScorersForKind(kind: AnswerKindName): string[] {
  return scorers.entries().flatMap(([name, scorer]) => (scorer.kind === kind ? [name] : []))
}

/**
 * Returns a scorer that compares tables.
 *
 * @throws ConfigError [unknown-scorer, wrong-scorer]
 */
export function findTableScorer(name: string): TableScorer {
  const scorer = scorers.get(name)
  if (isTableScorer(scorer)) return scorer
  throw makeWrongScorerError(name, 'it does not compare tables', listTableScorerNames())
}

/**
 * Returns a scorer that compares texts by one metric.
 *
 * @throws ConfigError [unknown-scorer, wrong-scorer]
 */
export function findTextScorer(name: string): TextScorer {
  const scorer = scorers.get(name)
  if (isTextScorer(scorer)) return scorer
  throw makeWrongScorerError(name, 'it does not compare texts', listTextScorerNames())
}

/** Lists the names of the scorers that compare tables. */
export function listTableScorerNames(): string[] {
  return scorers.entries().flatMap(([name, scorer]) => (isTableScorer(scorer) ? [name] : []))
}

/** Lists the names of the scorers that compare texts. */
export function listTextScorerNames(): string[] {
  return scorers.entries().flatMap(([name, scorer]) => (isTextScorer(scorer) ? [name] : []))
}

/** Creates the error [wrong-scorer] for a scorer that cannot score what was asked. */
export function makeWrongScorerError(
  name: string,
  why: string,
  alternatives: readonly string[],
): ConfigError {
  const instead = alternatives.length === 0 ? 'No scorer does.' : `Use one of ${alternatives.join(', ')}.`
  return new ConfigError(`--scorer ${name}: ${why}. ${instead}`, { code: 'wrong-scorer' })
}

/** The kinds and metrics of scorers, by name. A run's manifest stores them for reports. */
export function listScorerMetrics(names: readonly string[]): Record<string, ScorerMetrics> {
  return Object.fromEntries(
    names.map(name => {
      const { kind, metrics, forgives } = scorers.get(name)
      return [name, { kind, metrics, ...(forgives === undefined ? {} : { forgives }) }]
    }),
  )
}
