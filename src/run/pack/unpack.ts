import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, mkdtemp, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32 } from 'node:zlib'
import { z } from 'zod/v4'
import { DataError } from '../../core/errors.ts'
import { sha256 } from '../../system/hash.ts'
import { hasValidTextChecksum } from '../../system/record-checksum.ts'
import { removeFolder } from '../../system/remove-folder.ts'
import { type OpenZipFile, openZipFile, type ZipFile } from '../../system/zip.ts'
import { isObject, parseJsonOrNull } from '../../text/json.ts'
import { readManifest, writeManifest } from '../records/manifest-file.ts'
import { readEntityPath } from './crate.ts'
import { crateName, isSafeName, type Pack, packedPrefix, packName, packSchema } from './pack-layout.ts'

/** A file of a pack that is not as the pack says. */
export interface PackDamage {
  readonly name: string
  readonly problem: string
}

/** A pack in a temporary folder. */
export interface UnpackedPack {
  /** The pack's file. */
  readonly path: string
  readonly folder: string
  readonly pack: Pack
  /** SHA-256 of pack.json. */
  readonly identity: string
  readonly files: number
  readonly bytes: number
  /** Files that are not as the pack says. Their runs should not be relied on. */
  readonly damages: readonly PackDamage[]
  /** Removes the folder. */
  close(): Promise<void>
}

/** Packs with more files or more bytes are not unpacked. */
export const packLimits = { files: 5_000_000, bytes: 50_000_000_000, metadataBytes: 500_000_000 }

/**
 * Unpacks a pack into a temporary folder, and compares every file with its hash. No file leaves the folder, and none becomes
 * larger than the archive states.
 *
 * @param limits the most files and bytes
 * @throws DataError [not-a-pack, unsafe-pack, pack-too-large]
 */
export async function unpackPack(path: string, limits = packLimits): Promise<UnpackedPack> {
  const archive = openArchive(path, limits.metadataBytes)
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-unpacked-'))
  try {
    const { pack, crate, text } = readDescription(path, archive)
    await requireLimits(path, archive, { ...limits, folder })
    const damages = await unpackFiles(path, folder, { archive, pack, crate })
    for (const run of pack.runs) await localizeManifest(folder, run.folder)
    return {
      ...{ path, folder, pack, damages },
      identity: sha256(text),
      files: archive.files.size,
      bytes: totalBytes(archive),
      close: async () => void (await removeFolder(folder)),
    }
  } catch (error) {
    await removeFolder(folder)
    throw error
  } finally {
    archive.close()
  }
}

const makeNotAPackError = (path: string, problem: string, cause?: unknown): DataError =>
  new DataError(`${path}: ${problem}. Name the folder of a run, or a file that tablehunt pack wrote.`, {
    code: 'not-a-pack',
    cause,
  })

function openArchive(path: string, maxFileBytes: number): OpenZipFile {
  try {
    return openZipFile(path, maxFileBytes)
  } catch (error) {
    throw makeNotAPackError(path, `no pack: ${(error as Error).message}`, error)
  }
}

/** Reads pack.json. A changed byte in it, or a missing checksum, is an error: nothing else could be relied on. */
function readDescription(
  path: string,
  { files }: OpenZipFile,
): { readonly pack: Pack; readonly text: string; readonly crate: string } {
  const read = (name: string): string => {
    const file = files.get(name)
    if (file === undefined) throw makeNotAPackError(path, `${name} is missing`)
    try {
      return file.text()
    } catch (error) {
      throw makeNotAPackError(path, `${name} is damaged: ${(error as Error).message}`, error)
    }
  }
  const text = read(packName)
  const line = text.replace(/\n$/, '')
  const value = parseJsonOrNull(line)
  if (!isObject(value) || !('checksum' in value) || !hasValidTextChecksum(line))
    throw makeNotAPackError(path, `${packName} is damaged: its checksum does not match`)
  const pack = packSchema.safeParse(value)
  if (!pack.success)
    throw makeNotAPackError(path, `${packName} is not of this version (${z.prettifyError(pack.error)})`)
  return { pack: pack.data, text, crate: read(crateName) }
}

const totalBytes = ({ files }: OpenZipFile): number =>
  [...files.values()].reduce((sum, { size }) => sum + size, 0)

/** @throws DataError [pack-too-large, unsafe-pack] before anything is written */
async function requireLimits(
  path: string,
  archive: OpenZipFile,
  limits: { readonly files: number; readonly bytes: number; readonly folder: string },
): Promise<void> {
  const { bavail, bsize } = await statfs(limits.folder)
  const [bytes, most] = [totalBytes(archive), Math.min(limits.bytes, bavail * bsize)]
  if (archive.entries > limits.files || bytes > most)
    throw new DataError(
      `${path}: ${archive.entries} files with ${bytes} bytes, of which at most ${limits.files} files and ${most} bytes are unpacked into ${limits.folder}. Make space, or unpack the file yourself and name the folders in runs/.`,
      { code: 'pack-too-large' },
    )
  const unsafe = [...archive.files.keys()].find(name => !isSafeName(name))
  if (unsafe === undefined && archive.entries === archive.files.size) return
  const problem =
    unsafe === undefined ? 'a name occurs twice' : `the name ${JSON.stringify(unsafe)} leads elsewhere`
  throw new DataError(`${path}: ${problem}, which no pack has. Do not rely on this file.`, {
    code: 'unsafe-pack',
  })
}

async function unpackFiles(
  path: string,
  folder: string,
  { archive, pack, crate }: { readonly archive: OpenZipFile; readonly pack: Pack; readonly crate: string },
): Promise<PackDamage[]> {
  const damages: PackDamage[] = []
  if (sha256(crate) !== pack.metadataSha256)
    damages.push({ name: crateName, problem: 'changed since the pack was made' })
  const hashes = listHashes(crate)
  for (const [name, file] of archive.files) {
    const hash = await unpackFile(file, join(folder, ...name.split('/'))).catch((error: Error) => error)
    if (hash instanceof Error) {
      if ((hash as NodeJS.ErrnoException).syscall !== undefined) throw hash
      damages.push({ name, problem: `damaged: ${hash.message}` })
    } else if (name !== packName && name !== crateName && hash !== hashes.get(name))
      damages.push({
        name,
        problem: hashes.has(name) ? 'changed since the pack was made' : 'not in the metadata',
      })
  }
  for (const name of hashes.keys()) if (!archive.files.has(name)) damages.push({ name, problem: 'missing' })
  for (const run of pack.runs)
    if (!archive.files.has(`${run.folder}/manifest.json`))
      throw makeNotAPackError(path, `${run.folder}/manifest.json is missing`)
  return damages
}

const entitySchema = z.looseObject({ '@id': z.string(), sha256: z.string().optional() })

/** Returns the hashes of the metadata by the paths of the files. Damaged metadata has none. */
function listHashes(crate: string): ReadonlyMap<string, string> {
  const graph = z.looseObject({ '@graph': z.array(entitySchema) }).safeParse(parseJsonOrNull(crate))
  if (!graph.success) return new Map()
  return new Map(
    graph.data['@graph'].flatMap(({ '@id': id, sha256: hash }) =>
      hash === undefined ? [] : [[readEntityPathOrId(id), hash] as const],
    ),
  )
}

function readEntityPathOrId(id: string): string {
  try {
    return readEntityPath(id)
  } catch {
    return id
  }
}

/** Writes a file, and returns its SHA-256. Rejects when it is not as the archive's directory says. */
async function unpackFile(file: ZipFile, path: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true })
  const hash = createHash('sha256')
  let [bytes, crc] = [0, 0]
  const check = new Transform({
    transform(piece: Buffer, _encoding, done) {
      bytes += piece.length
      crc = crc32(piece, crc)
      hash.update(piece)
      done(bytes > file.size ? new Error('longer than the archive states') : null, piece)
    },
  })
  await pipeline(file.stream(), check, createWriteStream(path, { flags: 'wx' }))
  if (bytes !== file.size || crc !== file.crc)
    throw new Error('its length or checksum is not as the archive states')
  return hash.digest('hex')
}

/** Replaces places in the pack by paths of this machine, so that everything reads the run as any other. */
async function localizeManifest(folder: string, run: string): Promise<void> {
  const runFolder = join(folder, ...run.split('/'))
  const manifest = await readManifest(runFolder).catch(() => null)
  // A damaged manifest is reported with the other files.
  if (manifest === null) return
  const local = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(local)
    if (typeof value !== 'string') return value
    const [, mode = '', place] = /^([a-z]+:)?pack:(.*)$/s.exec(value) ?? []
    if (place === undefined) return value
    const path = resolve(folder, place)
    return isSafeName(place) && path.startsWith(folder) ? `${mode}${path}` : packedPrefix
  }
  const config = Object.fromEntries(
    Object.entries(manifest.config).map(([name, value]) => [name, local(value)]),
  )
  // Whatever a stranger's manifest names, tasks are read from the pack alone.
  const isInPack = typeof config.tasks === 'string' && config.tasks.startsWith(join(folder, 'inputs'))
  if (typeof config.tasks === 'string' && !isInPack) config.tasks = join(folder, 'not-in-the-pack')
  await writeManifest(runFolder, { ...manifest, config: { ...config, out: runFolder } } as typeof manifest)
}
