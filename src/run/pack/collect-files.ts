import { createWriteStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isNamedSet } from '../../../agents/prompts/load.ts'
import { promptsVersion } from '../../../agents/prompts/words.ts'
import { redactorFor } from '../../../logs/redact.ts'
import { DataError } from '../../core/errors.ts'
import { scoreSchema } from '../../core/score.ts'
import { isPartialFile } from '../../system/atomic-write.ts'
import { ifMissing } from '../../system/files.ts'
import { packageRoot } from '../../system/paths.ts'
import { withRecordChecksum } from '../../system/record-checksum.ts'
import { isObject } from '../../text/json.ts'
import { readTaskOptions } from '../plan/read-tasks.ts'
import { iterateRecords } from '../records/json-lines.ts'
import { leakSchema } from '../records/leaks.ts'
import { describePath, type Manifest } from '../records/manifest.ts'
import { withoutItemTexts } from '../records/summaries.ts'
import { changedInputs, hashTaskInputs, taskInputs } from '../records/task-inputs.ts'
import { isPageFile, packedPrefix, runFiles, type WithheldPart } from './pack-layout.ts'

/** A file that goes into a pack. */
export interface ContentFile {
  /** Its path in the pack. */
  readonly name: string
  /** Where it is now. */
  readonly path: string
}

/** What a pack is made from. */
export interface PackContent {
  readonly files: readonly ContentFile[]
  /** Files that are left out on purpose. */
  readonly withheld: readonly ContentFile[]
  /** The manifests as the pack contains them, by the folders of the runs in the pack. */
  readonly manifests: ReadonlyMap<string, Manifest>
  /** What the pack lacks of a run, by its folder in the pack. */
  readonly missing: ReadonlyMap<string, readonly string[]>
}

/** A run to pack. */
export interface RunToPack {
  readonly folder: string
  /** Its folder in the pack. */
  readonly name: string
  readonly manifest: Manifest
}

/** How runs are packed. */
export interface CollectOptions {
  readonly withheld: readonly WithheldPart[]
  readonly secrets: readonly string[]
  /** A folder for files that are written for the pack. */
  readonly work: string
}

/**
 * Lists the files of a pack: records, traces and answers of each run, and what the runs read. Two runs that read the same file
 * share it.
 *
 * @throws DataError [tasks-missing, tasks-changed]
 */
export async function collectFiles(
  runs: readonly RunToPack[],
  options: CollectOptions,
): Promise<PackContent> {
  const shelf = createShelf(options.withheld)
  const manifests = new Map<string, Manifest>()
  const missing = new Map<string, readonly string[]>()
  for (const run of runs) {
    const lacks: string[] = []
    manifests.set(run.name, await packManifest(run, { shelf, lacks, options }))
    await packRecords(run, shelf, options)
    missing.set(run.name, lacks)
  }
  await packPrompts(runs, shelf, missing)
  const prices = join(packageRoot, 'src/models/prices.json')
  shelf.put({ name: 'prices.json', path: prices })
  return { files: shelf.files(), withheld: shelf.withheld(), manifests, missing }
}

/** Collects files by their paths in the pack. Each file or folder of the machine has one place in the pack. */
interface Shelf {
  put(file: ContentFile, part?: WithheldPart): void
  /** Returns the folder in the pack for a path of the machine, and whether it is new. */
  placeFor(kind: string, path: string): { readonly place: string; readonly isNew: boolean }
  files(): ContentFile[]
  withheld(): ContentFile[]
}

function createShelf(withheldParts: readonly WithheldPart[]): Shelf {
  const [files, withheld] = [new Map<string, ContentFile>(), new Map<string, ContentFile>()]
  const places = new Map<string, string>()
  const sorted = (map: ReadonlyMap<string, ContentFile>): ContentFile[] =>
    [...map.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  return {
    put(file, part) {
      const isLeftOut = part !== undefined && withheldParts.includes(part)
      ;(isLeftOut ? withheld : files).set(file.name, file)
    },
    placeFor(kind, path) {
      const key = `${kind} ${resolve(path)}`
      const place = places.get(key)
      if (place !== undefined) return { place, isNew: false }
      const count = [...places.keys()].filter(other => other.startsWith(`${kind} `)).length
      places.set(key, `inputs/${kind}-${count + 1}`)
      return { place: places.get(key)!, isNew: true }
    },
    files: () => sorted(files),
    withheld: () => sorted(withheld),
  }
}

/** Lists the regular files below a folder, by their paths in it. Links, and files that are being written, are left out. */
async function listFiles(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(ifMissing)
  return (entries ?? [])
    .filter(entry => entry.isFile() && !isPartialFile(entry.name))
    .map(entry => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort()
}

async function packRecords(
  { folder, name }: RunToPack,
  shelf: Shelf,
  options: CollectOptions,
): Promise<void> {
  const { withheld } = options
  const isStripped = withheld.length > 0
  const stripped: Readonly<Record<string, () => Readable>> = {
    'scores.jsonl': () => Readable.from(scoresWithoutTexts(join(folder, 'scores.jsonl'))),
    'leaks.jsonl': () => Readable.from(leaksWithoutTexts(join(folder, 'leaks.jsonl'))),
  }
  for (const file of runFiles.filter(other => other !== 'manifest.json')) {
    const path = join(folder, file)
    if (!(await isFile(path))) continue
    const lines = isStripped ? stripped[file] : undefined
    if (lines === undefined) {
      // Marks of persons and plans of forks contain the gold or lines of documents.
      const hasTexts = file === 'audit.csv' || file === 'forks/plan.json'
      const part = hasTexts ? withheld[0] : undefined
      shelf.put({ name: `${name}/${file}`, path }, part)
      continue
    }
    const copy = join(options.work, `${name.replaceAll('/', '-')}-${file}`)
    await pipeline(lines(), createWriteStream(copy))
    shelf.put({ name: `${name}/${file}`, path: copy })
  }
  for (const part of ['answers', 'traces'])
    for (const file of await listFiles(join(folder, part))) {
      const inRun = `${part}/${file}`
      shelf.put(
        { name: `${name}/${inRun}`, path: join(folder, inRun) },
        isPageFile(inRun) ? 'pages' : undefined,
      )
    }
}

async function* scoresWithoutTexts(path: string): AsyncGenerator<string> {
  for await (const score of iterateRecords(path, scoreSchema))
    yield `${withRecordChecksum(withoutItemTexts(score))}\n`
}

async function* leaksWithoutTexts(path: string): AsyncGenerator<string> {
  for await (const leak of iterateRecords(path, leakSchema))
    yield `${withRecordChecksum({ ...leak, detail: '' })}\n`
}

async function isFile(path: string): Promise<boolean> {
  return await stat(path).then(
    entry => entry.isFile(),
    () => false,
  )
}

/** What packing the inputs of a run needs. */
interface InputContext {
  readonly shelf: Shelf
  /** Receives a sentence for each input that is not at hand. */
  readonly lacks: string[]
  readonly options: CollectOptions
}

/** Packs what a run read, and returns its manifest with the places in the pack instead of paths of the machine. */
async function packManifest(run: RunToPack, context: InputContext): Promise<Manifest> {
  const { manifest, folder, name } = run
  const { config } = manifest
  const places: Record<string, unknown> = {
    ...(await packTasks(manifest, context)),
    ...(await packWeb(config, context)),
    out: name,
    ...('cache' in config ? { cache: null } : {}),
  }
  if (typeof config.docs === 'string') places.docs = await packFolder('documents', config.docs, context)
  for (const option of ['prices', 'judgePrompts', 'faults'])
    if (typeof config[option] === 'string') places[option] = await packFile(config[option], context)
  if (Array.isArray(config.prompts)) {
    places.prompts = []
    for (const prompts of config.prompts as string[])
      (places.prompts as string[]).push(isNamedSet(prompts) ? prompts : await packFile(prompts, context))
  }
  const plugins = manifest.source === 'run' ? (manifest.plugins ?? []) : []
  for (const { name: plugin } of plugins)
    context.lacks.push(`The code of the plug-in '${plugin}' is not in the pack; the manifest has its hash.`)
  const localized = {
    ...manifest,
    command: manifest.command.map(word => withoutFolders(word, folder)),
    skippedTasks: manifest.skippedTasks.map(task =>
      task.file === undefined ? task : { ...task, file: basename(task.file) },
    ),
    config: { ...(withoutPaths(config) as object), ...places },
    identity: withoutPaths(manifest.identity),
  } as Manifest
  return redactorFor(context.options.secrets).value(localized)
}

/** Replaces absolute paths, which name folders of a machine and its users, by their last part. */
function withoutPaths(value: unknown): unknown {
  if (typeof value === 'string') return isAbsolute(value) ? basename(value) : value
  if (Array.isArray(value)) return value.map(withoutPaths)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutPaths(inner)]))
}

function withoutFolders(word: string, folder: string): string {
  const [, flag = '', value = word] = /^(--[\w-]+=)(.*)$/s.exec(word) ?? []
  if (isAbsolute(value)) return `${flag}${basename(value)}`
  return value === folder ? `${flag}${basename(folder)}` : word
}

async function packTasks(manifest: Manifest, { shelf }: InputContext): Promise<Record<string, unknown>> {
  if (manifest.source === 'import' && manifest.config.tasks === undefined) return {}
  const options = readTaskOptions(manifest.config)
  if (options === null) return {}
  const { tasks } = options
  const missing = (error: unknown): never => {
    throw new DataError(
      `${describePath(tasks)}: the run's tasks are missing. Run the command in the folder in which the run was begun, or put the tasks back.`,
      { code: 'tasks-missing', cause: error },
    )
  }
  const changes = changedInputs(manifest, await hashTaskInputs(options).catch(missing))
  if (changes.length > 0)
    throw new DataError(
      `${tasks} has changed since the run (${changes.join('; ')}), so the pack would contain other tasks. Put the earlier files back.`,
      { code: 'tasks-changed' },
    )
  const { place } = shelf.placeFor('tasks', tasks)
  for (const input of await taskInputs(options))
    if (!input.place.startsWith('..'))
      shelf.put({ name: `${place}/${input.place}`, path: input.path }, 'gold')
  const isFolder = (await stat(tasks)).isDirectory()
  return { tasks: `${packedPrefix}${place}${isFolder ? '' : `/${basename(tasks)}`}` }
}

/** Packs the web of a run: the recording that it made or replayed, or the corpus that it served. */
async function packWeb(
  config: Readonly<Record<string, unknown>>,
  context: InputContext,
): Promise<Record<string, unknown>> {
  const { record, web } = config
  const [, mode, path] = (typeof web === 'string' && /^(replay|sealed):(.+)$/s.exec(web)) || []
  const places: Record<string, unknown> = {}
  if (typeof record === 'string') places.record = await packFolder('recording', record, context)
  if (mode !== undefined && path !== undefined)
    places.web = `${mode}:${await packFolder(mode === 'replay' ? 'recording' : 'web', path, context)}`
  if (web === 'live' && typeof record !== 'string' && wasOnline(config))
    context.lacks.push('The web was not recorded (--record), so online attempts cannot be made again.')
  return places
}

const wasOnline = ({ setting }: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(setting) && setting.includes('online')

async function packFolder(kind: string, folder: string, { shelf, lacks }: InputContext): Promise<string> {
  const { place, isNew } = shelf.placeFor(kind, folder)
  const files = await listFiles(folder)
  if (files.length === 0) lacks.push(`The folder ${basename(folder)} (${kind}) was not at hand.`)
  // A recording's index has requests and hashes of pages; its bodies are the pages.
  for (const file of isNew ? files : []) {
    const isIndex = kind === 'recording' && !file.includes('bodies/')
    shelf.put({ name: `${place}/${file}`, path: join(folder, file) }, isIndex ? undefined : 'pages')
  }
  return `${packedPrefix}${place}`
}

/** Packs a file that an option names. A name that is no file, such as a built-in profile, stays. */
async function packFile(path: string, { shelf, lacks }: InputContext): Promise<string> {
  if (await isFile(path)) {
    const { place } = shelf.placeFor('files', path)
    const name = `${place}/${basename(path)}`
    shelf.put({ name, path })
    return `${packedPrefix}${name}`
  }
  if (isAbsolute(path) || path.includes('/')) lacks.push(`The file ${basename(path)} was not at hand.`)
  return isAbsolute(path) ? basename(path) : path
}

/** Packs the page with the built-in prompts, when the runs used those of this version. Traces contain what models were sent. */
async function packPrompts(
  runs: readonly RunToPack[],
  shelf: Shelf,
  missing: Map<string, readonly string[]>,
): Promise<void> {
  const page = join(packageRoot, 'docs/prompts-in-full.md')
  for (const { manifest, name } of runs) {
    if (manifest.source !== 'run') continue
    if (manifest.prompts === promptsVersion) shelf.put({ name: 'prompts/prompts-in-full.md', path: page })
    else
      missing.set(name, [
        ...(missing.get(name) ?? []),
        `The built-in prompts are of version ${manifest.prompts}, and this is version ${promptsVersion}: they are in the traces alone.`,
      ])
  }
}
