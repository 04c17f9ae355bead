import { type ArmOptions, withoutOptions } from '../../core/arm.ts'
import type { Attempt } from '../../core/attempt.ts'
import { groupBy } from '../../core/group-by.ts'
import { formatFlag, type OptionFacts } from '../../core/option-spec.ts'
import type { Score } from '../../core/score.ts'
import { canonicalJson } from '../../system/hash.ts'
import { isObject } from '../../text/json.ts'
import { defaultService } from '../model/search-services.ts'
import type { ComparedRun } from './run-notes.ts'

/** The settings whose attempts an option separates, by the name of the option. Other options separate all attempts. */
export type SeparatingOptions = Readonly<Record<string, { readonly separates: OptionFacts['separates'] }>>

/** Facts of runs that come from an option of another name. */
const optionsOfFacts: Readonly<Record<string, string>> = {
  agentFacts: 'agent',
  agents: 'agent',
  documentsSha256: 'docs',
  faultsSha256: 'faults',
  judgePromptsSha256: 'judgePrompts',
  models: 'model',
  promptsSha256: 'prompts',
  searchUsd: 'search',
  tasksSha256: 'tasks',
  webSha256: 'web',
}

/** Returns whether a fact separates attempts of a setting. Machines have their own notes. */
function isSeparating(fact: string, setting: string, options: SeparatingOptions): boolean {
  if (fact === 'environment') return false
  const { separates = 'all' } = options[optionsOfFacts[fact] ?? fact] ?? {}
  return separates === 'all' || separates.includes(setting)
}

/** Returns the setting whose options affect an attempt. A found-only control depends on what online found. */
function findAffectedSetting({ setting, options }: Attempt): string {
  return options.control === 'found-only' ? 'online' : setting
}

function namePrompts({ options }: Attempt): string {
  return options.prompts ?? 'own'
}

/** Returns the hash of a set of prompts. A manifest with one hash has only the built-in prompts. */
function hashPrompts({ manifest }: ComparedRun, name: string): string {
  const hashes = manifest.identity?.promptsSha256
  const hash = isObject(hashes) ? hashes[name] : hashes
  return typeof hash === 'string' ? hash : ''
}

interface SeparatedRuns {
  readonly runs: readonly ComparedRun[]
  readonly notes: readonly string[]
}

/** By what the attempts of runs are separated. */
interface Separation {
  /** The options and facts in which runs differ, by the setting of the attempts. */
  readonly differing: ReadonlyMap<string, readonly string[]>
  /** The sets of prompts whose texts differ. */
  readonly prompts: readonly string[]
  /** The runs that only their names separate, by the setting of the attempts. */
  readonly repeated: ReadonlyMap<string, ReadonlySet<ComparedRun>>
}

/**
 * Adds options in which runs differ, such as budgets, to the options of their attempts. Otherwise the same attempts made
 * with different options would be pooled as trials. Options that were not given are left out, as in the records of a
 * run. Runs that differ only in their seed stay pooled. Named runs that do not even differ in their seed are separated by
 * their names: a user who compares them wants to see one beside the other.
 */
export function separateByOptions(runs: readonly ComparedRun[], options: SeparatingOptions): SeparatedRuns {
  const separation = findSeparation(runs, options)
  const notes = listSeparationNotes(runs, separation)
  if (notes.length === 0) return { runs, notes }
  return {
    runs: runs.map(run => {
      const place = runs.indexOf(run) + 1
      const optionsById = new Map(
        run.attempts.map(attempt => [attempt.attemptId, separateAttempt(attempt, run, place, separation)]),
      )
      const withOptions = <T extends Attempt | Score>(record: T): T => ({
        ...record,
        options: optionsById.get(record.attemptId) ?? record.options,
      })
      return { ...run, attempts: run.attempts.map(withOptions), scores: run.scores.map(withOptions) }
    }),
    notes,
  }
}

function findSeparation(runs: readonly ComparedRun[], options: SeparatingOptions): Separation {
  const pooledAttempts = runs.flatMap((run, at) => run.attempts.map(attempt => ({ attempt, at })))
  const groupsBySetting = [...groupBy(pooledAttempts, ({ attempt }) => findAffectedSetting(attempt))].map(
    ([setting, members]) => [setting, groupRuns(members, runs)] as const,
  )
  const differing = new Map(
    groupsBySetting.map(([setting, groups]) => [
      setting,
      listDifferingOptions(runs, groups).filter(name => isSeparating(name, setting, options)),
    ]),
  )
  const prompts = [...groupBy(pooledAttempts, ({ attempt }) => namePrompts(attempt))]
    .filter(([name, members]) =>
      groupRuns(members, runs).some(group => areSeveral(group.map(run => hashPrompts(run, name)))),
    )
    .map(([name]) => name)
  const repeated = new Map(
    groupsBySetting.map(([setting, groups]) => [
      setting,
      findRepeatedRuns(groups, [...(differing.get(setting) ?? []), ...repeatOptions]),
    ]),
  )
  return { differing, prompts, repeated }
}

/**
 * Returns the options of an attempt with those that separate it.
 *
 * @param place the place of its run among all, counted from 1
 */
function separateAttempt(
  attempt: Attempt,
  run: ComparedRun,
  place: number,
  { differing, prompts, repeated }: Separation,
): ArmOptions {
  const set = namePrompts(attempt)
  const isOtherSet = prompts.includes(set)
  const armOptions = isOtherSet ? withoutOptions(attempt.options, ['prompts']) : attempt.options
  const setting = findAffectedSetting(attempt)
  const further = (differing.get(setting) ?? []).map(name =>
    showOption(name, name === 'search' ? readService(run, armOptions) : run.manifest.identity?.[name]),
  )
  const isRepeated = repeated.get(setting)?.has(run) === true
  return Object.assign(
    { ...armOptions },
    ...further,
    isOtherSet ? { prompts: `${set}-${hashPrompts(run, set).slice(0, 8)}` } : {},
    // The number keeps the order of the runs.
    isRepeated ? { run: `${place}:${run.name?.replaceAll(',', '+')}` } : {},
  )
}

function listSeparationNotes(
  runs: readonly ComparedRun[],
  { differing, prompts, repeated }: Separation,
): string[] {
  const names = new Set([...differing.values()].flat())
  const flags = [...[...names].map(nameFlag), ...(prompts.length > 0 ? ['--prompts'] : [])].sort()
  const repeats = runs.filter(run => [...repeated.values()].some(group => group.has(run)))
  return [
    ...(flags.length === 0
      ? []
      : [`the same attempts were made with different options (${flags.join(', ')}). Each has its own rows`]),
    ...(repeats.length === 0
      ? []
      : [
          `${repeats.map(({ name }) => name).join(', ')} made the same attempts. Each run has its own rows, named by the run`,
        ]),
  ]
}

/** Runs that differ in one of these are pooled or refused for other reasons: runs with other seeds are trials. */
const repeatOptions = ['seed', 'web', 'webSha256', 'judge', 'judgePromptsSha256', 'scorer']

/** Returns the named runs that share attempts with another run that has the same values of these options. */
function findRepeatedRuns(
  together: readonly (readonly ComparedRun[])[],
  options: readonly string[],
): ReadonlySet<ComparedRun> {
  const valuesOf = ({ manifest }: ComparedRun): string =>
    canonicalJson(options.map(name => manifest.identity?.[name] ?? null))
  return new Set(
    together
      .flatMap(group => [...groupBy(group, valuesOf).values()].filter(twins => twins.length > 1).flat())
      .filter(({ name }) => name !== undefined),
  )
}

/** Returns the search service of an attempt; null when its options name it. A run with several lists them. */
function readService({ manifest }: ComparedRun, options: ArmOptions): unknown {
  const search = manifest.identity?.search
  if (!Array.isArray(search)) return search
  return 'search' in options ? null : defaultService
}

function areSeveral(values: readonly string[]): boolean {
  return new Set(values).size > 1
}

/** Returns the options and facts in which runs with the same attempts differ. */
function listDifferingOptions(
  runs: readonly ComparedRun[],
  together: readonly (readonly ComparedRun[])[],
): string[] {
  const names = new Set(runs.flatMap(run => Object.keys(run.manifest.identity ?? {})))
  // A manifest does not name every switch that is off.
  const valueIn = (run: ComparedRun, name: string): string => {
    const value = run.manifest.identity?.[name] ?? null
    return canonicalJson(value === false ? null : value)
  }
  // The hash covers all documents of a run, so it can only be compared between runs of the same tasks.
  const planOf = (run: ComparedRun): string =>
    ['tasksSha256', 'limit', 'filter'].map(name => valueIn(run, name)).join()
  const differ = (name: string, group: readonly ComparedRun[]): boolean =>
    name === 'documentsSha256'
      ? [...groupBy(group, planOf).values()].some(plan => areSeveral(plan.map(run => valueIn(run, name))))
      : areSeveral(group.map(run => valueIn(run, name)))
  return [...names].filter(name => together.some(group => differ(name, group))).sort()
}

/** Returns the groups of runs that share attempts. */
function groupRuns(
  pooledAttempts: readonly { readonly attempt: Attempt; readonly at: number }[],
  runs: readonly ComparedRun[],
): ComparedRun[][] {
  const places = [...groupBy(pooledAttempts, pooled => pooled.attempt.attemptId).values()].map(group =>
    group.map(pooled => pooled.at),
  )
  return [...groupBy(places, String).values()].map(([group]) => group!.map(at => runs[at]!))
}

/** The options of which runs record hashes. */
const flagsOfHashes: Readonly<Record<string, string>> = { documentsSha256: '--docs', tasksSha256: '--tasks' }

/** Returns the flag of an option. */
function nameFlag(name: string): string {
  return flagsOfHashes[name] ?? formatFlag(name)
}

function showOption(name: string, value: unknown): ArmOptions {
  if (value === undefined || value === null || value === false) return {}
  if (Array.isArray(value) && value.length === 0) return {}
  const text =
    typeof value === 'string' ? value : Array.isArray(value) ? value.join('+') : canonicalJson(value)
  // Commas separate options in names.
  const short = (name.endsWith('Sha256') ? text.slice(0, 8) : text).replaceAll(',', '+')
  return { [nameFlag(name).slice(2)]: short }
}
