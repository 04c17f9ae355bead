import { open, readFile } from 'node:fs/promises'
import { dirname } from 'node:path/posix'
import { DataError } from '../../src/core/errors.ts'
import { openZip, type ZipFile } from '../../src/system/zip.ts'
import { isObject } from '../../src/text/json.ts'
import { joinToOneLine, readFirstLine } from '../../src/text/plain-text.ts'
import { entryName, inspectSampleSchema, sampleName } from './inspect-log.ts'
import { parseJson, readJsonValue } from './json-records.ts'

/** One attempt in a log. */
interface SampleFile {
  /** `ID#EPOCH`, known even when the sample is unreadable; null when no id is found. */
  readonly name: string | null
  /** Parses the sample. */
  readonly read: () => unknown
}

/** A log whose samples are not parsed yet. */
interface InspectFile {
  /** The parts of the log that concern all samples. */
  readonly header: unknown
  readonly samples: readonly SampleFile[]
}

const namedSchema = inspectSampleSchema.pick({ id: true, epoch: true }).catch({})

function readSampleName(sample: unknown): string | null {
  const { id, epoch } = namedSchema.parse(sample)
  return sampleName(id, epoch)
}

/**
 * Opens a .json log or an .eval archive, which contains header.json (_journal/start.json while the run is active)
 * and samples/*.json.
 */
export async function openLog(path: string): Promise<InspectFile> {
  if (!(await isArchive(path))) {
    const log = await asJson(readJsonValue(path), path)
    if (!isObject(log)) throw notInspectLog(path, 'it is not a JSON object')
    const samples = Array.isArray(log.samples) ? (log.samples as unknown[]) : []
    return {
      header: log,
      samples: samples.map(sample => ({ name: readSampleName(sample), read: () => sample })),
    }
  }
  const entries = openArchive(await readFile(path), path)
  const readEntry = (entry: ZipFile) =>
    asJson(
      Promise.resolve().then(() => parseJson(unpackText(entry, path).replace(/^\uFEFF/, ''))),
      `${path}: ${entry.name}`,
    )
  const header = entries.get('header.json')
  const start = entries.get('_journal/start.json')
  if (header === undefined && start === undefined)
    throw notInspectLog(path, 'it does not contain header.json')
  const samples = [...entries.values()].filter(({ name }) => /^samples\/.*\.json$/.test(name))
  const chunked = samples.filter(({ name }) => /_epoch_\d+\/sample\.json$/.test(name))
  const folders = chunked.map(({ name }) => dirname(name))
  const whole = samples.filter(({ name }) => !folders.some(folder => name.startsWith(`${folder}/`)))
  return {
    header:
      header === undefined
        ? { ...((await readEntry(start!)) as object), status: 'started' }
        : await readEntry(header),
    samples: [
      ...whole.map(entry => ({ name: entryName(entry.name), read: () => readEntry(entry) })),
      ...folders.map(folder => ({
        name: entryName(folder),
        read: () => {
          throw new DataError(`${path}: ${folder}: samples stored in chunks are not supported`, {
            code: 'unsupported-archive',
          })
        },
      })),
    ],
  }
}

/** Whether a file begins as a ZIP archive. */
async function isArchive(path: string): Promise<boolean> {
  const file = await open(path).catch((cause: NodeJS.ErrnoException) => {
    throw new DataError(`${path}: the log cannot be read (${cause.code})`, { code: 'unreadable-log', cause })
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return bytesRead === 4 && buffer.readUInt32LE(0) === 0x04034b50
  } finally {
    await file.close()
  }
}

/** Samples of logs are much smaller. */
const maxSampleBytes = 256 * 1024 * 1024

/** The files of an archive by name. */
function openArchive(bytes: Uint8Array, path: string): ReadonlyMap<string, ZipFile> {
  try {
    return openZip(bytes, maxSampleBytes)
  } catch (cause) {
    throw new DataError(
      `${path}: not a readable ZIP archive (${readFirstLine(cause)}). Copy the log again.`,
      { cause, code: 'damaged-zip' },
    )
  }
}

function unpackText(file: ZipFile, path: string): string {
  try {
    return file.text()
  } catch (cause) {
    const fix = `'inspect log convert --to json --output-dir DIR' writes a log that can be read`
    throw new DataError(`${path}: ${file.name}: cannot be unpacked: ${readFirstLine(cause)}. ${fix}.`, {
      cause,
      code: 'damaged-zip',
    })
  }
}

/** Creates the error of a file that is no log of Inspect AI. `why` completes a sentence. */
export function notInspectLog(path: string, why: string): DataError {
  return new DataError(`${path}: not an Inspect AI log: ${why}; check the format`, {
    code: 'wrong-log-format',
  })
}

/** @throws DataError `not-json` that names the place */
async function asJson(value: unknown, place: string): Promise<unknown> {
  try {
    return await value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new DataError(`${place}: not JSON: ${joinToOneLine(error.message)}`, { code: 'not-json' })
  }
}
