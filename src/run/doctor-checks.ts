import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ChromaStartError, startChromaServer } from '../../retrieval/stores/chroma-server.ts'
import { searchServices } from '../../tools/search/registry.ts'
import { modelProviders } from '../models/registry.ts'
import { firstLineOf } from '../text/plain-text.ts'
import { openCache } from './resources/open-cache.ts'
import { openRenderer } from './resources/page-access.ts'
import { tesseractVersion } from './resources/programs.ts'

/** One thing that may or may not be on this machine. */
export interface Finding {
  readonly name: string
  /** What was found; null: nothing. */
  readonly found: string | null
  /** What its lack costs. */
  readonly cost: string
}

/** Starts Chroma's server on a folder of its own and stops it again. */
async function chromaFinding(): Promise<Finding> {
  const cost = 'rag searches exactly, with the same hits (--chroma URL names a server of your own)'
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-doctor-'))
  try {
    const startedAt = performance.now()
    const server = await startChromaServer(folder)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    await server.stop()
    return { name: 'chroma', found: `started in ${seconds} s, from the package chromadb`, cost }
  } catch (error) {
    const cause = error instanceof ChromaStartError ? error.reason : firstLineOf(error)
    return { name: 'chroma', found: null, cost: `its server does not start (${cause}): ${cost}` }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function keysFound(env: NodeJS.ProcessEnv, variables: readonly (string | null)[]): string | null {
  const set = [...new Set(variables)].filter(name => name !== null && (env[name] ?? '') !== '')
  return set.length === 0 ? null : set.join(', ')
}

const redisMs = 2_000

async function redisFinding(url: string): Promise<Finding> {
  const { askRedis, redisPlace } = await import('./queue/redis.ts')
  const place = redisPlace(url)
  const asked = await askRedis(url, redisMs)
  const cost = 'runs are made on this machine alone (install redis-server, or name another with --queue)'
  if ('version' in asked) return { name: 'redis', found: `${asked.version} at ${place}`, cost }
  return { name: 'redis', found: null, cost: `nothing answers at ${place} (${asked.problem}): ${cost}` }
}

async function cacheFinding(env: NodeJS.ProcessEnv): Promise<Finding> {
  const notices: string[] = []
  try {
    const folder = await openCache({ given: null, env, tell: line => notices.push(line) })
    return { name: 'cache', found: notices[0]?.replace(/^cache: /, '') ?? folder, cost: '' }
  } catch (error) {
    return { name: 'cache', found: null, cost: firstLineOf(error) }
  }
}

/** What is here, and what each lack costs. Names of keys, never their values; `queue`: where a Redis is looked for. */
export async function doctorChecks(env: NodeJS.ProcessEnv, queue: string): Promise<Finding[]> {
  const searchKeys = searchServices.entries().map(([, provider]) => provider.keyVariable)
  const modelKeys = modelProviders.entries().map(([, provider]) => provider.keyVariable)
  return [
    { name: 'node', found: process.version, cost: '' },
    {
      name: 'browser',
      found: (await openRenderer(null, env))?.name ?? null,
      cost: 'pages are read over plain HTTP; those that need JavaScript stay empty',
    },
    await chromaFinding(),
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
