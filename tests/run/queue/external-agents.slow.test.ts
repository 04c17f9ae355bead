import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { readRun } from '../../../src/run/records/read-records.ts'
import { listIsolations } from '../../agents/external-attempt.ts'
import { completion, send, startOpenAiServer } from '../../models/openai-server.ts'
import { expectDone, newSetup, recordsOf, type Setup, startProcess, stopAll } from './campaign-setup.ts'
import { type RealRedis, realRedis, redisIsInstalled, whyNoRedis } from './redis-server.ts'

const [, isolated] = await listIsolations()
const table = '```csv\\nFilename,Revenue\\nelm.txt,"4,512"\\n```'
const online = ['--setting', 'online', '--web', 'sealed', '--browser', 'off', '--isolate', 'none']
/** PATH with node alone, and with a folder in front. */
const pathWith = (...folders: string[]) => ({
  PATH: [...folders, dirname(process.execPath), '/bin'].join(delimiter),
})

/** Writes a program that is found on PATH in its folder. */
async function program(name: string, script: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'agent-program-'))
  await writeFile(join(folder, name), `#!/usr/bin/env node\n${script}\n`, { mode: 0o755 })
  return folder
}

let setup: Setup
afterEach(async () => {
  await stopAll()
  await setup.remove()
})

describe.skipIf(!redisIsInstalled)(`an external agent on several machines${whyNoRedis}`, () => {
  let server: RealRedis
  beforeAll(async () => {
    server = await realRedis()
    await server.start()
  })
  afterAll(async () => {
    await server.kill()
  })

  it('is refused by a worker that lacks its program, and run by another', async () => {
    setup = await newSetup(3)
    const folder = await program('guess-agent', `console.log('${table}')`)
    const run = startProcess(
      [
        ...['run', ...setup.options, ...online, '--agent', 'command: guess-agent'],
        ...['--out', setup.out('run'), '--queue', server.url],
      ],
      { env: pathWith(folder, '/usr/bin') },
    )
    const worker = (name: string, path: Record<string, string>, ...more: string[]) =>
      startProcess(
        [
          ...['worker', '--queue', server.url, '--cache', setup.out(`cache-${name}`)],
          ...['--allow-agent', 'isolate:none', ...more],
        ],
        { env: path },
      )

    const careful = await worker('careful', pathWith(folder, '/usr/bin')).ended
    expect(careful.code, careful.stderr).toBe(1)
    expect(careful.stderr).toMatch(
      /--agent would start 'command: guess-agent' here.*--allow-agent.*\[worker-refuses-agent\]/,
    )
    const allow = ['--allow-agent', 'command: guess-agent']
    const without = await worker('without', pathWith('/usr/bin'), ...allow).ended
    expect(without.code, without.stderr).toBe(2)
    expect(without.stderr).toMatch(
      /program 'guess-agent' is not on this machine.*\[agent-program-not-found\]/,
    )
    await run.saying("the program 'guess-agent' is not on this machine")

    const able = worker('able', pathWith(folder, '/usr/bin'), ...allow)
    await expectDone(run, setup.out('run'), 3)
    able.signal('SIGINT')
    await able.ended
    const { attempts, scores } = await readRun(setup.out('run'))
    expect(attempts.map(({ agent }) => agent)).toEqual(Array(3).fill('guess-agent'))
    expect(scores.map(score => score.metrics.cellF1)).toEqual([1, 1, 1])
  })

  it.skipIf(isolated!.isMissing)(`${isolated!.title} sees no file of the worker's secret`, async () => {
    setup = await newSetup(1)
    const folder = await program(
      'look.mjs',
      `import { readdirSync } from 'node:fs'
       console.log('sees ' + readdirSync(new URL('.', import.meta.url)).join(' '))`,
    )
    const secret = join(folder, 'shared.txt')
    await writeFile(secret, 'a secret of the run and its workers')
    const agent = `command: node ${join(folder, 'look.mjs')}`
    const queue = ['--queue', server.url, '--queue-secret', `file:${secret}`]
    const worker = startProcess([
      ...['worker', ...queue, '--cache', setup.out('cache'), '--allow-agent', agent],
    ])
    const run = startProcess([
      ...['run', ...setup.options, ...online.slice(0, -1), 'bubblewrap', '--agent', agent],
      ...['--out', setup.out('run'), ...queue],
    ])
    await expectDone(run, setup.out('run'), 1)
    worker.signal('SIGINT')
    await worker.ended
    const [answer] = await readdir(join(setup.out('run'), 'answers'))
    expect(await readFile(join(setup.out('run'), 'answers', answer!), 'utf8')).toBe('sees look.mjs\n')
  })
})

describe('an external agent', () => {
  /** Returns the ids of the processes whose environment contains the text. */
  async function processesWith(text: string): Promise<string[]> {
    const ids = (await readdir('/proc')).filter(name => /^\d+$/.test(name))
    const environments = await Promise.all(
      ids.map(async id => [id, await readFile(`/proc/${id}/environ`, 'utf8').catch(() => '')] as const),
    )
    return environments.filter(([, environment]) => environment.includes(text)).map(([id]) => id)
  }

  it.skipIf(process.platform !== 'linux')(
    'ends with the run at Ctrl-C, and its attempts are made when the run is resumed',
    async () => {
      setup = await newSetup(3)
      const started = setup.out('started')
      // The first time, the agent and its child ignore the end of everything.
      const script = join(setup.folder, 'stubborn.mjs')
      await writeFile(
        script,
        `import { spawn } from 'node:child_process'
         import { existsSync, writeFileSync } from 'node:fs'
         import { env } from 'node:process'
         if (existsSync('${started}')) {
           console.log('${table}')
           process.exit(0)
         }
         process.on('SIGTERM', () => {})
         spawn(process.execPath, ['-e', 'process.on("SIGTERM", () => {}); setInterval(() => {}, 1000)'], { detached: true })
         setInterval(() => {}, 1000)
         if (env.MARK_FILE) writeFileSync(env.MARK_FILE, env.TABLEHUNT_TASK)`,
      )
      const mark = setup.out('mark')
      await writeFile(
        join(setup.folder, 'tablehunt.config.json'),
        JSON.stringify({ agents: { stubborn: { command: ['node', script], env: { MARK_FILE: mark } } } }),
      )
      const args = [
        ...['run', ...setup.options, ...online, '--config', join(setup.folder, 'tablehunt.config.json')],
        ...['--agent', 'stubborn', '--concurrency', '1', '--out', setup.out('run')],
      ]
      const run = startProcess(args)
      const isMarked = async () => (await readFile(mark, 'utf8').catch(() => '')) !== ''
      await vi.waitUntil(isMarked, { timeout: 60_000, interval: 50 })
      expect(await processesWith(`MARK_FILE=${mark}`)).toHaveLength(2)
      // The second Ctrl-C ends running attempts at once.
      run.signal('SIGINT')
      await run.saying(/Ctrl-C/)
      run.signal('SIGINT')
      const { code, stderr } = await run.ended
      expect(code, stderr).toBe(130)
      expect(await processesWith(`MARK_FILE=${mark}`)).toEqual([])

      await writeFile(started, '')
      await expectDone(startProcess([...args, '--resume']), setup.out('run'), 3)
      const { attempts } = await readRun(setup.out('run'))
      expect(attempts.map(({ termination }) => termination.reason)).toEqual(Array(3).fill('answered'))
    },
  )

  it('is started again for the attempts that --retry names', async () => {
    let isRepaired = false
    const server = await startOpenAiServer((request, response) => {
      const isBroken = !isRepaired && JSON.stringify(request.body).includes('group 0')
      if (isBroken) send(response, 400, { error: { message: 'no such field' } })
      else send(response, 200, completion({ content: table.replaceAll('\\n', '\n') }))
    })
    setup = await newSetup(2, server.url)
    const script = join(setup.folder, 'asking.mjs')
    await writeFile(
      script,
      `import { readFileSync } from 'node:fs'
       const messages = [{ role: 'user', content: readFileSync(0, 'utf8') }]
       const response = await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', {
         method: 'POST',
         body: JSON.stringify({ model: 'any', messages }),
       })
       if (!response.ok) throw new Error(await response.text())
       console.log((await response.json()).choices[0].message.content)`,
    )
    const args = [
      ...['run', ...setup.options.filter(word => !['--setting', 'offline'].includes(word)), ...online],
      ...['--agent', `command: node ${script}`, '--out', setup.out('run')],
    ]
    const reasons = async () =>
      (await readRun(setup.out('run'))).attempts.map(({ termination }) => termination.reason)
    await expectDone(startProcess(args), setup.out('run'), 2)
    expect(await reasons()).toEqual(['bad-response', 'answered'])
    isRepaired = true
    await expectDone(startProcess([...args, '--retry', 'bad-response']), setup.out('run'), 2)
    expect(await reasons()).toEqual(['answered', 'answered'])
    expect([...(await recordsOf(setup.out('run'))).values()].sort()).toEqual([1, 2])
    await server.close()
  })
})
