import type { Attempt } from '../../core/attempt.ts'
import { flagOf } from '../../core/option-spec.ts'
import type { Score } from '../../core/score.ts'
import { canonicalJson } from '../../system/hash.ts'
import { isObject } from '../../text/json.ts'
import { groupBy } from '../model/entries.ts'
import type { ComparedRun } from './run-notes.ts'

/**
 * What needs no telling apart: the rest of these gives an attempt another id, or none in one of the runs; a seed makes
 * trials; webs and judges have words of their own.
 */
const neverSeparating = new Set([
  ...['benchmark', 'setting', 'trials', 'seed', 'limit', 'filter', 'models', 'cot', 'controls', 'retriever'],
  ...[
    'contextTokens',
    'tableFormat',
    'web',
    'webSha256',
    'judge',
    'judgeBatch',
    'profile',
    'checkpointTokens',
  ],
  ...['tasksSha256', 'prompts', 'promptsSha256', 'environment'],
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
  [
    ['offline', 'rag'],
    ['cut', 'documentsSha256'],
  ],
]

function concerns(option: string, setting: string): boolean {
  return ownOptions.every(([settings, options]) => !options.includes(option) || settings.includes(setting))
}

/** The setting whose options an attempt hangs on: what a found-only control is shown is online's finding. */
function settingOf({ setting, variant }: Attempt): string {
  return variant.split(',').includes('control=found-only') ? 'online' : setting
}

const promptsPart = /(?:^|,)prompts=([^,]*)/

function promptsOf({ variant }: Attempt): string {
  return promptsPart.exec(variant)?.[1] ?? 'own'
}

/** The hash of a set of prompts; one hash stands where ours were the only ones. */
function promptsHash({ manifest }: ComparedRun, name: string): string {
  const hashes = manifest.identity?.promptsSha256
  const hash = isObject(hashes) ? hashes[name] : hashes
  return typeof hash === 'string' ? hash : ''
}

interface SeparatedRuns {
  readonly runs: readonly ComparedRun[]
  readonly notes: readonly string[]
}

/**
 * Runs that hold the same attempts under other options, such as budgets, with those options in the variants of their
 * attempts, so that they stand in rows of their own and are not pooled as trials; one that was not given is left out, as
 * in a run's own variants. What differs by the seed alone stays together.
 */
export function separateByOptions(runs: readonly ComparedRun[]): SeparatedRuns {
  const made = runs.flatMap((run, at) => run.attempts.map(attempt => ({ attempt, at })))
  const differing = new Map(
    [...groupBy(made, one => settingOf(one.attempt))].map(([setting, own]) => [
      setting,
      differingOptions(runs, setting, groupsOfRuns(own, runs)),
    ]),
  )
  const prompts = [...groupBy(made, one => promptsOf(one.attempt))].flatMap(([name, own]) =>
    groupsOfRuns(own, runs).some(group => areSeveral(group.map(run => promptsHash(run, name)))) ? [name] : [],
  )
  const flags = [...new Set([...differing.values()].flat())].map(flagFor)
  if (flags.length + prompts.length === 0) return { runs, notes: [] }
  const variantIn = (run: ComparedRun, attempt: Attempt): string => {
    const set = promptsOf(attempt)
    const isOther = prompts.includes(set)
    const own = isOther ? attempt.variant.replace(promptsPart, '') : attempt.variant
    const given = (differing.get(settingOf(attempt)) ?? []).flatMap(name =>
      partOf(name, run.manifest.identity?.[name]),
    )
    const other = isOther ? [`prompts=${set}-${promptsHash(run, set).slice(0, 8)}`] : []
    return [own, ...given, ...other].filter(part => part !== '').join(',')
  }
  return {
    runs: runs.map(run => {
      const variants = new Map(run.attempts.map(one => [one.attemptId, variantIn(run, one)]))
      const told = <T extends Attempt | Score>(one: T): T => ({
        ...one,
        variant: variants.get(one.attemptId) ?? one.variant,
      })
      return { ...run, attempts: run.attempts.map(told), scores: run.scores.map(told) }
    }),
    notes: [
      `runs of the same attempts differ by ${[...flags, ...(prompts.length > 0 ? ['--prompts'] : [])].sort().join(', ')}: kept apart, in their variants`,
    ],
  }
}

function areSeveral(values: readonly string[]): boolean {
  return new Set(values).size > 1
}

/** Options in which two runs differ that both hold an attempt of the setting. */
function differingOptions(
  runs: readonly ComparedRun[],
  setting: string,
  together: readonly (readonly ComparedRun[])[],
): string[] {
  const names = new Set(runs.flatMap(run => Object.keys(run.manifest.identity ?? {})))
  // Older versions do not record newer switches, which were off.
  const valueIn = (run: ComparedRun, name: string): string => {
    const value = run.manifest.identity?.[name] ?? null
    return canonicalJson(value === false ? null : value)
  }
  // The hash is over all documents of a run: of other tasks it says nothing.
  const planOf = (run: ComparedRun): string =>
    ['tasksSha256', 'limit', 'filter'].map(name => valueIn(run, name)).join()
  const differ = (name: string, group: readonly ComparedRun[]): boolean =>
    name === 'documentsSha256'
      ? [...groupBy(group, planOf).values()].some(own => areSeveral(own.map(run => valueIn(run, name))))
      : areSeveral(group.map(run => valueIn(run, name)))
  return [...names]
    .filter(name => !neverSeparating.has(name) && concerns(name, setting))
    .filter(name => together.some(group => differ(name, group)))
    .sort()
}

/** Each group of runs that some of the attempts stand in. */
function groupsOfRuns(
  made: readonly { readonly attempt: Attempt; readonly at: number }[],
  runs: readonly ComparedRun[],
): ComparedRun[][] {
  const places = [...groupBy(made, one => one.attempt.attemptId).values()].map(group =>
    group.map(one => one.at),
  )
  return [...groupBy(places, String).values()].map(([group]) => group!.map(at => runs[at]!))
}

/** The flag that gives an option. */
function flagFor(name: string): string {
  return name === 'documentsSha256' ? '--docs' : flagOf(name)
}

function partOf(name: string, value: unknown): string[] {
  if (value === undefined || value === null || value === false) return []
  if (Array.isArray(value) && value.length === 0) return []
  const text =
    typeof value === 'string' ? value : Array.isArray(value) ? value.join('+') : canonicalJson(value)
  // Commas part a variant's options.
  return [
    `${flagFor(name).slice(2)}=${(name.endsWith('Sha256') ? text.slice(0, 8) : text).replaceAll(',', '+')}`,
  ]
}
