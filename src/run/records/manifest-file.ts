import { existsSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { recordVersion } from '../../core/attempt.ts'
import { ConfigError, DataError } from '../../core/errors.ts'
import { describeZodProblem } from '../../core/zod-problems.ts'
import { writeFileDurably } from '../../system/atomic-write.ts'
import { ifMissing, requireRegularFile } from '../../system/files.ts'
import { hasValidRecordChecksum, withRecordChecksum } from '../../system/record-checksum.ts'
import { isObject, parseJsonOrNull } from '../../text/json.ts'
import { type Manifest, manifestSchema, type RunManifest } from './manifest.ts'

/**
 * Reads the manifest of a run, or of imported logs.
 *
 * @throws DataError [not-a-run, damaged-manifest, other-record-version]
 */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, 'manifest.json')
  await requireRegularFile(path)
  const text = await readFile(path, 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    const isThere = code !== 'ENOENT' && code !== 'ENOTDIR'
    const missing = existsSync(folder)
      ? 'this folder contains no run (manifest.json is missing)'
      : 'there is no such folder or file'
    throw new DataError(
      isThere
        ? `${path} cannot be read (${code}). Correct its permissions.`
        : `${folder}: ${missing}. Name the folder that \`run --out\` wrote${extname(folder) === '.zip' ? ', or the file that `pack` wrote' : ''}.`,
      { code: 'not-a-run' },
    )
  })
  const value = parseJsonOrNull(text)
  requireRecordVersion(folder, value)
  const manifest = manifestSchema.safeParse(value)
  if (manifest.success && hasValidRecordChecksum(value)) return manifest.data
  const isCut = value === null && text.trim() !== 'null'
  const where = isCut
    ? 'it is cut off, or no JSON'
    : manifest.success
      ? 'its checksum does not match'
      : describeZodProblem(manifest.error, 'it')
  throw new DataError(
    `${path} is damaged: ${where}. Run the command that made the run again: it makes the manifest again from its options and the records.`,
    { code: 'damaged-manifest' },
  )
}

/** Refuses the folder of another version, whose records have other fields. */
function requireRecordVersion(folder: string, manifest: unknown): void {
  if (!isObject(manifest) || !('tablehunt' in manifest) || manifest.recordVersion === recordVersion) return
  const version = typeof manifest.tablehunt === 'string' ? `version ${manifest.tablehunt}` : 'another version'
  throw new DataError(
    `${folder}: ${version} of Tablehunt made this folder, and its records have other fields (records ${manifest.recordVersion ?? 1}, here ${recordVersion}). Read it with that version, or make the run again in another folder.`,
    { code: 'other-record-version' },
  )
}

/**
 * Reads the manifest of a run.
 *
 * @throws ConfigError [imported-logs] DataError [not-a-run, damaged-manifest]
 */
export async function readRunManifest(folder: string): Promise<RunManifest> {
  const manifest = await readManifest(folder)
  if (manifest.source === 'run') return manifest
  throw new ConfigError(
    `${folder} contains imported logs, whose attempts cannot be made here. Choose another --out.`,
    { code: 'imported-logs' },
  )
}

/** What a folder contains when a run begins in it. */
export type EarlierRun =
  | { readonly kind: 'none' }
  | { readonly kind: 'run'; readonly manifest: RunManifest }
  /** Attempts whose manifest is missing or damaged. */
  | { readonly kind: 'manifest-lost' }

/**
 * Finds out what a folder contains before a run begins in it.
 *
 * @throws ConfigError [imported-logs] DataError [not-a-run] when the manifest cannot be read
 */
export async function findEarlierRun(folder: string): Promise<EarlierRun> {
  const path = join(folder, 'manifest.json')
  try {
    if (existsSync(path)) return { kind: 'run', manifest: await readRunManifest(folder) }
  } catch (error) {
    if (!(error instanceof DataError && error.code === 'damaged-manifest')) throw error
  }
  const size = (await stat(join(folder, 'attempts.jsonl')).catch(ifMissing))?.size ?? 0
  return size === 0 ? { kind: 'none' } : { kind: 'manifest-lost' }
}

/** Replaces the manifest of a run. The caller holds the run's lock. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  const lines = JSON.stringify(JSON.parse(withRecordChecksum(manifest)), null, 2)
  await writeFileDurably(join(folder, 'manifest.json'), `${lines}\n`)
}
