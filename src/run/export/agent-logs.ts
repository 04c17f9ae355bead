import { createWriteStream, type WriteStream } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { finished } from 'node:stream/promises'
import { createTrajectory } from '../../../logs/export/atif.ts'
import type { ExportedLog } from '../../../logs/export/exported-log.ts'
import {
  createHeader,
  createSample,
  readSampleFacts,
  type SampleFacts,
} from '../../../logs/export/inspect.ts'
import { conversationTexts } from '../../../logs/import/foreign-log.ts'
import { createOriginal } from '../../../logs/original-record.ts'
import { readTraceMessages } from '../../../logs/trace-messages.ts'
import type { Attempt } from '../../core/attempt.ts'
import { createZipWriter } from '../../system/zip.ts'
import { fileName } from './browsecomp-plus.ts'
import type { ExportedAttempt } from './table.ts'
import type { ExportedFile } from './write-tables.ts'

/** What an export of logs wrote. */
interface WrittenLogs {
  readonly files: ExportedFile[]
  readonly notices: string[]
}

/** Writes one ATIF trajectory for each attempt, in a folder for each run. */
export async function writeTrajectories(
  attempts: AsyncIterable<ExportedAttempt>,
  to: string,
): Promise<WrittenLogs> {
  const counts = new Map<string, number>()
  const notices: string[] = []
  for await (const exported of attempts) {
    const folder = join(to, fileName(exported.run.name))
    await mkdir(folder, { recursive: true })
    const log = await toExportedLog(exported, notices)
    const text = `${JSON.stringify(createTrajectory(log), null, 2)}\n`
    await writeFile(join(folder, `${exported.attempt.attemptId}.json`), text)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return { files: [...counts].map(([path, rows]) => ({ path, rows, noun: 'files' })), notices }
}

/** An Inspect log that is being written. */
interface OpenLog {
  readonly runId: string
  readonly arm: string
  readonly first: Attempt
  readonly path: string
  readonly stream: WriteStream
  readonly zip: ReturnType<typeof createZipWriter>
  readonly samples: SampleFacts[]
  readonly summaries: unknown[]
}

/** Writes one Inspect log (.eval) for each arm of each run. The files get their names when all are complete. */
export async function writeInspectLogs(
  attempts: AsyncIterable<ExportedAttempt>,
  to: string,
): Promise<WrittenLogs> {
  const logs = new Map<string, OpenLog>()
  const notices: string[] = []
  try {
    for await (const exported of attempts) {
      const name = `${fileName(exported.run.name)}-${fileName(exported.arm)}`
      const log = logs.get(name) ?? openLog(exported, join(to, `${name}.eval`))
      logs.set(name, log)
      await addSample(log, await toExportedLog(exported, notices))
    }
    for (const log of logs.values()) await closeLog(log)
    for (const { path } of logs.values()) await rename(partialPath(path), path)
  } catch (error) {
    for (const { path, stream } of logs.values()) {
      stream.destroy()
      await rm(partialPath(path), { force: true })
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

const partialPath = (path: string): string => `${path}.part`

function openLog({ run, arm, attempt }: ExportedAttempt, path: string): OpenLog {
  return {
    ...{ runId: run.report.run.runId, arm, first: attempt, path },
    stream: createWriteStream(partialPath(path)),
    zip: createZipWriter(),
    ...{ samples: [], summaries: [] },
  }
}

async function addSample({ zip, stream, samples, summaries }: OpenLog, log: ExportedLog): Promise<void> {
  const { name, sample, summary } = createSample(log)
  await write(stream, zip.add(name, JSON.stringify(sample)))
  samples.push(readSampleFacts(log))
  summaries.push(summary)
}

async function closeLog({ zip, stream, summaries, ...facts }: OpenLog): Promise<void> {
  const header = createHeader(facts)
  const { version, eval: spec, plan } = header
  const files = {
    '_journal/start.json': { version, eval: spec, plan },
    'summaries.json': summaries,
    'header.json': header,
  }
  for (const [name, value] of Object.entries(files)) await write(stream, zip.add(name, JSON.stringify(value)))
  stream.end(zip.end())
  await finished(stream)
}

async function write(stream: WriteStream, bytes: Buffer): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    stream.write(bytes, error => (error ? reject(error) : resolve()))
  })
}

async function toExportedLog(exported: ExportedAttempt, notices: string[]): Promise<ExportedLog> {
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
    ...{ run: run.name, attempt, scores, messages, caps: started?.caps ?? {} },
    answerText: answers?.answerText ?? null,
    original: createOriginal(facts, conversationTexts(messages)),
  }
}
