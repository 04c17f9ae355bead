import { join } from 'node:path'
import { createRedactor } from '../../logs/redact.ts'
import { listScorerMetrics } from '../../tasks/scorers.ts'
import type { RunConfig } from '../config.ts'
import { attemptSchema } from '../core/attempt.ts'
import { ConfigError } from '../core/errors.ts'
import type { LoadedTasks } from '../core/task.ts'
import { identifyRun } from './open-run/identity.ts'
import type { RunResources } from './open-run/open-resources.ts'
import { findPrograms, listOtherPrograms } from './open-run/programs.ts'
import { listAllCaps } from './plan/caps.ts'
import type { PlannedAttempt } from './plan/plan.ts'
import { planRun } from './plan/plan-run.ts'
import { shouldRerun } from './plan/retry.ts'
import { iterateRecords } from './records/json-lines.ts'
import type { ProgramsWithOwn, RunManifest } from './records/manifest.ts'
import { findEarlierRun } from './records/manifest-file.ts'
import { createManifest, resumeManifest } from './records/new-manifest.ts'
import { readFinishedAttempts } from './records/read-records.ts'
import { type RunIdentity, requireSameRun } from './records/same-run.ts'
import type { RunHooks } from './run-hooks.ts'

/** A run that begins or is resumed, before its first attempt. */
export interface BegunRun {
  /** The manifest to write now. */
  readonly manifest: RunManifest
  readonly identity: RunIdentity
  readonly programs: ProgramsWithOwn
  readonly planned: readonly PlannedAttempt[]
  /** The attempts to make now. */
  readonly pending: readonly PlannedAttempt[]
  /** Ids of the recorded attempts, including those that --retry makes again. */
  readonly standing: Set<string>
}

/** What a run needs to begin. */
export interface RunToBegin {
  readonly config: RunConfig
  readonly loaded: LoadedTasks
  readonly resources: RunResources
  readonly hooks: RunHooks
}

/**
 * Plans a run and finds the attempts that are still to be made. Writes nothing.
 *
 * @throws ConfigError [different-run, prompts-version, manifest-missing] when the folder contains a run with other options
 */
export async function beginRun({ config, loaded, resources, hooks }: RunToBegin): Promise<BegunRun> {
  const { out, retry } = config
  const redactor = createRedactor([])
  const earlierRun = await findEarlierRun(out)
  const earlier = earlierRun.kind === 'run' ? earlierRun.manifest : null
  const [facts, programs] = await Promise.all([
    identifyRun(config, loaded.tasks, resources),
    findPrograms(config, hooks.env),
  ])
  const identity = redactor.value(facts)
  if (earlier !== null) requireSameRun(out, earlier, identity)
  const planned = planRun(config, loaded.tasks, resources)
  if (earlierRun.kind === 'manifest-lost') {
    await requirePlanned(out, planned)
    hooks.tell({ type: 'notice', text: describeLostManifest(out) })
  }
  const standing = await readFinishedAttempts(out, shouldRerun(null))
  const finishedIds = retry === null ? standing : await readFinishedAttempts(out, shouldRerun(retry))
  const pending = planned.filter(attempt => !finishedIds.has(attempt.attemptId))
  const begun = { identity, programs, planned, pending, standing }
  // A resumed run may have other caps and another concurrency.
  const { concurrency } = config
  const caps = listAllCaps(config)
  const scorers = { ...earlier?.scorers, ...listScorerMetrics(resources.scorers) }
  if (earlier === null) {
    const { command } = hooks
    const { web, otherSearches, plugins } = resources
    const newManifest = createManifest({
      config,
      caps,
      web,
      otherSearches,
      plugins,
      identity,
      programs,
      agents: resources.agents.facts,
      planned,
      loaded,
      command,
    })
    return { ...begun, manifest: { ...redactor.value(newManifest), scorers } }
  }
  const differences = listOtherPrograms(programs, earlier.programs ?? {}, 'the run began with')
  if (pending.length > 0 && differences.length > 0)
    hooks.tell({
      type: 'notice',
      text: `the run is resumed with other programs, which may change results (${differences.join('; ')})`,
    })
  const manifest = pending.length === 0 ? earlier : resumeManifest(earlier, programs)
  return { ...begun, manifest: { ...manifest, config: { ...manifest.config, concurrency }, caps, scorers } }
}

const plannedSchema = attemptSchema.pick({ attemptId: true, seed: true })

/**
 * Refuses a folder without a manifest when its attempts are not those that this command plans.
 *
 * @throws ConfigError [manifest-missing] that names the first such attempt
 */
async function requirePlanned(folder: string, planned: readonly PlannedAttempt[]): Promise<void> {
  const seeds = new Map(planned.map(({ attemptId, seed }) => [attemptId, seed]))
  for await (const { attemptId, seed } of iterateRecords(join(folder, 'attempts.jsonl'), plannedSchema)) {
    if (seeds.get(attemptId) === seed) continue
    throw new ConfigError(
      `${folder}: manifest.json is missing or damaged, and this command does not make the recorded attempt ${attemptId} (seed ${seed}). Give the options and tasks of that run, or choose another --out.`,
      { code: 'manifest-missing' },
    )
  }
}

function describeLostManifest(folder: string): string {
  return `${folder}: manifest.json was missing or damaged. It is made again from this command and the records. Whether documents, prompts and budgets are those of the earlier attempts is not known.`
}
