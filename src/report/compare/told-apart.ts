import { flagOf } from '../../core/flag-of.ts'
import { canonicalJson } from '../../core/hash.ts'
import { groupBy } from '../entries.ts'
import type { ComparedRun } from './run-notes.ts'

/**
 * What needs no telling apart: the rest of these gives an attempt another id, or none in one of the runs; a seed makes
 * trials; webs and judges have words of their own.
 */
const leftAlone = new Set([
  ...['benchmark', 'setting', 'trials', 'seed', 'limit', 'filter', 'models', 'cot', 'controls', 'retriever'],
  ...['contextTokens', 'web', 'webSha256', 'judge', 'judgeBatch', 'profile', 'checkpointTokens'],
  ...['tasksSha256', 'documentsSha256', 'promptsSha256'],
])

const ofTheWeb = [
  ...[
    'twins',
    'replay',
    'onReplayMiss',
    'faults',
    'faultsSha256',
    'block',
    'pageReader',
    'search',
    'searchUsd',
  ],
  ...['budgetSearchCalls', 'budgetFetchCalls'],
]
/** Options that say nothing of other settings than these. */
const ownOptions: readonly (readonly [settings: readonly string[], options: readonly string[]])[] = [
  [['online'], ofTheWeb],
  [['rag'], ['embedder', 'vectorStore', 'ragQuery']],
  [['offline', 'rag'], ['cut']],
]

function concerns(option: string, setting: string): boolean {
  return ownOptions.every(([settings, options]) => !options.includes(option) || settings.includes(setting))
}

interface Told {
  readonly runs: readonly ComparedRun[]
  readonly notes: readonly string[]
}

/**
 * Runs that hold the same attempts under other options, such as budgets, with those options in the variants of their
 * attempts, so that they stand in rows of their own and are not pooled as trials; one that was not given is left out, as
 * in a run's own variants. What differs by the seed alone stays together.
 */
export function toldApart(runs: readonly ComparedRun[]): Told {
  const settings = [...new Set(runs.flatMap(run => run.attempts.map(attempt => attempt.setting)))]
  const differing = new Map(settings.map(setting => [setting, differingOptions(runs, setting)]))
  const names = [...new Set([...differing.values()].flat())].sort()
  if (names.length === 0) return { runs, notes: [] }
  const variantIn = (run: ComparedRun, setting: string, variant: string): string => {
    const given = (differing.get(setting) ?? []).flatMap(name => partOf(name, run.manifest.identity?.[name]))
    return [variant, ...given].filter(part => part !== '').join(',')
  }
  return {
    runs: runs.map(run => ({
      ...run,
      attempts: run.attempts.map(one => ({ ...one, variant: variantIn(run, one.setting, one.variant) })),
      scores: run.scores.map(one => ({ ...one, variant: variantIn(run, one.setting, one.variant) })),
    })),
    notes: [
      `runs of the same attempts differ by ${names.map(flagOf).join(', ')}: kept apart, in their variants`,
    ],
  }
}

/** Options in which two runs differ that both hold an attempt of the setting. */
function differingOptions(runs: readonly ComparedRun[], setting: string): string[] {
  const together = groupsOfRuns(runs, setting)
  const names = new Set(runs.flatMap(run => Object.keys(run.manifest.identity ?? {})))
  const valueIn = (run: ComparedRun, name: string): string =>
    canonicalJson(run.manifest.identity?.[name] ?? null)
  return [...names]
    .filter(name => !leftAlone.has(name) && concerns(name, setting))
    .filter(name => together.some(group => new Set(group.map(run => valueIn(run, name))).size > 1))
    .sort()
}

/** Each group of runs that some attempt of the setting stands in. */
function groupsOfRuns(runs: readonly ComparedRun[], setting: string): ComparedRun[][] {
  const made = runs.flatMap((run, at) =>
    run.attempts.filter(one => one.setting === setting).map(({ attemptId }) => ({ attemptId, at })),
  )
  const places = [...groupBy(made, one => one.attemptId).values()].map(group => group.map(one => one.at))
  return [...groupBy(places, String).values()].map(([group]) => group!.map(at => runs[at]!))
}

function partOf(name: string, value: unknown): string[] {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) return []
  const text =
    typeof value === 'string' ? value : Array.isArray(value) ? value.join('+') : canonicalJson(value)
  // Commas part a variant's options.
  return [
    `${flagOf(name).slice(2)}=${(name.endsWith('Sha256') ? text.slice(0, 8) : text).replaceAll(',', '+')}`,
  ]
}
