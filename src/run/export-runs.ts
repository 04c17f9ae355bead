import { readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type BlobReader, type BlobStore, createBlobStore } from '../../logs/blobs.ts'
import { ConfigError, DataError } from '../core/errors.ts'
import { groupBy } from '../core/group-by.ts'
import { createTextIndexes } from '../evidence/text-index.ts'
import { reportArms } from '../report/model/arms.ts'
import { requireWritable } from '../system/files.ts'
import { lruCache } from '../system/lru-cache.ts'
import { writeInspectLogs, writeTrajectories } from './export/agent-logs.ts'
import { writeRunFiles } from './export/browsecomp-plus.ts'
import type { ExportedAttempt, ExportedRun } from './export/table.ts'
import { type ExportedFile, exportFormats, writeTables } from './export/write-tables.ts'
import { readAnswers } from './records/answer-files.ts'
import { readDamagedFilesNotice } from './records/attempt-files.ts'
import { listTaintedAttempts, readLeaks } from './records/leaks.ts'
import { readSeenDocuments } from './records/seen-documents.ts'
import { traceSource } from './records/trace-source.ts'
import { type LoadedReport, readReport } from './report-run.ts'
import { runNames } from './run-names.ts'

/** Formats of other programs, with what writes them. */
const writeLogs = {
  atif: writeTrajectories,
  inspect: writeInspectLogs,
  'browsecomp-plus': writeRunFiles,
} as const
type LogFormat = keyof typeof writeLogs

/** What `export --format` accepts: formats of tables, and of other programs. The first is the default. */
export const exportChoices = [...exportFormats, ...(Object.keys(writeLogs) as LogFormat[])] as const

function isLogFormat(format: (typeof exportChoices)[number]): format is LogFormat {
  return Object.hasOwn(writeLogs, format)
}

/** Where an export is written, and how. */
export interface ExportOptions {
  /** A new or empty folder. */
  readonly to: string
  readonly format: (typeof exportChoices)[number]
}

/** What an export wrote. */
export interface ExportResult {
  readonly files: readonly ExportedFile[]
  /** One line for each limitation, such as a missing trace. */
  readonly notices: readonly string[]
}

/**
 * Writes the records and traces of runs as flat tables, one file for each table, or as logs in the format of another program.
 *
 * @throws DataError [not-a-run, damaged-record, invalid-record] ConfigError [folder-not-empty, folder-not-writable,
 * run-twice]
 */
export async function exportRuns(
  folders: readonly string[],
  { to, format }: ExportOptions,
): Promise<ExportResult> {
  requireDistinct(folders)
  const loaded = await Promise.all(folders.map(folder => readReport(folder)))
  await requireWritable('--to', to)
  if ((await readdir(to)).length > 0)
    throw new ConfigError(`--to ${to}: the folder is not empty. Name a new or empty folder with --to.`, {
      code: 'folder-not-empty',
    })
  const names = runNames(folders)
  const runs = loaded.map((run, at) => makeExportedRun(run, names[at]!))
  // Formats of other programs need no tasks.
  const notices = isLogFormat(format) ? [] : loaded.flatMap((run, at) => describeMissingTasks(run, runs[at]!))
  for (const folder of folders)
    notices.push(...[await readDamagedFilesNotice(folder)].filter(text => text !== null))
  const untraced = new Map<string, number>()
  async function* attempts(): AsyncGenerator<ExportedAttempt> {
    for (const [at, run] of loaded.entries())
      for await (const attempt of readAttempts(run, runs[at]!)) {
        if (attempt.events === null) untraced.set(run.folder, (untraced.get(run.folder) ?? 0) + 1)
        yield attempt
      }
  }
  if (isLogFormat(format)) {
    const { files, notices: logNotices } = await writeLogs[format](attempts(), to)
    return { files, notices: [...notices, ...logNotices] }
  }
  const files = await writeTables({ runs, attempts }, to, format)
  for (const [folder, count] of untraced)
    notices.push(
      `${folder}: ${count} attempts have no readable trace. They have no rows in events, calls, searches and fetches.`,
    )
  return { files, notices }
}

function requireDistinct(folders: readonly string[]): void {
  const twice = folders.find(
    (folder, at) => folders.findIndex(earlierFolder => resolve(earlierFolder) === resolve(folder)) < at,
  )
  if (twice === undefined) return
  throw new ConfigError(
    `${twice}: the run is named twice, so each row would be exported twice. Name it once.`,
    { code: 'run-twice' },
  )
}

function makeExportedRun({ report, limits, tasks, records }: LoadedReport, name: string): ExportedRun {
  const taskIds = new Set(records.attempts.map(({ taskId }) => taskId))
  return { name, report, limits, tasks: new Map([...tasks].filter(([taskId]) => taskIds.has(taskId))) }
}

function describeMissingTasks({ folder, records }: LoadedReport, { tasks }: ExportedRun): string[] {
  const without = records.attempts.filter(({ taskId }) => !tasks.has(taskId)).length
  if (without === 0) return []
  return [
    `${folder}: the tasks of ${without} attempts are missing or have changed. Their items have no key columns, documents and pages. Run the command in the folder in which the run was begun.`,
  ]
}

/** Texts with so many characters together are indexed: about those of one task. */
const indexedChars = 6_000_000
/** So many stored texts are kept. */
const cachedTextCount = 50

/**
 * Reads the attempts of a run one at a time, so that a run of any size fits into memory. The attempts of a task come
 * together, because most of them see the same documents.
 */
async function* readAttempts(
  { folder, records, wholeOf }: LoadedReport,
  run: ExportedRun,
): AsyncGenerator<ExportedAttempt> {
  const { eventsOf, blob } = traceSource(folder)
  const indexes = createTextIndexes(indexedChars)
  const blobs = makeTextKeeper(createBlobStore({ folder }))
  const tainted = listTaintedAttempts(await readLeaks(folder))
  const { idOf } = reportArms(records.attempts)
  const byTask = groupBy(records.attempts, ({ taskId }) => taskId)
  for (const summary of [...byTask.values()].flat()) {
    const { attemptId, taskId, facets } = summary
    const { attempt, scores } = await wholeOf(attemptId)
    const seenDocuments = await readSeenDocuments(folder, attemptId, blobs)
    yield {
      run,
      attempt: facets === undefined ? attempt : { ...attempt, facets },
      scores,
      arm: idOf(attempt),
      readAnswers: () => readAnswers(folder, attempt).catch(dataErrorAsNull),
      isTainted: tainted.has(attemptId),
      events: await eventsOf(attemptId),
      task: run.tasks.get(taskId) ?? null,
      seenDocuments: 'missingBecause' in seenDocuments ? null : seenDocuments,
      indexes,
      blob,
    }
  }
}

function dataErrorAsNull(error: unknown): null {
  if (error instanceof DataError) return null
  throw error
}

/** Keeps the texts that were read last. */
function makeTextKeeper(blobs: BlobStore): BlobReader {
  const remember = lruCache<string>(cachedTextCount)
  return { get: hash => remember(hash, () => blobs.get(hash)) }
}
