import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findEngine } from '../../agents/external/isolation/container.ts'
import { findBubblewrapProblem } from '../../agents/external/isolation/isolation.ts'
import { ChromaStartError, startChromaServer } from '../../retrieval/stores/chroma-server.ts'
import { searchServices } from '../../tools/search/registry.ts'
import { modelProviders } from '../models/registry.ts'
import { installCommand, isInstalled, optionalParts } from '../system/optional-packages.ts'
import { readFirstLine } from '../text/plain-text.ts'
import { openCache } from './open-run/open-cache.ts'
import { openRenderer } from './open-run/page-access.ts'
import { readTesseractVersion } from './open-run/programs.ts'

/** Whether an optional program, server or key is available on this machine. */
export interface Finding {
  readonly name: string
  /** Null when it was not found. */
  readonly found: string | null
  /** What does not work without it. */
  readonly cost: string
}

/** Starts a Chroma server on a temporary folder and stops it. */
async function checkChroma(): Promise<Finding> {
  const cost = '--vector-store chroma needs a server of your own (--chroma URL); the default store needs none'
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-doctor-'))
  try {
    const startedAt = performance.now()
    const server = await startChromaServer(folder)
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
    await server.stop()
    return { name: 'chroma', found: `started in ${seconds} s, from the package chromadb`, cost }
  } catch (error) {
    const cause = error instanceof ChromaStartError ? error.reason : readFirstLine(error)
    return { name: 'chroma', found: null, cost: `its server does not start (${cause}): ${cost}` }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function checkIsolation(): Promise<Finding> {
  const problem = await findBubblewrapProblem()
  const engine = findEngine(process.env.PATH ?? '')
  const withEngine = engine === null ? '' : `; ${engine} is installed (--isolate container:IMAGE)`
  return {
    name: 'isolation',
    found: problem === null ? `bubblewrap${withEngine}` : null,
    cost: `agents of your own can read the tasks with their answers: ${problem}${withEngine}`,
  }
}

function nameFoundKeys(env: NodeJS.ProcessEnv, variables: readonly (string | null)[]): string | null {
  const set = [...new Set(variables)].filter(name => name !== null && (env[name] ?? '') !== '')
  return set.length === 0 ? null : set.join(', ')
}

const redisMs = 2_000

async function checkRedis(url: string): Promise<Finding> {
  const { packages } = optionalParts.queue
  if (!packages.every(isInstalled))
    return { name: 'redis', found: null, cost: `not looked for; ${installCommand(packages)}` }
  const { probeRedis, formatRedisPlace } = await import('./queue/redis.ts')
  const place = formatRedisPlace(url)
  const probe = await probeRedis(url, redisMs)
  const cost = 'runs use this machine only (install redis-server, or name a server with --queue)'
  if ('version' in probe) return { name: 'redis', found: `${probe.version} at ${place}`, cost }
  return { name: 'redis', found: null, cost: `no answer at ${place} (${probe.problem}): ${cost}` }
}

async function cacheFinding(env: NodeJS.ProcessEnv): Promise<Finding> {
  const notices: string[] = []
  try {
    const folder = await openCache({ cache: null, env, tell: line => notices.push(line) })
    return { name: 'cache', found: notices[0]?.replace(/^cache: /, '') ?? folder, cost: '' }
  } catch (error) {
    return { name: 'cache', found: null, cost: readFirstLine(error) }
  }
}

/**
 * Checks which optional programs, servers and keys this machine has. Keys are reported by name, never by value.
 *
 * @param queue the address at which to look for Redis
 */
export async function runDoctorChecks(env: NodeJS.ProcessEnv, queue: string): Promise<Finding[]> {
  const searchKeys = searchServices.entries().map(([, provider]) => provider.keyVariable)
  const modelKeys = modelProviders.entries().map(([, provider]) => provider.keyVariable)
  return [
    { name: 'node', found: process.version, cost: '' },
    {
      name: 'browser',
      found: (await openRenderer(null, env, () => undefined))?.name ?? null,
      cost: 'pages are read without JavaScript; pages that need it stay empty',
    },
    await checkChroma(),
    {
      name: 'tesseract',
      found: await readTesseractVersion(),
      cost: 'scanned pages have no text (install tesseract-ocr)',
    },
    await checkIsolation(),
    await checkRedis(queue),
    await cacheFinding(env),
    {
      name: 'search keys',
      found: nameFoundKeys(env, searchKeys),
      cost: '--web live cannot search; --web sealed needs no key',
    },
    {
      name: 'model keys',
      found: nameFoundKeys(env, modelKeys),
      cost: 'only the models extractive and scripted, and your own servers (--base-url)',
    },
    ...checkPackages(),
  ]
}

/** Looks for the packages that users install when they need them. */
function checkPackages(): Finding[] {
  const providers = modelProviders.entries().map(([name, { package: packageName }]) => ({
    use: `--model ${name}:…`,
    packages: packageName === null ? [] : [packageName],
  }))
  return [...Object.values(optionalParts), ...providers].flatMap(({ use, packages }) =>
    packages.map(name => ({
      name,
      found: isInstalled(name) ? 'installed' : null,
      cost: `${use} (${installCommand([name])})`,
    })),
  )
}
