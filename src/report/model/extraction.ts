import type { Score } from '../../core/score.ts'
import { bootstrapRatio } from '../../score/statistics/bootstrap.ts'
import { type Entry, groupBy, groupByKey, isScored } from './entries.ts'
import { bootstrapSeed } from './measures.ts'
import { answerKindOf } from './metrics.ts'
import type { ExtractionRow, GroupKey } from './report.ts'

type Extracted = Entry & { readonly score: Score & { readonly extract: NonNullable<Score['extract']> } }

const isExtracted = (entry: Entry): entry is Extracted => isScored(entry) && entry.score.extract !== undefined

/** What ExtractBench's Tables 5 and 7 say, by schema and for all: attempts pooled, invalid ones in the denominator. */
export function extractionRows(entries: readonly Entry[]): ExtractionRow[] {
  return groupByKey(entries.filter(entry => answerKindOf(entry.key.profile) === 'json')).flatMap(
    ({ key, entries: own }) => {
      const schemaOf = schemasByTask(own)
      const bySchema = groupBy(own, entry => schemaOf.get(entry.attempt.taskId) ?? entry.attempt.domain)
      const named = [...bySchema].sort(([a], [b]) => (a < b ? -1 : 1))
      return [...named, ['all', own] as const].map(([schema, group]) => rowOf(key, schema, group))
    },
  )
}

/** An unscored attempt has no record of its schema, so the schema of another attempt at the same task is used. */
function schemasByTask(entries: readonly Entry[]): Map<string, string> {
  return new Map(
    entries.filter(isExtracted).flatMap(({ attempt, score }) => {
      const name = score.extract.schema
      return name === undefined ? [] : [[attempt.taskId, name] as const]
    }),
  )
}

function rowOf(key: GroupKey, schema: string, entries: readonly Entry[]): ExtractionRow {
  const scored = entries.filter(isExtracted)
  const valid = scored.filter(({ score }) => score.extract.valid)
  const failures: Record<string, number> = {}
  for (const { score } of scored) {
    const { failure } = score.extract
    if (failure !== null) failures[failure] = (failures[failure] ?? 0) + 1
  }
  const sum = (group: readonly Extracted[], name: string): number =>
    group.reduce((total, { score }) => total + (score.counts[name] ?? 0), 0)
  const [passed, matched] = [sum(scored, 'passedNodes'), sum(scored, 'matchedItems')]
  const [missed, spurious] = [sum(scored, 'missedItems'), sum(scored, 'spuriousItems')]
  return {
    ...key,
    schema,
    n: entries.length,
    scored: scored.length,
    unscored: entries.length - scored.length,
    valid: valid.length,
    validRate: ratio(valid.length, scored.length),
    failures,
    fields: sum(scored, 'nodes'),
    passedFields: passed,
    passRate: pooledRate(scored),
    accuracyOfValid: ratio(passed, sum(valid, 'nodes')),
    keys: sum(scored, 'schemaKeys'),
    passRateOfKeys: ratio(passed, sum(scored, 'schemaKeys')),
    omissions: sum(scored, 'omissions'),
    hallucinations: sum(scored, 'hallucinations'),
    wrongValues: sum(scored, 'wrongValues'),
    items: {
      matched,
      missed,
      spurious,
      precision: ratio(matched, matched + spurious),
      recall: ratio(matched, matched + missed),
    },
    unscoredFields: sum(scored, 'unscoredNodes'),
  }
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}

function pooledRate(scored: readonly Extracted[]): ExtractionRow['passRate'] {
  const parts = scored.map(({ attempt, score }) => ({
    cluster: attempt.taskId,
    part: score.counts.passedNodes ?? 0,
    whole: score.counts.nodes ?? 0,
  }))
  return bootstrapRatio(parts, bootstrapSeed) ?? { mean: null, low: null, high: null }
}
