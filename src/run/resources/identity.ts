import { promptsVersion } from '../../../agents/prompts/words.ts'
import { documentFiles } from '../../../retrieval/context-documents.ts'
import { loadFaultProfile } from '../../../tools/web/fault-profile.ts'
import type { RunConfig } from '../../config.ts'
import { ConfigError } from '../../core/errors.ts'
import { canonicalJson, sha256, sha256OfFile } from '../../core/hash.ts'
import { ifMissing } from '../../core/if-missing.ts'
import { isObject } from '../../core/is-object.ts'
import { builtInPrices } from '../../core/price-table.ts'
import type { Task } from '../../core/task.ts'
import { withoutAddress } from '../../models/spec.ts'
import { promptHashes } from '../plan/prompt-sets.ts'
import type { Manifest } from '../records/manifest.ts'
import { hashOfTasks } from '../records/tasks-hash.ts'
import type { RunResources } from './run-resources.ts'

/** Options that change how a run goes, not what it finds. */
const withoutEffect = new Set<string>([
  'tasks',
  'out',
  // Stands under models, without its server's address.
  'model',
  'docs',
  'prompts',
  'prices',
  'concurrency',
  'cache',
  'queue',
  'json',
  'failUnder',
  // Named where a run has any: earlier versions had none.
  'allowHost',
  'browser',
  'chroma',
  'requestTimeout',
  'baseUrl',
  'record',
  'dryRun',
  'retry',
  'resume',
  // A run may go on with more than it began with.
  'runBudgetTokens',
  'runBudgetUsd',
  'runBudgetSearchCalls',
])

/** Null for one that can't be read: the documents say so. */
async function hashOfFile(path: string): Promise<string | null> {
  try {
    return await sha256OfFile(path)
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) return null
    throw error
  }
}

async function hashOfDocuments(tasks: readonly Task[], docs: string | null): Promise<string | null> {
  if (docs === null) return null
  const hints = [...new Set(tasks.flatMap(task => task.documents.map(document => document.name)))].sort()
  // A worker has no folder where no document was there to be sent.
  const fileOf = await documentFiles(docs).catch(ifMissing)
  const hashes: [string, string | null][] = []
  for (const hint of hints) {
    const path = fileOf?.(hint) ?? null
    hashes.push([hint, path === null ? null : await hashOfFile(path)])
  }
  return sha256(canonicalJson(hashes))
}

/** What the results of a run hang on: its options and the hashes of all that they name. */
export async function identityOf(
  config: RunConfig,
  tasks: readonly Task[],
  resources: RunResources,
): Promise<Record<string, unknown>> {
  const options = Object.entries(config).filter(([name]) => !withoutEffect.has(name))
  return {
    ...withoutAddresses(Object.fromEntries(options)),
    ...(config.allowHost.length === 0 ? {} : { allowHost: config.allowHost }),
    // The same hits as `auto`, whose runs may go on with either.
    vectorStore: config.vectorStore === 'auto' ? 'chroma' : config.vectorStore,
    models: modelIdentities(resources.modelFacts()),
    tasksSha256: await hashOfTasks(config.tasks),
    documentsSha256: await hashOfDocuments(tasks, config.docs),
    prompts: promptsVersion,
    promptsSha256: promptHashes(resources.prompts),
    webSha256: resources.web?.hash ?? null,
    ...(config.faults === null ? {} : { faultsSha256: await hashOfFaults(config.faults) }),
    ...searchPrice(config, resources),
  }
}

/** A profile may be a file, which may have changed. */
async function hashOfFaults(profile: string): Promise<string> {
  return sha256(canonicalJson((await loadFaultProfile(profile)).faults))
}

/** Where --prices gives another than ours: budgets in dollars hang on it, as on a model's. */
function searchPrice(config: RunConfig, { web, webPrices }: RunResources): { readonly searchUsd?: number } {
  const { searchUsd } = webPrices
  if (config.prices === null || web === null || web.entries !== null || searchUsd === null) return {}
  const builtIn = builtInPrices().searches[web.searched?.service ?? config.search]
  return searchUsd === builtIn ? {} : { searchUsd }
}

/** The servers of a judge and an embedder may move, as a model's may. */
function withoutAddresses(options: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const moved = ['judge', 'embedder'].flatMap(name => {
    const value = options[name]
    return typeof value === 'string' ? [[name, withoutAddress(value)] as const] : []
  })
  return { ...options, ...Object.fromEntries(moved) }
}

/** A model server may move and may be given more time; prices stay, since budgets in dollars hang on them. */
function modelIdentities(
  facts: Readonly<Record<string, Readonly<Record<string, unknown>>>>,
): Record<string, unknown> {
  const plain = Object.entries(facts).map(([name, { baseUrl, requestTimeoutMs, ...own }]) => [name, own])
  return Object.fromEntries(plain)
}

/**
 * Refuses to resume a run under other conditions than those it began with; names each difference.
 * @throws ConfigError prompts-version, different-run
 */
export function requireSameRun(folder: string, earlier: Manifest, identity: Record<string, unknown>): void {
  const version = earlier.identity.prompts ?? 1
  if (version !== identity.prompts)
    throw new ConfigError(
      `${folder}: the run began with version ${version} of the prompts, and this is version ${identity.prompts}. Choose another --out, or finish the run with Tablehunt ${earlier.codeVersion ?? earlier.tablehunt}.`,
      { code: 'prompts-version' },
    )
  const differences = differencesOf('', withoutAddresses(earlier.identity), identity)
  if (differences.length === 0) return
  throw new ConfigError(
    `${folder} holds another run: ${differences.join('; ')}: choose another --out, or the old options`,
    { code: 'different-run' },
  )
}

/** Where two values differ, by the path of each place. */
function differencesOf(path: string, before: unknown, now: unknown): string[] {
  if (canonicalJson(before ?? null) === canonicalJson(now ?? null)) return []
  if (!isObject(before) || !isObject(now)) return [`${path} was ${shorten(before)}, is ${shorten(now)}`]
  const names = new Set([...Object.keys(before), ...Object.keys(now)])
  return [...names].flatMap(name =>
    differencesOf(path === '' ? name : `${path}.${name}`, before[name], now[name]),
  )
}

function shorten(value: unknown): string {
  const text = canonicalJson(value ?? null)
  return text.length > 60 ? `${text.slice(0, 57)}...` : text
}
