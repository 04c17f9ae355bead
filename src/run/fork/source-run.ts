import { countTurns } from '../../../agents/fork/recorded-prefix.ts'
import type { TraceEvent } from '../../../logs/events.ts'
import { tracePath } from '../../../logs/writer.ts'
import { readOptionsNamed } from '../../config/gather-options.ts'
import { completeConfig, type ParsedOptions, type RunConfig } from '../../config.ts'
import type { Attempt } from '../../core/attempt.ts'
import { ConfigError, DataError } from '../../core/errors.ts'
import type { Score } from '../../core/score.ts'
import { sha256OfFile } from '../../system/hash.ts'
import { readAttemptTrace } from '../records/find-trace.ts'
import type { Manifest } from '../records/manifest.ts'
import { type RunRecords, readRun } from '../records/read-records.ts'
import { completeFromRun, isUnstored } from '../records/resume.ts'

/** The setting whose attempts have steps. */
export const forkedSetting = 'online'

/** A run whose attempts are forked. */
export interface SourceRun {
  readonly folder: string
  readonly manifest: Manifest
  readonly records: RunRecords
}

/** An attempt that is forked. */
export interface SourceAttempt {
  readonly attempt: Attempt
  /** By the first scorer of the run; null for an attempt without a score. */
  readonly score: Score | null
  readonly events: readonly TraceEvent[]
  readonly turns: number
  readonly traceSha256: string
}

/** Reads the run whose attempts are forked. */
export async function openSource(folder: string): Promise<SourceRun> {
  const records = await readRun(folder)
  return { folder, manifest: records.manifest, records }
}

/**
 * Reads an attempt to fork.
 *
 * @param name its id, or the beginning of the id
 * @throws DataError [unknown-attempt, ambiguous-attempt, fork-setting, fork-no-messages]
 */
export async function openSourceAttempt(source: SourceRun, name: string): Promise<SourceAttempt> {
  const { attemptId, events } = await readAttemptTrace(source.folder, name)
  const attempt = source.records.attempts.find(record => record.attemptId === attemptId)
  if (attempt === undefined)
    throw new DataError(`${source.folder}: attempt ${attemptId} has no record. Finish the run first.`, {
      code: 'unknown-attempt',
    })
  const isControl = 'control' in attempt.options
  if (source.manifest.source === 'run' && (attempt.setting !== forkedSetting || isControl))
    throw new DataError(
      `${attemptId}: only attempts of the setting ${forkedSetting} have steps to fork at, and this is ${isControl ? `the control ${attempt.options.control}` : attempt.setting}. Choose another attempt.`,
      { code: 'fork-setting' },
    )
  const turns = countTurns(events)
  if (turns === 0)
    throw new DataError(`${attemptId}: its trace has no request of a model. Choose another attempt.`, {
      code: 'fork-no-messages',
    })
  return {
    attempt,
    score: source.records.scores.find(record => record.attemptId === attemptId) ?? null,
    events,
    turns,
    traceSha256: await sha256OfFile(tracePath(source.folder, attemptId)),
  }
}

/** Options of a run that a run of its forks does not take over. */
const ownOptions: ParsedOptions = {
  setting: [forkedSetting],
  controls: [],
  checkpointTokens: [],
  resume: false,
  retry: null,
  record: null,
  queue: null,
  dryRun: false,
  json: false,
  runBudgetTokens: null,
  runBudgetUsd: null,
  runBudgetSearchCalls: null,
}

/**
 * Returns the options of the run that makes forks: those of the source run, and the given ones.
 *
 * @throws ConfigError [secret-not-kept, path-missing, fork-needs-tasks]
 */
export async function completeForkOptions(
  { manifest, folder }: SourceRun,
  options: ParsedOptions & { readonly out: string; readonly forks: string },
): Promise<RunConfig> {
  const forkOptions = { ...ownOptions, ...options }
  if (manifest.source === 'run') {
    const stored = manifest.config
    // What a run does not store is read where the run read it.
    const given = await readOptionsNamed(Object.keys(stored).filter(name => isUnstored(stored[name])))
    return await completeFromRun({ ...given, ...forkOptions }, stored, `the run ${folder}`)
  }
  const tasks = options.tasks ?? manifest.config.tasks
  if (tasks === undefined)
    throw new ConfigError(
      `${folder}: the logs were imported without tasks, so that the agent has no question to continue with. Give them with --tasks.`,
      { code: 'fork-needs-tasks' },
    )
  return completeConfig({ ...forkOptions, tasks })
}
