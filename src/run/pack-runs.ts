import { closeSync, openSync, readSync, writeFileSync } from 'node:fs'
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { ConfigError, DataError } from '../core/errors.ts'
import { replaceFileDurably } from '../system/atomic-write.ts'
import type { FolderLock } from '../system/folder-lock.ts'
import { sha256, sha256OfFile } from '../system/hash.ts'
import { packageVersion } from '../system/paths.ts'
import { withRecordChecksum, withTextChecksum } from '../system/record-checksum.ts'
import { removeFolder } from '../system/remove-folder.ts'
import {
  registerEnvironment,
  registeredSpellings,
  secretSpellings,
  sortSpellings,
} from '../system/secret-values.ts'
import { createZipWriter } from '../system/zip-writer.ts'
import { makeDistinctName, writeFileName } from '../text/file-name.ts'
import { listEncryptedQuestions } from './open-run/secrets.ts'
import type { Citation } from './pack/authors.ts'
import { type ContentFile, collectFiles, type PackContent, type RunToPack } from './pack/collect-files.ts'
import { describeCrate, findLastDay, type PackedFile } from './pack/crate.ts'
import { listFigures } from './pack/figures.ts'
import { findKeys, findKeysInText, type KeyFinding } from './pack/find-keys.ts'
import { crateName, type Pack, type PackedFigure, packName, type WithheldPart } from './pack/pack-layout.ts'
import { lockRun } from './records/lock.ts'
import { verifyRun } from './records/verify-run.ts'
import { readReport } from './report-run.ts'

/** How runs are packed. */
export interface PackOptions {
  /** The file to write. */
  readonly out: string
  readonly citation: Citation
  readonly withheld: readonly WithheldPart[]
  /** Packs texts that look like keys. Values of key variables are never packed. */
  readonly acceptKeys: boolean
  readonly env: NodeJS.ProcessEnv
}

/** What was packed. */
export interface PackResult {
  readonly files: number
  readonly bytes: number
  /** SHA-256 of pack.json, which names a pack whatever program compressed it. */
  readonly identity: string
  /** What the pack lacks, one sentence each. */
  readonly notices: readonly string[]
  readonly title: string
  /** The day of the last event in the runs. */
  readonly day: string
}

/**
 * Packs runs with everything that their figures are computed from. The same runs make the same bytes.
 *
 * @throws DataError [not-a-run, run-not-whole, tasks-missing, tasks-changed, unsafe-name, link-outside-folder, keys-found] ConfigError [missing-licence, folder-in-use]
 */
export async function packRuns(folders: readonly string[], options: PackOptions): Promise<PackResult> {
  const { citation, out, withheld, env } = options
  const { licence } = citation
  if (licence === null)
    throw new ConfigError(
      'a pack needs a licence, which says what its readers may do. Name one with --licence, such as --licence CC-BY-4.0, or in CITATION.cff.',
      { code: 'missing-licence' },
    )
  const work = await mkdtemp(join(tmpdir(), 'tablehunt-pack-'))
  const locks: FolderLock[] = []
  try {
    const distinct = [...new Map(folders.map(folder => [resolve(folder), folder])).values()]
    for (const folder of distinct) locks.push(await lockRun(folder))
    const { runs, figures, questions, attempts } = await readRuns(distinct)
    registerEnvironment(env)
    const secrets = sortSpellings([...registeredSpellings(), ...questions.flatMap(secretSpellings)])
    const content = await collectFiles(runs, { withheld, secrets, work })
    const files = [...(await writeManifests(content, work)), ...content.files]
    const title = citation.title ?? `Runs ${runs.map(({ name }) => basename(name)).join(', ')} of Tablehunt`
    const crate = describeCrate({
      citation: { ...citation, title, licence },
      runs: content.manifests,
      files: await hashFiles(files),
      attempts,
      withheld,
    })
    await requireNoKeys([[crateName, crate]], files, { ...options, secrets })
    const pack = describePack({ content, withheld, figures, crate }, await hashFiles(content.withheld))
    const texts: [string, string][] = [
      [crateName, crate],
      [packName, pack],
    ]
    await replaceFileDurably(out, async part => await writeArchive(part, texts, files))
    return {
      files: files.length + texts.length,
      bytes: (await stat(out)).size,
      identity: sha256(pack),
      notices: [...content.missing].flatMap(([name, lacks]) => lacks.map(lack => `${name}: ${lack}`)),
      title,
      day: findLastDay([...content.manifests.values()]),
    }
  } finally {
    for (const lock of locks) await lock.release()
    await removeFolder(work)
  }
}

/** Reads the runs with their figures. A damaged run is refused. */
async function readRuns(folders: readonly string[]): Promise<{
  readonly runs: readonly RunToPack[]
  readonly figures: readonly PackedFigure[]
  readonly questions: readonly string[]
  readonly attempts: number
}> {
  const taken = new Set<string>()
  const runs: RunToPack[] = []
  const figures: PackedFigure[] = []
  const questions: string[] = []
  let attempts = 0
  for (const folder of folders) {
    await requireWhole(folder)
    const { records, report, tasks } = await readReport(folder)
    const name = `runs/${makeDistinctName(writeFileName(basename(resolve(folder))), taken)}`
    runs.push({ folder, name, manifest: records.manifest })
    figures.push(...listFigures(name, report))
    attempts += records.attempts.length
    questions.push(...listEncryptedQuestions([...tasks.values()]))
  }
  return { runs, figures, questions, attempts }
}

async function requireWhole(folder: string): Promise<void> {
  if ((await verifyRun(folder)).isWhole) return
  throw new DataError(
    `${folder}: files of the run are damaged or lost, or scores are missing. tablehunt verify ${folder} lists them and says what to do.`,
    { code: 'run-not-whole' },
  )
}

async function writeManifests({ manifests }: PackContent, work: string): Promise<ContentFile[]> {
  const files: ContentFile[] = []
  for (const [name, manifest] of manifests) {
    const path = join(work, `${name.replaceAll('/', '-')}-manifest.json`)
    await writeFile(path, `${JSON.stringify(JSON.parse(withRecordChecksum({ ...manifest })), null, 2)}\n`)
    files.push({ name: `${name}/manifest.json`, path })
  }
  return files
}

const shownFindings = 10

/** @throws DataError [keys-found] that lists files and lines */
async function requireNoKeys(
  texts: readonly (readonly [name: string, text: string])[],
  files: readonly ContentFile[],
  { acceptKeys, secrets }: { readonly acceptKeys: boolean; readonly secrets: readonly string[] },
): Promise<void> {
  const findings: KeyFinding[] = texts.flatMap(([file, text]) =>
    findKeysInText(Buffer.from(text), secrets).map(key => ({ file, ...key })),
  )
  for (const { name, path } of files)
    for (const finding of await findKeys(path, name, secrets)) findings.push(finding)
  const refused = acceptKeys ? findings.filter(({ kind }) => kind === 'known') : findings
  if (refused.length === 0) return
  const lines = refused.slice(0, shownFindings).map(({ file, line, kind, shown }) => {
    const what =
      kind === 'known'
        ? 'the value of a key variable, or an encrypted question'
        : `looks like a key (${shown})`
    return `  ${file}${line === null ? '' : `:${line}`}: ${what}`
  })
  const more = refused.length > shownFindings ? [`  and ${refused.length - shownFindings} more`] : []
  const areKnown = refused.some(({ kind }) => kind === 'known')
  const advice = areKnown
    ? 'Remove them, or make the run again. Withdraw a key that others could have read.'
    : 'Read these places. If none is a key, add --accept-keys.'
  const message = [`the pack would contain ${refused.length} possible keys:`, ...lines, ...more, advice]
  throw new DataError(message.join('\n'), { code: 'keys-found' })
}

/** One file after the other: a run can have more files than a process may have open. */
async function hashFiles(files: readonly ContentFile[]): Promise<PackedFile[]> {
  const hashed: PackedFile[] = []
  for (const { name, path } of files)
    hashed.push({ name, bytes: (await stat(path)).size, sha256: await sha256OfFile(path) })
  return hashed
}

/** What pack.json is made from. */
interface PackFacts {
  readonly content: PackContent
  readonly withheld: readonly WithheldPart[]
  readonly figures: readonly PackedFigure[]
  readonly crate: string
}

function describePack(
  { content, withheld, figures, crate }: PackFacts,
  withheldFiles: readonly PackedFile[],
): string {
  const pack: Pack = {
    format: 'tablehunt-pack-1',
    tablehunt: packageVersion,
    withheld: [...withheld],
    runs: [...content.manifests].map(([folder, { runId, command }]) => ({
      folder,
      runId,
      command,
      missing: [...(content.missing.get(folder) ?? [])],
    })),
    withheldFiles: Object.fromEntries(withheldFiles.map(file => [file.name, file.sha256])),
    figures: [...figures],
    metadataSha256: sha256(crate),
  }
  return `${withTextChecksum(JSON.stringify(pack))}\n`
}

/** Files from this size on are compressed piece by piece. */
const largeBytes = 50_000_000

async function writeArchive(
  path: string,
  texts: readonly (readonly [string, string])[],
  files: readonly ContentFile[],
): Promise<void> {
  const archive = openSync(path, 'w')
  try {
    const writer = createZipWriter(bytes => writeFileSync(archive, bytes))
    for (const [name, text] of texts) writer.add(name, Buffer.from(text))
    for (const file of [...files].sort((a, b) => (a.name < b.name ? -1 : 1))) {
      if ((await stat(file.path)).size < largeBytes) writer.add(file.name, await readFile(file.path))
      else await writer.addPieces(file.name, () => readPieces(file.path))
    }
    writer.end()
  } finally {
    closeSync(archive)
  }
}

function* readPieces(path: string): Generator<Buffer> {
  const file = openSync(path, 'r')
  try {
    for (;;) {
      const piece = Buffer.alloc(1_000_000)
      const length = readSync(file, piece, 0, piece.length, null)
      if (length === 0) return
      yield piece.subarray(0, length)
    }
  } finally {
    closeSync(file)
  }
}
