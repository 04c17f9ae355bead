import { stat } from 'node:fs/promises'
import { basename, dirname, relative, resolve, sep } from 'node:path'
import { normaliseName } from '../../../retrieval/context-documents.ts'
import { listFiles } from '../../../tasks/benchmark.ts'
import { listSecretNames } from '../../config/without-secrets.ts'
import { nameOption, type RunConfig } from '../../config.ts'
import { ConfigError } from '../../core/errors.ts'
import type { Task } from '../../core/task.ts'
import { isObject } from '../../text/json.ts'
import { type AddPath, replacePaths, withoutLocalOptions } from '../plan/shipped-options.ts'
import { describeTaskInputs } from '../records/task-inputs.ts'

/** A file that workers need: its path on this machine, and its place below a worker's folder of the campaign. */
export interface FileToShip {
  readonly path: string
  readonly place: string
}

/** A run's options, in which every path is below a folder that each worker chooses, and the files of these paths. */
export interface Shipment {
  readonly config: Readonly<Record<string, unknown>>
  readonly distractors: string | null
  readonly files: readonly FileToShip[]
}

const scheme = 'shipped://'

/** Whether a path is one of the campaign's files. */
export function isShipped(path: string): boolean {
  return path.startsWith(scheme)
}

/** Returns the path below the folder of the campaign's files that a text names; null when it names none. */
export function readShippedPath(text: string): string | null {
  const at = text.indexOf(scheme)
  return at === -1 ? null : text.slice(at + scheme.length)
}

/** The options that decide whether several machines can make a run. */
export type ShippableOptions = Pick<
  RunConfig,
  'agent' | 'agents' | 'chroma' | 'mcp' | 'record' | 'replay' | 'web'
>

/**
 * Refuses options that only work in one process, and those that would put a key into Redis.
 *
 * @throws ConfigError [not-with-queue]
 */
export function requireShippable(config: ShippableOptions): void {
  const { agent, agents, mcp, record, replay, web, chroma } = config
  const code = 'not-with-queue'
  const why = 'workers fetch pages on their own machines'
  if (record !== null)
    throw new ConfigError(`--record with --queue: ${why}. Record in a run without --queue.`, { code })
  if (replay === 'auto' && web.startsWith('replay:'))
    throw new ConfigError(`--replay auto with --queue: ${why}. Use --replay strict, or leave --queue out.`, {
      code,
    })
  if (chroma !== null)
    throw new ConfigError(
      '--chroma with --queue: several workers would write one index at the same time. Leave --chroma out; each worker has its own Chroma.',
      { code },
    )
  const [secret] = listSecretNames({ agent, agents, mcp })
  if (secret !== undefined)
    throw new ConfigError(
      `${nameOption(secret)} with --queue: ${secretFixes[secret as keyof typeof secretFixes]}`,
      { code },
    )
}

const keyInRedis = 'it contains what may be a key, and workers get their options through Redis.'
const secretFixes = {
  agent: `${keyInRedis} Let the program read the key from a variable: describe it in the config file, with env: ["NAME"].`,
  agents: `${keyInRedis} List the names of the variables, as in env: ["NAME"], and set them where the workers run.`,
  mcp: `${keyInRedis} Write \${NAME} in its place, and set that variable here and where the workers run.`,
}

/**
 * Collects what workers need of a run: its options and every file that they name.
 *
 * @param distractors a folder of look-alike documents; null when there is none
 * @throws ConfigError [unreadable-input, input-outside-folder, duplicate-input]
 */
export async function collectShipment(
  config: RunConfig,
  tasks: readonly Task[],
  distractors: string | null,
): Promise<Shipment> {
  const files = new Map<string, FileToShip>()
  // A sealed web contains all documents; other runs need those of the tasks only.
  const names =
    config.web === 'sealed'
      ? null
      : new Set(tasks.flatMap(task => task.documents.map(({ name }) => normaliseName(name))))
  const adderFor = (name: string): AddPath =>
    makePathAdder(name, files, name === 'tasks' ? path => listInputs(path, config) : listFiles)
  const shipped = { ...withoutLocalOptions(config), ...(await replacePaths(config, adderFor, names)) }
  const lookAlikes =
    distractors === null ? null : await makePathAdder('distractors', files, listFiles)(distractors)
  return { config: shipped, distractors: lookAlikes, files: [...files.values()] }
}

/** @param list returns the files that a path names */
function makePathAdder(
  option: string,
  files: Map<string, FileToShip>,
  list: (path: string) => Promise<readonly string[]>,
): AddPath {
  return async (path, only) => {
    await stat(path).catch((error: NodeJS.ErrnoException) => {
      throw new ConfigError(`--${option} ${path} cannot be read (${error.code}). Correct the path.`, {
        code: 'unreadable-input',
      })
    })
    for (const file of await list(path)) {
      if (only !== undefined && !only.has(normaliseName(relative(path, file)))) continue
      // The last part of a path is kept, because it may be the name of a domain or of a scripted model.
      const inside = relative(dirname(resolve(path)), file)
        .split(sep)
        .join('/')
      if (inside.startsWith('../'))
        throw new ConfigError(
          `--${option} ${path}: ${file} belongs to it and is outside its folder, so workers would not find it. Move it into the folder, or leave --queue out.`,
          { code: 'input-outside-folder' },
        )
      const place = `${option}/${inside}`
      const earlierFile = files.get(place)
      if (earlierFile !== undefined && earlierFile.path !== file)
        throw new ConfigError(
          `--${option}: ${earlierFile.path} and ${file} have the same name. Rename one of them.`,
          { code: 'duplicate-input' },
        )
      files.set(place, { path: file, place })
    }
    return `${scheme}${option}/${basename(resolve(path))}`
  }
}

async function listInputs(path: string, { benchmark }: RunConfig): Promise<string[]> {
  const inputs = await describeTaskInputs({ tasks: path, benchmark })
  return inputs.map(input => input.path)
}

/** Replaces the scheme of shipped paths by a folder, in all options. */
export function withShipmentFolder<T>(value: T, folder: string): T {
  const rooted = (inner: unknown): unknown => {
    if (typeof inner === 'string') return inner.replace(scheme, `${folder}/`)
    return Array.isArray(inner) ? inner.map(rooted) : inner
  }
  if (!isObject(value)) return rooted(value) as T
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, rooted(inner)])) as T
}
