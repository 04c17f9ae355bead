import { runOptions } from '../../config.ts'
import { ConfigError } from '../../core/errors.ts'
import { withoutAddress } from '../../models/spec.ts'
import { canonicalJson } from '../../system/hash.ts'
import { isObject } from '../../text/json.ts'
import { type RunManifest, withScorer } from './manifest.ts'
import { changedInputs, type InputHashes } from './task-inputs.ts'

/** The options and hashes that the results of a run depend on, by name. */
export interface RunIdentity {
  /** Stored in a field of its own in the manifest. */
  readonly inputs: InputHashes
  readonly [name: string]: unknown
}

/** Runs of these versions have temperature 0 in their manifests and no temperature in the names of their arms. */
const oldDefaultTemperature =
  "It asked models at temperature 0, which was the default then. The default is now what the model's maker recommends. Add --temperature 0 to ask at temperature 0 in the new folder."

/**
 * Refuses to resume a run under other conditions than those it began with. Fields that a run of an older version did not
 * record are not compared.
 *
 * @param tasks the path of --tasks
 * @throws ConfigError [prompts-version, different-run]; the message names each difference
 */
export function requireSameRun(
  folder: string,
  earlier: RunManifest,
  { inputs, ...identity }: RunIdentity,
  tasks: string,
): void {
  const before = withScorer(earlier.identity)
  const version = before.prompts ?? 1
  const began = `finish the run with Tablehunt ${earlier.codeVersion ?? earlier.tablehunt}`
  const defaultMoved = before.temperature === 0 && (identity.temperature ?? null) === null
  const temperature = defaultMoved ? ` ${oldDefaultTemperature}` : ''
  if (version !== identity.prompts)
    throw new ConfigError(
      `${folder}: the run began with version ${version} of the prompts, and this is version ${identity.prompts}.${temperature} Choose another --out, or ${began}.`,
      { code: 'prompts-version' },
    )
  if (defaultMoved)
    throw new ConfigError(
      `${folder} contains another run.${temperature} Choose another --out, or ${began}.`,
      {
        code: 'different-run',
      },
    )
  const differences = [
    ...changedInputs(earlier, tasks, inputs),
    ...differencesOf('', comparable(before, identity), comparable(identity, before)),
  ]
  if (differences.length === 0) return
  throw new ConfigError(
    `${folder} contains another run: ${differences.join('; ')}. Choose another --out, or give the options of that run.`,
    { code: 'different-run' },
  )
}

/**
 * Returns an identity that can be compared. Options that its version did not have get their default; facts
 * that only one of both recorded are removed.
 */
function comparable(
  { tasksSha256: _inputsTell, ...own }: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const later = Object.keys(other).filter(name => !(name in own) && Object.hasOwn(runOptions, name))
  const defaults = later.map(name => [name, defaultOf(name as keyof typeof runOptions)])
  const environment = commonOf(own.environment, other.environment)
  return withoutAddresses({ ...Object.fromEntries(defaults), ...own, environment })
}

function defaultOf(name: keyof typeof runOptions): unknown {
  return runOptions[name].schema.safeParse(undefined).data
}

/** Returns the fields that both values have, at every depth. */
function commonOf(own: unknown, other: unknown): unknown {
  if (!isObject(own) || !isObject(other)) return isObject(own) || isObject(other) ? undefined : own
  const names = Object.keys(own).filter(name => name in other)
  return Object.fromEntries(
    names.map(name => [name, isObject(own[name]) ? commonOf(own[name], other[name]) : own[name]]),
  )
}

/** Removes the server addresses of judge and embedder, which may change while a run goes on. */
export function withoutAddresses(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const moved = ['judge', 'embedder'].flatMap(name => {
    const value = options[name]
    return typeof value === 'string' ? [[name, withoutAddress(value)] as const] : []
  })
  return { ...options, ...Object.fromEntries(moved) }
}

/** Lists where two values differ: the path of each place, with both values. */
export function differencesOf(path: string, before: unknown, now: unknown): string[] {
  if (canonicalJson(before ?? null) === canonicalJson(now ?? null)) return []
  if (!isObject(before) || !isObject(now)) return [differenceOf(path, before, now)]
  const names = new Set([...Object.keys(before), ...Object.keys(now)])
  return [...names].flatMap(name =>
    differencesOf(path === '' ? name : `${path}.${name}`, before[name], now[name]),
  )
}

/** Names the file of an agent that differs. Its hashes tell a reader nothing. */
function differenceOf(path: string, before: unknown, now: unknown): string {
  const [, agent, file] = /^agentFacts\.(.+?)\.files\.(.+)$/.exec(path) ?? []
  if (file === undefined) return `${path} was ${shorten(before)}, is ${shorten(now)}`
  const change = (now ?? null) === null ? 'is missing here' : 'has changed'
  return `agent ${agent}: the file ${file} ${change}`
}

function shorten(value: unknown): string {
  const text = canonicalJson(value ?? null)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
