import { randomUUID } from 'node:crypto'
import { arch, platform, release } from 'node:os'
import { promptsVersion } from '../../../agents/prompts/words.ts'
import type { StoreUse } from '../../../retrieval/retrieval.ts'
import { systemClock } from '../../core/runtime.ts'
import type { LoadedTasks } from '../../core/task.ts'
import { canonicalJson } from '../../system/hash.ts'
import { packageVersion } from '../../system/paths.ts'
import type { PlannedAttempt } from '../plan/plan.ts'
import { type ProgramsWithOwn, type RunManifest, recordVersion } from './manifest.ts'
import type { RunIdentity } from './same-run.ts'

/** How many attempts each setting has. */
export function countBySetting(planned: readonly PlannedAttempt[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { setting } of planned) counts[setting] = (counts[setting] ?? 0) + 1
  return counts
}

/** What the manifest of a new run is made from. */
export interface NewRun {
  /** The resolved options. */
  readonly config: Readonly<Record<string, unknown>>
  readonly caps: RunManifest['caps']
  /** Null where no setting of the run goes online. */
  readonly web: SearchedWeb | null
  readonly identity: RunIdentity
  readonly plugins: readonly { readonly name: string; readonly hash: string }[]
  readonly programs: ProgramsWithOwn
  readonly planned: readonly PlannedAttempt[]
  readonly loaded: LoadedTasks
  /** The command line. */
  readonly command: readonly string[]
}

/** What a manifest tells of the run's web. */
export interface SearchedWeb {
  /** The documents of a sealed web; null for any other. */
  readonly entries: readonly unknown[] | null
  /** The service that answers searches, and the address that the operator gave it; absent: none that has a name. */
  readonly searched?: { readonly service: string; readonly baseUrl: string | null }
}

/** The manifest of a run that begins now. */
export function manifestOf(run: NewRun): RunManifest {
  const { config, caps, web, plugins, planned, loaded, command } = run
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
    command: [...command],
    startedAt: new Date(systemClock.now()).toISOString(),
    endedAt: null,
    config: { ...config },
    identity,
    ...(plugins.length > 0 && { plugins: plugins.map(({ name, hash }) => ({ name, hash })) }),
    caps,
    search: searchOf(web),
    platform: { node: process.version, os: `${platform()} ${release()}`, arch: arch() },
    planned: planned.length,
    plannedBySetting: countBySetting(planned),
    skippedTasks: [...loaded.skipped],
  }
}

/** The manifest of a run that is resumed; it lists each further version of the program, and of others, that worked on the run. */
export function manifestForResume(
  earlier: RunManifest,
  { tablehunt: now, ...programs }: ProgramsWithOwn,
): RunManifest {
  const { tablehunt, codeVersion: first = tablehunt, laterVersions = [], laterPrograms = [] } = earlier
  const isKnown = [earlier.programs, ...laterPrograms].some(
    one => one === undefined || canonicalJson(one) === canonicalJson(programs),
  )
  return {
    ...earlier,
    ...([first, ...laterVersions].includes(now) ? {} : { laterVersions: [...laterVersions, now] }),
    ...(isKnown ? {} : { laterPrograms: [...laterPrograms, programs] }),
  }
}

/** With the store that searched chunks since `earlier` was written. */
export function withStoreUse(earlier: RunManifest, use: StoreUse | null): RunManifest {
  if (use === null) return earlier
  const { used = [], fallbackCause = null } = earlier.vectorStore ?? {}
  return {
    ...earlier,
    vectorStore: {
      used: [...new Set([...used, use.used])],
      fallbackCause: use.fallbackCause ?? fallbackCause,
    },
  }
}

function searchOf(web: SearchedWeb | null): RunManifest['search'] {
  if (web === null) return null
  if (web.entries !== null) return { provider: 'sealed', baseUrl: null }
  if (web.searched === undefined) return null
  const { service: provider, baseUrl } = web.searched
  return { provider, baseUrl }
}
