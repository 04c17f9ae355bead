import { createWriteStream } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { promptsVersion } from '../../../agents/prompts/words.ts'
import { answersFromWeb } from '../../../agents/registry.ts'
import { redactorFor } from '../../../logs/redact.ts'
import { nameOption } from '../../config.ts'
import { DataError } from '../../core/errors.ts'
import { scoreSchema } from '../../core/score.ts'
import { isPartialFile } from '../../system/atomic-write.ts'
import { ifMissing, isFile } from '../../system/files.ts'
import { packageRoot } from '../../system/paths.ts'
import { withRecordChecksum } from '../../system/record-checksum.ts'
import { isObject } from '../../text/json.ts'
import { listFiles } from '../open-run/documents.ts'
import { readTaskOptions } from '../plan/read-tasks.ts'
import { replacePaths, withoutLocalOptions } from '../plan/shipped-options.ts'
import { iterateRecords } from '../records/json-lines.ts'
import { leakSchema } from '../records/leaks.ts'
import { describePath, type Manifest } from '../records/manifest.ts'
import { withoutItemTexts } from '../records/summaries.ts'
import { describeTaskInputs, hashTaskInputs, listChangedInputs } from '../records/task-inputs.ts'
import { isPageFile, isSafeName, packedPrefix, runFiles, type WithheldPart } from './pack-layout.ts'

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
 * @throws DataError [tasks-missing, tasks-changed, unsafe-name, link-outside-folder]
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
    missing.set(run.name, [...new Set(lacks)])
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
      if (!isSafeName(file.name))
        throw new DataError(
          `${file.path}: a pack cannot contain a file of this name, which not every system has. Rename the file without control characters, backslashes and a drive such as C:, with at most 255 characters.`,
          { code: 'unsafe-name' },
        )
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

/** Lists the files that a run wrote to a folder, by their paths in it. Files that were being written are left out. */
async function listRunFiles(folder: string): Promise<string[]> {
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
    for (const file of await listRunFiles(join(folder, part))) {
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
  const { tasks: _, ...others } = config
  const places: Record<string, unknown> = {
    ...(await replacePaths(others, option => async path => await packPath(option, path, config, context))),
    ...(await packTasks(manifest, context)),
    ...(typeof config.record === 'string' && {
      record: await packPath('record', config.record, config, context),
    }),
    // The text of a filter may look like a path.
    ...('filter' in config && { filter: config.filter }),
    out: name,
  }
  const settings = Array.isArray(config.setting) ? config.setting : []
  if (config.web === 'live' && typeof config.record !== 'string' && settings.some(answersFromWeb))
    context.lacks.push('The web was not recorded (--record), so online attempts cannot be made again.')
  const plugins = manifest.source === 'run' ? (manifest.plugins ?? []) : []
  for (const { name: plugin } of plugins)
    context.lacks.push(`The code of the plug-in '${plugin}' is not in the pack; the manifest has its hash.`)
  const isOwn = (word: string): boolean => word === folder || word.endsWith(`=${folder}`)
  const localized = {
    ...manifest,
    command: manifest.command.map(word =>
      withoutFolders(isOwn(word) ? word.replace(folder, basename(folder)) : word),
    ),
    skippedTasks: manifest.skippedTasks.map(task =>
      task.file === undefined ? task : { ...task, file: basename(task.file) },
    ),
    config: { ...(withoutPaths(withoutLocalOptions(config)) as object), ...places },
    identity: withoutPaths(manifest.identity),
  } as Manifest
  return redactorFor(context.options.secrets).value(localized)
}

/** Removes folders of the machine from all texts. */
function withoutPaths(value: unknown): unknown {
  if (typeof value === 'string') return withoutFolders(value)
  if (Array.isArray(value)) return value.map(withoutPaths)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, withoutPaths(inner)]))
}

/** A text that is an absolute path as a whole, behind a flag or a prefix such as `--web=replay:`. */
const wholePath = /^((?:--[\w-]+=)?(?:(?:replay|sealed|scripted|onnx):)?)(?=\/(?!\/)|[a-z]:[\\/])(.+)$/is
/** An address, or an absolute path in a text such as a command line. */
const innerPath =
  /\b(?!file:)[a-z][\w+.-]*:\/\/\S*|(?<=^|[\s:=,;"'(@]|file:\/\/)(?:\/|\b[a-z]:[\\/])(?!\/)[^\s"',;()]+/gi

/** Replaces absolute paths, which name folders of a machine and its users, by their last part. Addresses stay. */
function withoutFolders(text: string): string {
  const lastPart = (path: string): string => path.split(/[\\/]/).findLast(part => part !== '') ?? ''
  const [, before, path] = wholePath.exec(text) ?? []
  if (path !== undefined) return `${before}${lastPart(path)}`
  return text.replace(innerPath, match => (/^[^/]+:\/\//.test(match) ? match : lastPart(match)))
}

async function packTasks(
  manifest: Manifest,
  { shelf, lacks }: InputContext,
): Promise<Record<string, unknown>> {
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
  const changes = listChangedInputs(manifest, await hashTaskInputs(options).catch(missing))
  if (changes.length > 0)
    throw new DataError(
      `${tasks} has changed since the run (${changes.join('; ')}), so the pack would contain other tasks. Put the earlier files back.`,
      { code: 'tasks-changed' },
    )
  const { place } = shelf.placeFor('tasks', tasks)
  for (const input of await describeTaskInputs(options))
    if (input.place.startsWith('..'))
      lacks.push(
        `The file ${basename(input.path)} of the tasks is outside of their folder, and was left out.`,
      )
    else shelf.put({ name: `${place}/${input.place}`, path: input.path }, 'gold')
  const isFolder = (await stat(tasks)).isDirectory()
  return { tasks: `${packedPrefix}${place}${isFolder ? '' : `/${basename(tasks)}`}` }
}

/** The part that files of an option belong to. Other files are always packed. */
function namePart(kind: string, file: string, withheld: readonly WithheldPart[]): WithheldPart | undefined {
  // Plans of forks contain gold or lines of documents.
  if (kind === 'forks') return withheld[0]
  // A recording's index has requests and hashes of pages; its bodies are the pages.
  if (kind === 'files' || (kind === 'recording' && !file.includes('bodies/'))) return undefined
  return 'pages'
}

/**
 * Packs the file or folder that an option names. What is left out is said.
 *
 * @returns its place for the manifest
 */
async function packPath(
  option: string,
  path: string,
  { web }: Readonly<Record<string, unknown>>,
  { shelf, lacks, options }: InputContext,
): Promise<string> {
  const kind =
    inputKinds[option === 'web' && String(web).startsWith('replay:') ? 'record' : option] ?? 'files'
  const { place, isNew } = shelf.placeFor(kind, path)
  const [name, entry] = [basename(resolve(path)), await stat(path).catch(() => null)]
  const put = (file: string, from: string): void =>
    shelf.put({ name: `${place}/${file}`, path: from }, namePart(kind, file, options.withheld))
  if (entry?.isDirectory() === true) {
    const hidden = (await readdir(path, { recursive: true })).filter(file => basename(file).startsWith('.'))
    if (hidden.length > 0) lacks.push(`Hidden files of ${name} are left out: ${hidden.join(', ')}.`)
    const files = await listFiles(path, { deep: true, tell: line => void lacks.push(line) })
    if (isNew) for (const file of files) if (!isPartialFile(file.name)) put(file.name, file.path)
    return `${packedPrefix}${place}`
  }
  if (entry === null) lacks.push(`${name} (${nameOption(option)}) was not at hand.`)
  else put(name, path)
  return `${packedPrefix}${place}/${name}`
}

/** How inputs are named in a pack, by the options that name them. Those of other options are files. */
const inputKinds: Readonly<Record<string, string>> = {
  docs: 'documents',
  record: 'recording',
  web: 'web',
  forks: 'forks',
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
