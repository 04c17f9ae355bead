import { ConfigError } from '../../core/errors.ts'
import { withoutAddress } from '../../models/spec.ts'
import { canonicalJson } from '../../system/hash.ts'
import { isObject } from '../../text/json.ts'
import type { RunManifest } from './manifest.ts'
import { type InputHashes, listChangedInputs } from './task-inputs.ts'

/** The options and hashes that the results of a run depend on, by name. */
export interface RunIdentity {
  /** Stored in a field of its own in the manifest. */
  readonly inputs: InputHashes
  readonly [name: string]: unknown
}

/**
 * Refuses to resume a run under other conditions than those it began with.
 *
 * @throws ConfigError [prompts-version, different-run]; the message names each difference
 */
export function requireSameRun(
  folder: string,
  earlier: RunManifest,
  { inputs, ...identity }: RunIdentity,
): void {
  const before = earlier.identity
  if (before.prompts !== identity.prompts)
    throw new ConfigError(
      `${folder}: the run began with version ${before.prompts} of the prompts, and this is version ${identity.prompts}. Choose another --out, or finish the run with Tablehunt ${earlier.codeVersion ?? earlier.tablehunt}.`,
      { code: 'prompts-version' },
    )
  const differences = [
    ...listChangedInputs(earlier, inputs),
    ...listDifferences('', pickComparable(before, identity), pickComparable(identity, before)),
  ]
  if (differences.length === 0) return
  throw new ConfigError(
    `${folder} contains another run: ${differences.join('; ')}. Choose another --out, or give the options of that run.`,
    { code: 'different-run' },
  )
}

/** Returns an identity that can be compared. Facts of the machine that only one of both recorded are removed. */
function pickComparable(
  { tasksSha256: _inputsTell, ...identity }: Readonly<Record<string, unknown>>,
  otherIdentity: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  return withoutAddresses({
    ...identity,
    environment: keepCommonFields(identity.environment, otherIdentity.environment),
  })
}

/** Returns the fields that both values have, at every depth. */
function keepCommonFields(value: unknown, otherValue: unknown): unknown {
  if (!isObject(value) || !isObject(otherValue))
    return isObject(value) || isObject(otherValue) ? undefined : value
  const names = Object.keys(value).filter(name => name in otherValue)
  return Object.fromEntries(
    names.map(name => [
      name,
      isObject(value[name]) ? keepCommonFields(value[name], otherValue[name]) : value[name],
    ]),
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
export function listDifferences(path: string, before: unknown, now: unknown): string[] {
  if (canonicalJson(before ?? null) === canonicalJson(now ?? null)) return []
  if (!isObject(before) || !isObject(now)) return [describeDifference(path, before, now)]
  const names = new Set([...Object.keys(before), ...Object.keys(now)])
  return [...names].flatMap(name =>
    listDifferences(path === '' ? name : `${path}.${name}`, before[name], now[name]),
  )
}

/** Names the file of an agent that differs. Its hashes tell a reader nothing. */
function describeDifference(path: string, before: unknown, now: unknown): string {
  const [, agent, file] = /^agentFacts\.(.+?)\.files\.(.+)$/.exec(path) ?? []
  if (file === undefined) return `${path} was ${shorten(before)}, is ${shorten(now)}`
  const change = (now ?? null) === null ? 'is missing here' : 'has changed'
  return `agent ${agent}: the file ${file} ${change}`
}

function shorten(value: unknown): string {
  const text = canonicalJson(value ?? null)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
