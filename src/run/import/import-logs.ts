import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { arch, platform, release } from 'node:os'
import { basename, join } from 'node:path'
import { createBlobStore } from '../../../logs/blobs.ts'
import type { ForeignAttempt } from '../../../logs/import/foreign-log.ts'
import { logFormats } from '../../../logs/import/registry.ts'
import { openTrace } from '../../../logs/writer.ts'
import type { Attempt, Usage } from '../../core/attempt.ts'
import { ConfigError, DataError } from '../../core/errors.ts'
import { systemClock } from '../../core/runtime.ts'
import { answerKinds } from '../../score/kinds/registry.ts'
import { requireWritable } from '../../system/files.ts'
import { sha256 } from '../../system/hash.ts'
import { packageVersion } from '../../system/paths.ts'
import { unknownUsage } from '../attempt/unknown-usage.ts'
import { type AttemptKey, attemptIdOf } from '../plan/plan.ts'
import { type ImportManifest, recordVersion } from '../records/manifest.ts'
import { RunFolder } from '../records/run-folder.ts'
import { countCalls, emitTrace, turnsOf } from './import-trace.ts'

/** The result of an import. */
export interface ImportSummary {
  readonly attempts: number
  /** Records that could not be read, with place and reason. */
  readonly skipped: readonly { readonly place: string; readonly problem: string }[]
  /** The number of attempts with an unknown termination, by the log's own words. */
  readonly unmapped: ReadonlyMap<string, number>
}

/**
 * Imports other agents' logs into a run's folder. `report`, `compare`, `view` and `logs` then read them like a run. Facts
 * that the logs do not contain are null.
 *
 * @param format the name of a log format
 * @throws ConfigError [folder-not-empty, unknown-log-format, folder-not-writable] DataError [no-attempts-in-logs]
 */
export async function importLogs(
  format: string,
  files: readonly string[],
  folder: string,
): Promise<ImportSummary> {
  if (existsSync(join(folder, 'manifest.json')))
    throw new ConfigError(`--out ${folder}: the folder already contains a run. Name a new folder.`, {
      code: 'folder-not-empty',
    })
  const read = await logFormats.get(format).load()
  const records: ForeignRecord[] = []
  const skipped: { readonly place: string; readonly line: number; readonly problem: string }[] = []
  for (const file of files) {
    for await (const record of read(file)) {
      const { line } = record
      const place = `${basename(file)}:${line}`
      if ('attempt' in record) records.push({ place, attempt: record.attempt })
      else skipped.push({ place, line, problem: record.problem })
    }
  }
  if (records.length === 0) {
    const [first] = skipped
    const why = first === undefined ? 'the files contain no records' : `${first.place}: ${first.problem}`
    throw new DataError(
      `no attempt could be imported: ${why}. Check that the format of the files is ${format}.`,
      {
        code: 'no-attempts-in-logs',
      },
    )
  }
  await requireWritable('--out', folder)
  await writeRun({ format, files, folder, records, skipped })
  const unmapped = new Map<string, number>()
  for (const { attempt } of records) {
    if (attempt.end.cause !== 'unknown') continue
    const words = attempt.end.detail ?? '(not given)'
    unmapped.set(words, (unmapped.get(words) ?? 0) + 1)
  }
  return { attempts: records.length, skipped, unmapped }
}

/** The records that were read from the logs, and the folder that they are written to. */
interface ReadLogs {
  readonly format: string
  readonly files: readonly string[]
  readonly folder: string
  readonly records: readonly ForeignRecord[]
  readonly skipped: readonly { readonly place: string; readonly line: number; readonly problem: string }[]
}

interface ForeignRecord {
  readonly place: string
  readonly attempt: ForeignAttempt
}

interface ImportInProgress {
  readonly format: string
  readonly importedAt: string
  /** Ids of the attempts that are already written. */
  readonly taken: Set<string>
}

async function writeRun(logs: ReadLogs): Promise<void> {
  const { format, folder, records } = logs
  const importedAt = new Date().toISOString()
  const run = await RunFolder.open(folder)
  try {
    const blobs = createBlobStore({ folder })
    const taken = new Set<string>()
    for (const record of records) {
      const { attempt: foreign } = record
      const attempt = recordOf(record, { format, importedAt, taken })
      let now = Date.parse(attempt.startedAt)
      const clock = { ...systemClock, now: () => now }
      const trace = await openTrace({ folder, attemptId: attempt.attemptId, clock, blobs, secrets: [] })
      emitTrace(trace, foreign, attempt, time => {
        now = Date.parse(time)
      })
      await trace.close()
      await run.append(attempt, [], {
        answerText: attempt.termination.answerProduced ? foreign.answerText : null,
      })
    }
    await run.writeManifest(manifestOf(logs, importedAt))
  } finally {
    await run.close()
  }
}

/** Makes an attempt record. External agents search for their documents, so the setting is online unless the log says otherwise. */
function recordOf(
  { place, attempt: foreign }: ForeignRecord,
  { format, importedAt, taken }: ImportInProgress,
): Attempt {
  const { end, question } = foreign
  const sourceId = foreign.sourceId ?? place
  const taskId =
    foreign.taskId ?? (question === null ? sourceId : `q-${sha256(question.trim()).slice(0, 12)}`)
  const setting = foreign.setting ?? 'online'
  const model = foreign.model ?? format
  const key = { taskId, setting, model, trial: foreign.trial ?? 0, variant: '' }
  const { attemptId, trial } = freeId(key, taken)
  const text = end.answered && (foreign.answerText ?? '').trim() !== '' ? foreign.answerText : null
  const { cause, reason, forcedFinal, detail } = end
  const lastHealthyStep = turnsOf(foreign)
  return {
    attemptId,
    sourceId,
    taskId,
    benchmark: foreign.benchmark ?? format,
    domain: foreign.domain ?? 'imported',
    language: languageOf(question ?? text ?? ''),
    setting,
    variant: '',
    model,
    trial,
    seed: 0,
    startedAt: foreign.startedAt ?? importedAt,
    endedAt: foreign.endedAt ?? foreign.startedAt ?? importedAt,
    termination: {
      ...({ cause, reason } as Pick<Attempt['termination'], 'cause' | 'reason'> & typeof end),
      answerProduced: text !== null,
      forcedFinal,
      lastHealthyStep,
      detail,
    },
    usage: usageOf(foreign),
    answer: answerKinds.table.read(text ?? ''),
    context: null,
    discovery: null,
    retrieval: null,
  }
}

/** Returns a free id. Two records of the same task and model become two trials. */
function freeId(wanted: AttemptKey, taken: Set<string>): { attemptId: string; trial: number } {
  for (let { trial } = wanted; ; trial++) {
    const attemptId = attemptIdOf({ ...wanted, trial })
    if (taken.has(attemptId)) continue
    taken.add(attemptId)
    return { attemptId, trial }
  }
}

/** Returns Chinese when at least 30% of the letters are Chinese. */
function languageOf(text: string): 'zh' | 'en' {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0
  return letters > 0 && han / letters >= 0.3 ? 'zh' : 'en'
}

/** Takes the usage from the log. Calls that the log does not count are counted in its messages. */
function usageOf(foreign: ForeignAttempt): Usage {
  const counted = foreign.messages.length === 0 ? {} : countCalls(foreign.messages)
  const said = Object.entries(foreign.usage).filter(([, value]) => value !== undefined)
  return { ...unknownUsage, ...counted, ...Object.fromEntries(said) }
}

function manifestOf({ format, files, records, skipped }: ReadLogs, importedAt: string): ImportManifest {
  return {
    source: 'import',
    recordVersion,
    runId: randomUUID(),
    tablehunt: packageVersion,
    command: ['logs', 'import', format, ...files],
    startedAt: importedAt,
    endedAt: importedAt,
    config: { imported: format, files: files.map(file => basename(file)) },
    identity: {},
    platform: { node: process.version, os: `${platform()} ${release()}`, arch: arch() },
    planned: records.length,
    skippedTasks: skipped.map(({ place, line, problem }) => ({ line, recordId: place, problem })),
  }
}
