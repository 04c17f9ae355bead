import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { basename, dirname, relative, resolve, sep } from 'node:path'
import { isNamedSet } from '../../../agents/prompts/load.ts'
import { filesAt } from '../../../tasks/benchmark.ts'
import { shippedProfiles } from '../../../tools/web/fault-profile.ts'
import type { OptionName, RunConfig } from '../../config.ts'
import { ConfigError } from '../../core/errors.ts'
import type { Task } from '../../core/task.ts'
import { isObject } from '../../text/json.ts'
import { taskInputs } from '../records/task-inputs.ts'

/** A file that workers need: where it is here, and where it is to stand below a worker's folder of the campaign. */
export interface FileToShip {
  readonly path: string
  readonly place: string
}

/** A run's options with every path in them made one below a folder that is not chosen yet, and the files of those paths. */
export interface Shipment {
  readonly config: Readonly<Record<string, unknown>>
  readonly distractors: string | null
  readonly files: readonly FileToShip[]
}

const scheme = 'shipped://'

/** Takes one path into the shipment and gives what stands for it. */
type Take = (path: string, only?: ReadonlySet<string>) => Promise<string>
type Way = (value: string, take: Take, names: ReadonlySet<string> | null) => Promise<string>

const whole: Way = (value, take) => take(value)

/** `PREFIX:PATH`, such as `scripted:turns.jsonl`; any other value names no file. */
const behind =
  (prefix: RegExp): Way =>
  async (value, take) => {
    const match = prefix.exec(value)
    return match === null ? value : `${match[0]}${await take(value.slice(match[0].length))}`
  }

/** Options that name files, and how they do. */
export const shippedOptions: Readonly<Partial<Record<OptionName, Way>>> = {
  tasks: whole,
  docs: (value, take, names) => take(value, names ?? undefined),
  prompts: async (value, take) => (isNamedSet(value) ? value : await take(value)),
  prices: whole,
  model: behind(/^scripted:/),
  judge: behind(/^scripted:/),
  web: behind(/^(?:sealed|replay):/),
  faults: async (value, take) => ((await shippedProfiles()).includes(value) ? value : await take(value)),
  embedder: async (value, take) => {
    const path = value.slice('onnx:'.length)
    return value.startsWith('onnx:') && existsSync(path) ? `onnx:${await take(path)}` : value
  },
}

/** Options that name what each machine has of its own: a worker goes by its own. */
export const localOptions = {
  out: '',
  cache: null,
  browser: null,
  queue: null,
  plugins: [],
} as const satisfies Partial<Record<OptionName, unknown>>

/** The options that decide whether several machines can make a run. */
export type ShippableOptions = Pick<RunConfig, 'chroma' | 'record' | 'replay' | 'web'>

/** ConfigError for options that would have several workers write into one place. */
export function requireShippable(config: ShippableOptions): void {
  const { record, replay, web, chroma } = config
  const why = "the web's answers are fetched by workers, on machines of their own"
  if (record !== null) throw new ConfigError(`--record with --queue: ${why}: record in a run without --queue`)
  if (replay === 'auto' && web.startsWith('replay:'))
    throw new ConfigError(`--replay auto with --queue: ${why}: use --replay strict, or leave --queue out`)
  if (chroma !== null)
    throw new ConfigError(
      '--chroma with --queue: several workers would write one index at once: leave --chroma out, each has a Chroma of its own',
    )
}

/** What workers need of a run: its options and every file that they name. ConfigError for a path that is not there. */
export async function shipmentOf(
  config: RunConfig,
  tasks: readonly Task[],
  distractors: string | null,
): Promise<Shipment> {
  const files = new Map<string, FileToShip>()
  // A sealed web is made of all the documents; otherwise the tasks' own will do.
  const names = config.web === 'sealed' ? null : looseNames(tasks)
  const shipped: Record<string, unknown> = { ...config, ...localOptions }
  // Each machine looks for its own browser, unless the run is to have none.
  if (config.browser === 'off') shipped.browser = 'off'
  for (const [name, way] of Object.entries(shippedOptions)) {
    const take = takerFor(name, files, name === 'tasks' ? path => inputsAt(path, config) : filesAt)
    const value = config[name as OptionName]
    if (typeof value === 'string') shipped[name] = await way(value, take, names)
    else if (Array.isArray(value))
      shipped[name] = await Promise.all(value.map(async item => await way(String(item), take, names)))
  }
  const lookAlikes = distractors === null ? null : await takerFor('distractors', files, filesAt)(distractors)
  return { config: shipped, distractors: lookAlikes, files: [...files.values()] }
}

/** @param list the files that a path stands for */
function takerFor(
  option: string,
  files: Map<string, FileToShip>,
  list: (path: string) => Promise<readonly string[]>,
): Take {
  return async (path, only) => {
    await stat(path).catch((error: NodeJS.ErrnoException) => {
      throw new ConfigError(`--${option} ${path}: can't be read (${error.code})`)
    })
    for (const file of await list(path)) {
      if (only !== undefined && !only.has(looseName(relative(path, file)))) continue
      // The last part of a path may count: a folder's name is a domain, a script's name that of a model.
      const inside = relative(dirname(resolve(path)), file)
        .split(sep)
        .join('/')
      if (inside.startsWith('../'))
        throw new ConfigError(
          `--${option} ${path}: ${file} belongs to it and is outside its folder, so that workers would not find it. Move it there, or leave --queue out.`,
          { code: 'input-outside-folder' },
        )
      const place = `${option}/${inside}`
      const known = files.get(place)
      if (known !== undefined && known.path !== file)
        throw new ConfigError(`--${option}: ${known.path} and ${file} have the same name: rename one of them`)
      files.set(place, { path: file, place })
    }
    return `${scheme}${option}/${basename(resolve(path))}`
  }
}

async function inputsAt(path: string, { benchmark }: Pick<RunConfig, 'benchmark'>): Promise<string[]> {
  const inputs = await taskInputs({ tasks: path, benchmark })
  return inputs.map(input => input.path)
}

function looseName(name: string): string {
  return name.normalize('NFC').toLowerCase().trim()
}

function looseNames(tasks: readonly Task[]): ReadonlySet<string> {
  return new Set(tasks.flatMap(task => task.documents.map(({ name }) => looseName(name))))
}

/** The options with paths below that folder in place of what stands for them. */
export function rootedAt<T>(value: T, folder: string): T {
  const rooted = (inner: unknown): unknown => {
    if (typeof inner === 'string') return inner.replace(scheme, `${folder}/`)
    return Array.isArray(inner) ? inner.map(rooted) : inner
  }
  if (!isObject(value)) return rooted(value) as T
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, rooted(inner)])) as T
}
