import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { listenOnLocalhost } from '../src/system/listen.ts'
import { packageRoot } from '../src/system/paths.ts'
import type { Bench, Figure } from './figure.ts'
import { benchDocuments } from './parts/documents.ts'
import { nodeStartMs } from './parts/process.ts'
import { median, rounded } from './parts/statistics.ts'
import { withTemporaryFolder } from './parts/temporary-folder.ts'

const repetitions = 5
const limitMs = 1_000

/** The settings of the measured runs, by figure. */
const settings = { 'run-first-call-ms': 'offline', 'run-first-call-rag-online-ms': 'rag,online' } as const

/** The time that a user waits until a run asks its model for the first time, with the texts of documents in the cache. */
export const firstCall: Bench = {
  summary:
    'time from the start of `tablehunt run` to its first model call, documents cached, server on 127.0.0.1',
  read: 'The ratio is relative to `node -e 0`. Read it on an idle machine.',
  why: 'It is what a user waits before a run begins to work.',
  figures: Object.keys(settings),
  targets: Object.fromEntries(Object.keys(settings).map(name => [name, { atMost: limitMs }])),
  run: () => withTemporaryFolder(measure),
}

async function measure(folder: string): Promise<Figure[]> {
  const documents = benchDocuments()
  const figures: Figure[] = []
  for (const [figure, setting] of Object.entries(settings)) {
    const times: number[] = []
    // The first run fills the cache and does not count.
    for (let turn = 0; turn <= repetitions; turn++) {
      const given = ['--tasks', documents.tasks, '--docs', documents.folder, '--setting', setting]
      const own = ['--cache', join(folder, 'cache'), '--out', join(folder, `${figure}-${turn}`)]
      const ms = await firstCallMs([...given, ...own])
      if (turn > 0) times.push(ms)
    }
    const nodeMs = await nodeStartMs()
    figures.push({
      figure,
      value: rounded(median(times), 0),
      unit: 'ms',
      against: `node -e 0: ${rounded(nodeMs, 0)} ms; ${documents.name}, --setting ${setting}`,
      ratio: rounded(median(times) / nodeMs, 1),
    })
  }
  return figures
}

/** Starts a run and ends it at its first request. The run sends its model calls and its searches to this process. */
async function firstCallMs(options: readonly string[]): Promise<number> {
  const server = createServer((_, response) => void response.writeHead(503).end())
  const address = `http://127.0.0.1:${await listenOnLocalhost(server, 0)}`
  const model = ['--model', `openai:bench@${address}/v1`, '--context-window', '128000']
  const startedAt = performance.now()
  const run = spawn(
    process.execPath,
    [join(packageRoot, 'bin', 'tablehunt.js'), 'run', ...options, ...model],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, SERPER_API_KEY: 'bench', SERPER_BASE_URL: address },
    },
  )
  try {
    await Promise.race([once(server, 'request'), failure(run)])
    return performance.now() - startedAt
  } finally {
    run.kill('SIGKILL')
    server.closeAllConnections()
    server.close()
  }
}

/** Rejects when the run ends before its first call. */
async function failure(run: ChildProcess): Promise<never> {
  let said = ''
  run.stderr?.on('data', data => {
    said += String(data)
  })
  const [code] = await once(run, 'close')
  throw new Error(`the run ended with ${code} before its first model call: ${said.slice(-2_000)}`)
}
