import { answersFromWeb } from '../../agents/registry.ts'
import { createRedactor } from '../../logs/redact.ts'
import type { RunConfig } from '../config.ts'
import type { LoadedTasks } from '../core/task.ts'
import { metricsOfScorers } from '../score/registry.ts'
import { allCaps } from './plan/caps.ts'
import type { PlannedAttempt } from './plan/plan.ts'
import { planRun } from './plan/plan-run.ts'
import { shouldRerun } from './plan/retry.ts'
import type { ProgramsWithOwn, RunManifest } from './records/manifest.ts'
import { manifestForResume, manifestOf } from './records/new-manifest.ts'
import { earlierManifest, finishedAttempts } from './records/run-folder.ts'
import { type RunIdentity, requireSameRun } from './records/same-run.ts'
import { identityOf } from './resources/identity.ts'
import { otherPrograms, programsOf } from './resources/programs.ts'
import type { RunResources } from './resources/run-resources.ts'
import { secretsOf } from './resources/secrets.ts'
import type { RunHooks } from './run-hooks.ts'

/** A run that begins or goes on, before its first attempt. */
export interface BegunRun {
  /** As it is to be written now. */
  readonly manifest: RunManifest
  readonly identity: RunIdentity
  readonly programs: ProgramsWithOwn
  readonly planned: readonly PlannedAttempt[]
  /** Attempts that are to be made now. */
  readonly pending: readonly PlannedAttempt[]
  /** Ids of attempts with a record that stands, those that --retry makes again included. */
  readonly standing: Set<string>
}

/** What a run begins with. */
export interface RunToBegin {
  readonly config: RunConfig
  readonly loaded: LoadedTasks
  readonly resources: RunResources
  readonly hooks: Pick<RunHooks, 'command' | 'env' | 'tell'>
}

/**
 * Plans a run and finds what is left of it to make. Writes nothing.
 * @throws ConfigError different-run, prompts-version where the folder holds a run under other conditions
 */
export async function beginRun({ config, loaded, resources, hooks }: RunToBegin): Promise<BegunRun> {
  const { out, retry } = config
  const redactor = createRedactor(secretsOf(hooks.env))
  const earlier = await earlierManifest(out)
  const identity = redactor.value(await identityOf(config, loaded.tasks, resources))
  if (earlier !== null) requireSameRun(out, earlier, identity, config.tasks)
  const planned = planRun(config, loaded.tasks, resources)
  const standing = await finishedAttempts(out, shouldRerun(null))
  const kept = retry === null ? standing : await finishedAttempts(out, shouldRerun(retry))
  const pending = planned.filter(attempt => !kept.has(attempt.attemptId))
  const programs = await programsOf(config.setting.some(answersFromWeb) ? config.browser : 'off', hooks.env)
  const begun = { identity, programs, planned, pending, standing }
  // Its caps may have been raised and its concurrency changed since it began.
  const { concurrency } = config
  const caps = allCaps(config)
  const scorers = { ...earlier?.scorers, ...metricsOfScorers(resources.scorers) }
  if (earlier === null) {
    const { command } = hooks
    const { web, plugins } = resources
    const made = manifestOf({
      ...{ config, caps, web, plugins, identity, programs },
      ...{ planned, loaded, command },
    })
    return { ...begun, manifest: { ...redactor.value(made), scorers } }
  }
  const others = otherPrograms(programs, earlier.programs ?? {}, 'it began with')
  if (pending.length > 0 && others.length > 0)
    hooks.tell({ type: 'notice', text: otherProgramsNotice(others) })
  const manifest = pending.length === 0 ? earlier : manifestForResume(earlier, programs)
  return { ...begun, manifest: { ...manifest, config: { ...manifest.config, concurrency }, caps, scorers } }
}

function otherProgramsNotice(others: readonly string[]): string {
  return `the run goes on with other programs (${others.join('; ')}): attempts may differ by that`
}
