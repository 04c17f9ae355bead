import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type BlobStore, createBlobStore } from '../../../logs/blobs.ts'
import type { ForeignAttempt } from '../../../logs/import/foreign-log.ts'
import { openTrace } from '../../../logs/writer.ts'
import { listScorerMetrics } from '../../../tasks/scorers.ts'
import { recordVersion } from '../../core/attempt.ts'
import { ConfigError, DataError } from '../../core/errors.ts'
import { systemClock } from '../../core/runtime.ts'
import type { Task } from '../../core/task.ts'
import { requireWritable } from '../../system/files.ts'
import { packageVersion } from '../../system/paths.ts'
import { listEncryptedQuestions, makeQuestionRemover } from '../open-run/secrets.ts'
import { listTraceLeaks } from '../records/lost-leaks.ts'
import type { ImportManifest } from '../records/manifest.ts'
import { describePlatform } from '../records/new-manifest.ts'
import { RunFolder } from '../records/run-folder.ts'
import { withoutAddresses } from '../records/same-run.ts'
import { storeSeenDocuments } from '../records/seen-documents.ts'
import { hashTaskInputs } from '../records/task-inputs.ts'
import { type ImportConfig, type ImportGold, openGold } from './import-gold.ts'
import { listOriginalScores, makeRecord } from './import-record.ts'
import { emitOriginalTrace, emitTrace, readLogSight, type TraceFacts } from './import-trace.ts'
import { makeTaskMatcher, type TaskMatch } from './match-tasks.ts'
import { importMeasurer } from './measure-import.ts'
import { type ForeignRecord, type ReadLogs, readLogs } from './read-logs.ts'

/** The result of an import. */
export interface ImportSummary {
  readonly attempts: number
  /** Records that could not be read, with place and reason. */
  readonly skipped: readonly { readonly place: string; readonly problem: string }[]
  /** Files with the same bytes as an earlier file, whose attempts count as further trials. */
  readonly copies: ReadLogs['copies']
  /** The number of attempts with an unknown termination, by the log's own words. */
  readonly unmapped: ReadonlyMap<string, number>
  /** The samples without a task, with the reason. They are not scored. Empty without `--tasks`. */
  readonly unmatched: readonly { readonly sourceId: string; readonly reason: string }[]
  /** The number of scored attempts. */
  readonly scored: number
}

/** What an import is made with besides the logs. */
export interface ImportOptions {
  /** The tasks that samples are matched to. Null: nothing is scored. */
  readonly config: ImportConfig | null
  /** A file with the questions of samples that have none. Null: the file that the format has beside a log. */
  readonly questions: string | null
}

/**
 * Imports other agents' logs into a run's folder. `report`, `compare`, `view` and `logs` then read them like a run. With
 * tasks, samples are matched to them and scored. Facts that the logs do not contain are null.
 *
 * @param format the name of a log format
 * @throws ConfigError [folder-not-empty, unknown-log-format, folder-not-writable, unreadable-questions, wrong-scorer,
 * needs-judge-model] DataError [no-attempts-in-logs, empty-log, wrong-log-format, no-task, no-sample-matches]
 */
export async function importLogs(
  format: string,
  files: readonly string[],
  folder: string,
  { config, questions }: ImportOptions = { config: null, questions: null },
): Promise<ImportSummary> {
  if (existsSync(join(folder, 'manifest.json')))
    throw new ConfigError(`--out ${folder}: the folder already contains a run. Name a new folder.`, {
      code: 'folder-not-empty',
    })
  const { records, skipped, copies } = await readLogs(format, files, questions)
  const gold = config === null ? null : await openGold(config)
  try {
    const matches = matchAll(records, gold)
    if (gold !== null) requireMatch(gold.tasks, matches)
    await requireWritable('--out', folder)
    const scored = await writeRun({ format, files, folder, records, skipped, matches, config, gold })
    return {
      attempts: records.length,
      skipped,
      copies,
      unmapped: countUnmapped(records),
      unmatched: matches.flatMap(match =>
        'unmatchedBecause' in match && gold !== null
          ? [{ sourceId: match.sourceId, reason: match.unmatchedBecause }]
          : [],
      ),
      scored,
    }
  } finally {
    await gold?.close()
  }
}

function countUnmapped(records: readonly ForeignRecord[]): Map<string, number> {
  const unmapped = new Map<string, number>()
  for (const { attempt } of records) {
    if (attempt.end.cause !== 'unknown') continue
    const words = attempt.end.detail ?? '(not given)'
    unmapped.set(words, (unmapped.get(words) ?? 0) + 1)
  }
  return unmapped
}

type MatchedSample = TaskMatch & { readonly sourceId: string }

function matchAll(records: readonly ForeignRecord[], gold: ImportGold | null): MatchedSample[] {
  const match = gold === null ? () => ({ unmatchedBecause: 'no tasks' }) : makeTaskMatcher(gold.tasks)
  return records.map(({ place, attempt }) => ({ sourceId: attempt.sourceId ?? place, ...match(attempt) }))
}

function requireMatch(tasks: readonly Task[], matches: readonly MatchedSample[]): void {
  if (matches.some(match => 'task' in match)) return
  const [first] = matches
  const why =
    first !== undefined && 'unmatchedBecause' in first ? `${first.sourceId}: ${first.unmatchedBecause}` : ''
  throw new DataError(
    `none of the ${matches.length} samples of the logs matches one of the ${tasks.length} tasks (${why}). Name the tasks of these logs with --tasks, or leave the option out.`,
    { code: 'no-sample-matches' },
  )
}

/** The records that were read from the logs, and the folder that they are written to. */
interface LogsToWrite extends Omit<ReadLogs, 'copies'> {
  readonly format: string
  readonly files: readonly string[]
  readonly folder: string
  /** For each record, in the same order. */
  readonly matches: readonly MatchedSample[]
  readonly config: ImportConfig | null
  readonly gold: ImportGold | null
}

/** Writes the run and returns the number of scored attempts. */
async function writeRun(logs: LogsToWrite): Promise<number> {
  const { format, folder, records, matches, gold } = logs
  const importedAt = new Date().toISOString()
  const secrets = listEncryptedQuestions(matches.flatMap(match => ('task' in match ? [match.task] : [])))
  const clean = makeQuestionRemover(secrets)
  const blobs = createBlobStore({ folder, secrets })
  const run = await RunFolder.open(folder, { blobs })
  let scored = 0
  const scorers = new Set<string>(gold?.scorers)
  try {
    const measure = gold === null ? null : importMeasurer(gold, blobs)
    const usedIds = new Set<string>()
    for (const [at, record] of records.entries()) {
      const match = matches[at]
      const task = match !== undefined && 'task' in match ? match.task : null
      const { attempt: foreign } = record
      const { original } = foreign
      const importedAttempt = makeRecord(record, task, { format, importedAt, usedIds })
      for (const text of Object.values(original?.texts ?? {})) if (text !== null) blobs.put(text)
      const { answerProduced } = importedAttempt.termination
      const answers = original?.answers ?? { answerText: answerProduced ? foreign.answerText : null }
      const { answerText } = answers
      const sight = readLogSight(foreign, blobs)
      const { attempt, scores, seenDocuments } =
        task === null || measure === null
          ? {
              attempt: importedAttempt,
              scores: listOriginalScores(foreign, importedAttempt),
              seenDocuments: null,
            }
          : await measure({ attempt: importedAttempt, task, answerText, sight })
      if (scores.some(({ status }) => status === 'scored')) scored++
      const seenHash = seenDocuments === null ? null : storeSeenDocuments(seenDocuments, blobs)
      await writeTrace(foreign, { attempt, sight, seenHash }, { folder, blobs, secrets })
      const leaks = listTraceLeaks(original?.events ?? [], attempt)
      await run.append(clean(attempt), clean(scores), clean(answers), leaks)
      for (const { scorer } of scores) scorers.add(scorer)
    }
    await run.writeManifest(await makeManifest(logs, importedAt, [...scorers]))
  } finally {
    await run.close()
  }
  return scored
}

/** Writes the trace of an imported attempt. */
async function writeTrace(
  foreign: ForeignAttempt,
  facts: TraceFacts,
  place: { readonly folder: string; readonly blobs: BlobStore; readonly secrets: readonly string[] },
): Promise<void> {
  const { attemptId, startedAt } = facts.attempt
  let now = Date.parse(startedAt)
  const trace = await openTrace({ ...place, attemptId, clock: { ...systemClock, now: () => now } })
  if (foreign.original === undefined)
    emitTrace(trace, foreign, facts, time => {
      now = Date.parse(time)
    })
  else emitOriginalTrace(trace, foreign.original.events, facts.seenHash)
  await trace.close()
}

async function makeManifest(
  logs: LogsToWrite,
  importedAt: string,
  scorers: readonly string[],
): Promise<ImportManifest> {
  const { format, files, records, skipped, config, gold } = logs
  const scoring =
    config === null || gold === null
      ? null
      : {
          config: { ...withoutAddresses({ ...config }), scorer: gold.scorers },
          inputs: await hashTaskInputs(config),
        }
  return {
    source: 'import',
    recordVersion,
    runId: randomUUID(),
    tablehunt: packageVersion,
    command: ['logs', 'import', format, ...files],
    startedAt: importedAt,
    endedAt: importedAt,
    config: { ...scoring?.config, imported: format, files: files.map(file => basename(file)) },
    identity: {},
    ...(scoring === null ? {} : { inputs: scoring.inputs }),
    ...(scorers.length > 0 && { scorers: listScorerMetrics(scorers) }),
    platform: describePlatform(),
    planned: records.length,
    skippedTasks: skipped.map(({ place, line, problem }) => ({ line, recordId: place, problem })),
  }
}
