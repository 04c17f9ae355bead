import { randomUUID } from 'node:crypto'
import { arch, platform, release } from 'node:os'
import { promptsVersion } from '../../../agents/prompts/words.ts'
import { searchLocales } from '../../../tools/search/locale.ts'
import { cleanOptions, cleanOwnCommand } from '../../config/without-secrets.ts'
import { recordVersion } from '../../core/attempt.ts'
import { systemClock } from '../../core/runtime.ts'
import type { LoadedTasks } from '../../core/task.ts'
import { canonicalJson } from '../../system/hash.ts'
import { packageVersion } from '../../system/paths.ts'
import type { PlannedAttempt } from '../plan/plan.ts'
import type { ProgramsWithOwn, RunManifest } from './manifest.ts'
import type { RunIdentity } from './same-run.ts'

/** Counts the attempts of each setting. */
export function countBySetting(planned: readonly PlannedAttempt[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { setting } of planned) counts[setting] = (counts[setting] ?? 0) + 1
  return counts
}

/** The facts that the manifest of a new run contains. */
export interface NewRun {
  /** The resolved options. */
  readonly config: Readonly<Record<string, unknown>>
  readonly caps: RunManifest['caps']
  /** Null when no setting of the run searches the web. */
  readonly web: SearchedWeb | null
  /** The further search services of a run with several. */
  readonly otherSearches: readonly { readonly service: string; readonly baseUrl: string | null }[]
  readonly identity: RunIdentity
  readonly plugins: readonly { readonly name: string; readonly hash: string }[]
  /** What identifies each external agent, by its name. */
  readonly agents: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly programs: ProgramsWithOwn
  readonly planned: readonly PlannedAttempt[]
  readonly loaded: LoadedTasks
  /** The command line. */
  readonly command: readonly string[]
}

/** The facts about the run's web in a manifest. */
export interface SearchedWeb {
  /** The documents of a sealed web; null for any other. */
  readonly entries: readonly unknown[] | null
  /**
   * The search service, and its address when the operator gave one. Absent when the web has no named service.
   */
  readonly searched?: { readonly service: string; readonly baseUrl: string | null }
}

/** Returns the manifest of a run that begins now. */
export function createManifest(run: NewRun): RunManifest {
  const { config, caps, web, otherSearches, plugins, agents, planned, loaded, command } = run
  const { tablehunt: codeVersion, ...programs } = run.programs
  const { inputs, ...identity } = run.identity
  return {
    source: 'run',
    recordVersion,
    runId: randomUUID(),
    tablehunt: packageVersion,
    codeVersion,
    programs,
    inputs,
    prompts: promptsVersion,
    command: cleanOwnCommand(command),
    startedAt: new Date(systemClock.now()).toISOString(),
    endedAt: null,
    config: cleanOptions(config),
    identity,
    ...(plugins.length > 0 && { plugins: plugins.map(({ name, hash }) => ({ name, hash })) }),
    ...(Object.keys(agents).length > 0 && { agents: { ...agents } }),
    caps,
    search: describeSearch(web, otherSearches, loaded),
    platform: describePlatform(),
    planned: planned.length,
    plannedBySetting: countBySetting(planned),
    skippedTasks: [...loaded.skipped],
  }
}

/** Describes the machine for a manifest. */
export function describePlatform(): RunManifest['platform'] {
  return { node: process.version, os: `${platform()} ${release()}`, arch: arch() }
}

/** Returns the manifest of a run that is resumed. It lists every other version of Tablehunt and of other programs that worked on the run. */
export function resumeManifest(
  earlier: RunManifest,
  { tablehunt: now, ...programs }: ProgramsWithOwn,
): RunManifest {
  const { tablehunt, codeVersion: first = tablehunt, laterVersions = [], laterPrograms = [] } = earlier
  const isKnown = [earlier.programs, ...laterPrograms].some(
    candidate => candidate === undefined || canonicalJson(candidate) === canonicalJson(programs),
  )
  return {
    ...earlier,
    ...([first, ...laterVersions].includes(now) ? {} : { laterVersions: [...laterVersions, now] }),
    ...(isKnown ? {} : { laterPrograms: [...laterPrograms, programs] }),
  }
}

function describeSearch(
  web: SearchedWeb | null,
  furtherSearches: NewRun['otherSearches'],
  { tasks }: LoadedTasks,
): RunManifest['search'] {
  if (web === null) return null
  const locales = searchLocales(tasks.map(({ question }) => question.language))
  const localeField = Object.keys(locales).length === 0 ? {} : { locales }
  if (web.entries !== null) return { provider: 'sealed', baseUrl: null, ...localeField }
  if (web.searched === undefined) return null
  const named = [web.searched, ...furtherSearches].map(({ service: provider, baseUrl }) => ({
    provider,
    baseUrl,
  }))
  return { ...named[0]!, ...(furtherSearches.length === 0 ? {} : { others: named.slice(1) }), ...localeField }
}
