import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { RunConfig } from '../config.ts'
import { ConfigError } from '../core/errors.ts'
import { canonicalJson, sha256 } from '../core/hash.ts'
import type { Task } from '../core/task.ts'
import type { RunGrounds } from './grounds.ts'
import type { Manifest } from './manifest.ts'
import { promptHashes } from './prompt-sets.ts'
import { hashOfTasks } from './tasks-hash.ts'

/** Options that change how a run goes, not what it finds. */
const withoutEffect = new Set<keyof RunConfig>([
  'tasks',
  'out',
  'docs',
  'prompts',
  'prices',
  'concurrency',
  'cache',
  'json',
  'browser',
  'chroma',
  'requestTimeout',
  'baseUrl',
  'record',
  'dryRun',
  // A run may go on with more than it began with.
  'runBudgetTokens',
  'runBudgetUsd',
  'runBudgetSearchCalls',
])

async function hashOfFile(path: string): Promise<string | null> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(path), hash)
    return hash.digest('hex')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

async function hashOfDocuments(tasks: readonly Task[], docs: string | null): Promise<string | null> {
  if (docs === null) return null
  const hints = [...new Set(tasks.flatMap(task => task.question.hints))].sort()
  const hashes: [string, string | null][] = []
  for (const hint of hints) hashes.push([hint, await hashOfFile(join(docs, hint))])
  return sha256(canonicalJson(hashes))
}

/** What the results of a run hang on: its options and the hashes of all that they name. */
export async function identityOf(
  config: RunConfig,
  tasks: readonly Task[],
  grounds: RunGrounds,
): Promise<Record<string, unknown>> {
  const options = Object.entries(config).filter(([name]) => !withoutEffect.has(name as keyof RunConfig))
  return {
    ...Object.fromEntries(options),
    models: grounds.modelFacts(),
    tasksSha256: await hashOfTasks(config.tasks),
    documentsSha256: await hashOfDocuments(tasks, config.docs),
    promptsSha256: promptHashes(grounds.prompts),
    webSha256: grounds.web?.hash ?? null,
  }
}

/** Refuses to go on with a run under other conditions than those it began with; names each difference. */
export function requireSameRun(folder: string, earlier: Manifest, identity: Record<string, unknown>): void {
  const names = new Set([...Object.keys(earlier.identity), ...Object.keys(identity)])
  const differences = [...names].filter(
    name => canonicalJson(earlier.identity[name] ?? null) !== canonicalJson(identity[name] ?? null),
  )
  if (differences.length === 0) return
  const shown = differences.map(
    name => `${name} was ${shorten(earlier.identity[name])}, is ${shorten(identity[name])}`,
  )
  throw new ConfigError(
    `${folder} holds another run: ${shown.join('; ')}: choose another --out, or the old options`,
  )
}

function shorten(value: unknown): string {
  const text = canonicalJson(value ?? null)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
