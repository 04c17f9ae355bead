import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { searchProviders } from '../../../tools/search/registry.ts'
import { cacheFolder } from '../../core/cache-folder.ts'
import { firstLineOf } from '../../core/first-line.ts'
import { modelProviders } from '../../models/registry.ts'
import { codeVersion } from '../folder/code-version.ts'
import { requireWritable } from '../require-writable.ts'
import { openRenderer } from './grounds.ts'

/** One thing that may or may not be on this machine. */
export interface Finding {
  readonly name: string
  /** What was found; null: nothing. */
  readonly found: string | null
  /** What its lack costs. */
  readonly cost: string
}

const run = promisify(execFile)

/** The first line that tesseract prints of its version; null where it is not installed. */
async function tesseractVersion(): Promise<string | null> {
  try {
    const { stdout, stderr } = await run('tesseract', ['--version'], { timeout: 10_000 })
    return `${stdout}${stderr}`.split('\n')[0]?.trim() ?? null
  } catch {
    return null
  }
}

async function chromaFound(): Promise<string | null> {
  try {
    await import('chromadb')
    return 'in the package chromadb'
  } catch {
    return null
  }
}

function keysFound(env: NodeJS.ProcessEnv, variables: readonly (string | null)[]): string | null {
  const set = [...new Set(variables)].filter(name => name !== null && (env[name] ?? '') !== '')
  return set.length === 0 ? null : set.join(', ')
}

/** Programs by which two machines may make the same attempt otherwise; null: not here. */
export async function programsOf(env: NodeJS.ProcessEnv): Promise<Record<string, string | null>> {
  return {
    tablehunt: await codeVersion(),
    tesseract: await tesseractVersion(),
    browser: (await openRenderer(null, env))?.name ?? null,
  }
}

const redisMs = 2_000

async function redisFinding(url: string): Promise<Finding> {
  const { askRedis, redisPlace } = await import('../queue/redis.ts')
  const place = redisPlace(url)
  const asked = await askRedis(url, redisMs)
  const cost = 'runs are made on this machine alone (install redis-server, or name another with --queue)'
  if ('version' in asked) return { name: 'redis', found: `${asked.version} at ${place}`, cost }
  return { name: 'redis', found: null, cost: `nothing answers at ${place} (${asked.problem}): ${cost}` }
}

async function cacheFinding(env: NodeJS.ProcessEnv): Promise<Finding> {
  const folder = cacheFolder(null, env)
  const problem = await requireWritable('--cache', folder).then(() => null, firstLineOf)
  return { name: 'cache', found: problem === null ? folder : null, cost: problem ?? '' }
}

/** What is here, and what each lack costs. Names of keys, never their values; `queue`: where a Redis is looked for. */
export async function surroundings(env: NodeJS.ProcessEnv, queue: string): Promise<Finding[]> {
  const searchKeys = Object.values(searchProviders).map(provider => provider.keyVariable)
  const modelKeys = Object.values(modelProviders).map(provider => provider.keyVariable)
  return [
    { name: 'node', found: process.version, cost: '' },
    {
      name: 'browser',
      found: (await openRenderer(null, env))?.name ?? null,
      cost: 'pages are read over plain HTTP; those that need JavaScript stay empty',
    },
    { name: 'chroma', found: await chromaFound(), cost: 'use --vector-store exact, or --chroma URL' },
    {
      name: 'tesseract',
      found: await tesseractVersion(),
      cost: 'scanned pages give no text (install tesseract-ocr)',
    },
    await redisFinding(queue),
    await cacheFinding(env),
    {
      name: 'search keys',
      found: keysFound(env, searchKeys),
      cost: '--web live cannot search; --web sealed can',
    },
    {
      name: 'model keys',
      found: keysFound(env, modelKeys),
      cost: 'only extractive, scripted and servers of your own (--base-url)',
    },
  ]
}
