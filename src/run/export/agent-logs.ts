import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createTrajectory } from '../../../logs/export/atif.ts'
import type { ExportedLog } from '../../../logs/export/exported-log.ts'
import { createSample } from '../../../logs/export/inspect.ts'
import { createHeader, readSampleFacts, type SampleFacts } from '../../../logs/export/inspect-header.ts'
import { conversationTexts } from '../../../logs/import/foreign-log.ts'
import { createOriginal } from '../../../logs/original-record.ts'
import { readTraceMessages } from '../../../logs/trace-messages.ts'
import type { Attempt } from '../../core/attempt.ts'
import { createZipWriter, type ZipWriter } from '../../system/zip-writer.ts'
import type { ExportedAttempt } from './table.ts'
import { createGroupNames, type WrittenLogs, writeAttempts } from './write-attempts.ts'

/** Writes one ATIF trajectory for each attempt, in a folder for each run. */
export async function writeTrajectories(
  attempts: AsyncIterable<ExportedAttempt>,
  to: string,
): Promise<WrittenLogs> {
  const notices: string[] = []
  const files = await writeAttempts(attempts, to, async exported => ({
    group: [exported.run.name],
    name: exported.attempt.attemptId,
    content: createTrajectory(await makeExportedLog(exported, notices)),
  }))
  return { files, notices }
}

/** An Inspect log that is being written. */
interface OpenLog {
  readonly runId: string
  readonly arm: string
  readonly first: Attempt
  readonly path: string
  /** The descriptor of the file; null when it is closed. */
  file: number | null
  readonly zip: ZipWriter
  readonly samples: SampleFacts[]
  readonly summaries: unknown[]
}

/** Writes one Inspect log (.eval) for each arm of each run. The files get their names when all are complete. */
export async function writeInspectLogs(
  attempts: AsyncIterable<ExportedAttempt>,
  to: string,
): Promise<WrittenLogs> {
  const logs = new Map<string, OpenLog>()
  const groupName = createGroupNames()
  const notices: string[] = []
  try {
    for await (const exported of attempts) {
      const name = groupName([exported.run.name, exported.arm])
      const log = logs.get(name) ?? openLog(exported, join(to, `${name}.eval`))
      logs.set(name, log)
      addSample(log, await makeExportedLog(exported, notices))
    }
    for (const log of logs.values()) endLog(log)
    closeFiles(logs)
    for (const { path } of logs.values()) await rename(namePartialFile(path), path)
  } catch (error) {
    closeFiles(logs)
    for (const { path } of logs.values()) {
      await rm(namePartialFile(path), { force: true })
    }
    throw error
  }
  const files = [...logs.values()].map(({ path, samples }) => ({
    path,
    rows: samples.length,
    noun: 'samples',
  }))
  return { files, notices }
}

/** Closes the files that are still open. */
function closeFiles(logs: ReadonlyMap<string, OpenLog>): void {
  for (const log of logs.values()) {
    if (log.file !== null) closeSync(log.file)
    log.file = null
  }
}

const namePartialFile = (path: string): string => `${path}.part`

function openLog({ run, arm, attempt }: ExportedAttempt, path: string): OpenLog {
  const file = openSync(namePartialFile(path), 'w')
  return {
    runId: run.report.run.runId,
    arm,
    first: attempt,
    path,
    file,
    zip: createZipWriter(bytes => writeFileSync(file, bytes)),
    samples: [],
    summaries: [],
  }
}

function addSample({ zip, samples, summaries }: OpenLog, log: ExportedLog): void {
  const { name, sample, summary } = createSample(log)
  zip.add(name, Buffer.from(JSON.stringify(sample)))
  samples.push(readSampleFacts(log))
  summaries.push(summary)
}

function endLog({ zip, file, summaries, ...facts }: OpenLog): void {
  const header = createHeader(facts)
  const { version, eval: spec, plan } = header
  const files = {
    '_journal/start.json': { version, eval: spec, plan },
    'summaries.json': summaries,
    'header.json': header,
  }
  for (const [name, value] of Object.entries(files)) zip.add(name, Buffer.from(JSON.stringify(value)))
  zip.end()
  if (file !== null) fsyncSync(file)
}

async function makeExportedLog(exported: ExportedAttempt, notices: string[]): Promise<ExportedLog> {
  const { run, attempt, scores, blob } = exported
  if (exported.events === null)
    notices.push(`${attempt.attemptId}: the trace cannot be read. Its log has the answer only.`)
  const events = exported.events ?? []
  const answers = await exported.readAnswers()
  if (answers === null)
    notices.push(`${attempt.attemptId}: the answer as written is missing or has changed. Its log has none.`)
  const messages = readTraceMessages(events, blob)
  const hashes = attempt.files?.flatMap(({ name }) => /^traces\/blobs\/(.*)$/.exec(name)?.[1] ?? []) ?? []
  const texts = Object.fromEntries(
    hashes.flatMap(hash => {
      const text = blob(hash)
      return text === null ? [] : [[hash, text]]
    }),
  )
  const started = events.find(event => event.type === 'attempt-started')
  const facts = {
    attempt,
    scores: [...scores],
    answers: answers ?? { answerText: null },
    events: [...events],
    texts,
  }
  return {
    run: run.name,
    attempt,
    scores,
    messages,
    caps: started?.caps ?? {},
    answerText: answers?.answerText ?? null,
    original: createOriginal(facts, conversationTexts(messages)),
  }
}
