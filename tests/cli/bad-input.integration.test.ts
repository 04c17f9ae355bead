import { mkdir, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { demoPaths } from '../../tasks/demo/demo.ts'
import { tablehunt } from './cli.ts'

let folder: string
let out: string
let emptyTasks: string
let brokenTasks: string
let emptyFolder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-cli-'))
  out = join(folder, 'run')
  emptyTasks = join(folder, 'empty.jsonl')
  brokenTasks = join(folder, 'broken.jsonl')
  emptyFolder = join(folder, 'nothing')
  await writeFile(emptyTasks, '')
  await writeFile(brokenTasks, '{"record_id": \n')
  await mkdir(emptyFolder)
})

const run = (...args: string[]) => tablehunt(['run', '--out', out, ...args])
const demo = () => ['--tasks', demoPaths.tasks, '--docs', demoPaths.documents]

describe('a command with wrong input ends with code 2 and at most three lines for', () => {
  /** The arguments of `run` and the code of the error. */
  const cases: [string, () => string[], string][] = [
    ['an unknown setting', () => [...demo(), '--setting', 'offlin'], 'unknown-setting'],
    ['an unknown model', () => [...demo(), '--model', 'extractiv'], 'unknown-model-provider'],
    ['a missing model key', () => [...demo(), '--model', 'openai:gpt-4o'], 'missing-key'],
    ['a missing search key', () => [...demo(), '--setting', 'online'], 'missing-key'],
    ['a missing tasks file', () => ['--tasks', join(folder, 'nope.jsonl')], 'tasks-not-found'],
    ['an empty tasks file', () => ['--tasks', emptyTasks], 'no-task'],
    ['a malformed tasks file', () => ['--tasks', brokenTasks], 'no-task'],
    ['a missing --tasks', () => [], 'missing-option'],
    ['a folder without the documents', () => ['--tasks', demoPaths.tasks, '--docs', emptyFolder, '--setting', 'offline'], 'no-documents'],
    ['tasks without --docs', () => ['--tasks', demoPaths.tasks, '--setting', 'offline'], 'no-documents'],
    ['a sealed web without --docs', () => ['--tasks', demoPaths.tasks, '--setting', 'online', '--web', 'sealed'], 'no-documents'],
    ['a model server that does not answer', () => [...demo(), '--setting', 'offline', '--model', 'openai:x@http://127.0.0.1:9/v1'], 'server-not-reached'],
    ['a sealed web without documents', () => ['--tasks', demoPaths.tasks, '--docs', emptyFolder, '--setting', 'online', '--web', 'sealed', '--filter', 'academic'], 'empty-corpus'],
    ['a run folder that is the folder of documents', () => ['--tasks', demoPaths.tasks, '--docs', out], 'folder-among-documents'],
    ['a cache folder that is the folder of documents', () => [...demo(), '--cache', demoPaths.documents], 'folder-among-documents'],
    ['an unknown web', () => [...demo(), '--web', 'seald'], 'invalid-option'],
    ['an unknown fault profile', () => [...demo(), '--web', 'sealed', '--faults', 'flakey'], 'unknown-fault-profile'],
    ['a text for a number', () => [...demo(), '--trials', 'two'], 'invalid-option'],
    ['a negative number of trials', () => [...demo(), '--trials', '-1'], 'invalid-option'],
    ['a seed beyond the largest safe integer', () => [...demo(), '--seed', '99999999999999999999'], 'invalid-option'],
    ['a fraction of a trial', () => [...demo(), '--trials', '1.5'], 'invalid-option'],
    ['too many trials', () => [...demo(), '--trials', '1000000000'], 'invalid-option'],
    ['too many twins', () => [...demo(), '--twins', '1000000000'], 'invalid-option'],
    ['a temperature below zero', () => [...demo(), '--temperature', '-1'], 'invalid-option'],
    ['a temperature above 2', () => [...demo(), '--temperature', '9'], 'invalid-option'],
    ['an unknown reasoning effort', () => [...demo(), '--reasoning-effort', 'hgh'], 'invalid-option'],
    ['an empty list of addresses to block', () => [...demo(), '--block', ' ,'], 'invalid-option'],
    ['a share above one', () => [...demo(), '--top-p', '2'], 'invalid-option'],
    ['a time of 0', () => [...demo(), '--request-timeout', '0'], 'invalid-option'],
    ['a cache folder that is a file', () => [...demo(), '--setting', 'offline', '--cache', emptyTasks], 'folder-not-writable'],
    ['a text for a time', () => [...demo(), '--budget-wall', 'soon'], 'invalid-option'],
    ['a filter that matches no task', () => [...demo(), '--filter', 'zzz'], 'no-task-matches'],
    ['a budget in dollars when the price is unknown', () => [...demo(), '--model', 'openai:x@http://127.0.0.1:9/v1', '--context-window', '8k', '--budget-usd', '1'], 'unknown-price'],
    ['a missing price file', () => [...demo(), '--prices', join(folder, 'nope.json')], 'prices-missing'],
    ['a missing browser', () => [...demo(), '--web', 'sealed', '--browser', '/no/such/browser'], 'browser-not-found'],
    ['a missing browser, also without the online setting', () => [...demo(), '--setting', 'offline', '--browser', '/no/such/browser'], 'browser-not-found'],
    ['an unknown web, also without the online setting', () => [...demo(), '--setting', 'offline', '--web', 'bogus'], 'invalid-option'],
    ['a missing recording, also without the online setting', () => [...demo(), '--setting', 'offline', '--web', 'replay:nowhere'], 'no-web-folder'],
    ['an unknown fault profile, also without the online setting', () => [...demo(), '--setting', 'offline', '--faults', 'flakey'], 'unknown-fault-profile'],
    ['an unknown embedder, also without the rag setting', () => [...demo(), '--setting', 'offline', '--embedder', 'hsah'], 'unknown-embedder'],
    ['an embedder without its model', () => [...demo(), '--setting', 'offline', '--embedder', 'ollama'], 'missing-embedder-model'],
    ['a model name for an embedder with one model', () => [...demo(), '--setting', 'offline', '--embedder', 'hash:large'], 'unexpected-embedder-model'],
    ['an invalid address of Chroma', () => [...demo(), '--setting', 'offline', '--chroma', 'localhost'], 'invalid-option'],
    ['an invalid address of a model server', () => [...demo(), '--setting', 'offline', '--base-url', 'localhost:1'], 'invalid-option'],
    ['a control of rag without the rag setting', () => [...demo(), '--setting', 'offline', '--controls', 'oracle'], 'control-needs-setting'],
    ['a model name for a provider with one model', () => [...demo(), '--setting', 'offline', '--model', 'extractive:large'], 'invalid-model'],
    ['a judge without its key, before the web is opened', () => [...demo(), '--setting', 'online', '--web', 'sealed:nowhere', '--judge', 'openai:gpt-4o'], 'missing-key'],
    ['an unknown judge', () => [...demo(), '--judge', 'ruls'], 'invalid-option'],
    ['a judge of an unknown provider', () => [...demo(), '--setting', 'offline', '--judge', 'opnai:gpt-4o'], 'unknown-model-provider'],
    ['a name that is unlike all others', () => [...demo(), '--retriever', 'foo'], 'unknown-retriever'],
    ['wrong options of a dry run', () => [...demo(), '--dry-run', '--setting', 'offline', '--controls', 'random'], 'control-needs-setting'],
  ] // biome-ignore format: a table
  it.each(cases)('%s', async (_name, args, errorCode) => {
    const { code, stdout, stderr } = await run(...args())
    expect(stderr).toContain(` [${errorCode}]\n`)
    expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(3)
    expect(stderr).not.toContain('    at ')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  it('an unknown flag, and suggests the nearest one', async () => {
    const { code, stderr } = await run(...demo(), '--settng', 'rag')
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringMatching(/--settng.*\n?.*--setting/) })
  })

  it('a run folder that is a file', async () => {
    const { code, stderr } = await tablehunt(['run', ...demo(), '--setting', 'offline', '--out', emptyTasks])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('[folder-not-writable]') })
  })

  it('an option of run, with a message that names the place and the fix', async () => {
    const { stderr } = await run(...demo(), '--trials', 'two')
    expect(stderr).toBe(
      "tablehunt: --trials: 'two' is not valid: expected a number such as 8000, 8k or 4m [invalid-option]\n",
    )
  })

  it('a cache folder of a worker or of a judge model that is a file', async () => {
    const batch = join(folder, 'batch.json')
    await writeFile(batch, '[]')
    const judging = ['score', batch, '--judge', 'openai:m@http://127.0.0.1:9/v1']
    for (const args of [['worker', '--queue', 'redis://127.0.0.1:9'], judging]) {
      const { code, stderr } = await tablehunt([...args, '--cache', emptyTasks])
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('[folder-not-writable]') })
    }
  })

  it.skipIf(process.platform !== 'linux')(
    'a folder in a file system that creates none (/proc, Linux only)',
    async () => {
      for (const flag of ['--out', '--cache']) {
        const args = [
          'run',
          ...demo(),
          '--setting',
          'offline',
          ...(flag === '--out' ? [] : ['--out', out]),
          flag,
          '/proc/x/y',
        ]
        const { code, stderr } = await tablehunt(args)
        expect({ code, stderr }).toEqual({
          code: 2,
          stderr: expect.stringMatching(new RegExp(`${flag} /proc/x/y: .*\\[folder-not-writable\\]`)),
        })
      }
    },
  )

  it('a report of a folder without a run', async () => {
    const { code, stderr } = await tablehunt(['report', emptyFolder])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('[not-a-run]') })
  })

  it('with --allow-missing-documents, a run continues after a document without text, which it names once on stderr', async () => {
    const docs = join(folder, 'docs')
    await mkdir(docs)
    await writeFile(join(docs, 'a.pdf'), '')
    await writeFile(join(docs, 'b.txt'), 'Total revenue 5')
    const tasks = join(folder, 'half.jsonl')
    const answers = [{ Filename: 'b.txt', 'Revenue ($)': '5' }]
    const record = { query: 'List the revenue.', language: 'en', input_doc: ['a.pdf', 'b.txt'], answers }
    const columns = { key_cols: ['Filename'], target_value_columns: ['Revenue ($)'], numeric_columns: [] }
    const lines = [0, 1].map(n => JSON.stringify({ record_id: `financial_0_${n}_en`, ...record, ...columns }))
    await writeFile(tasks, lines.join('\n'))
    const half = ['--tasks', tasks, '--docs', docs, '--setting', 'offline', '--allow-missing-documents']
    const { code, stderr } = await tablehunt(['run', '--out', join(folder, 'half'), ...half])
    expect([code, stderr.match(/^documents: a\.pdf: empty: the file has 0 bytes$/gm)?.length]).toEqual([0, 1])
  })

  it('a port in use', async () => {
    const corpus = join(folder, 'corpus')
    await tablehunt(['web', 'build', demoPaths.documents, '--out', corpus])
    const server = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => server.once('listening', resolve))
    const port = String((server.address() as AddressInfo).port)
    const { code, stderr } = await tablehunt(['web', 'serve', corpus, '--port', port])
    server.close()
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringMatching(`${port}.*\\[port-not-available\\]`),
    })
  })

  it('a run that did not start, and writes no attempts', async () => {
    expect((await readdir(folder)).includes('run') ? await readdir(out) : []).not.toContain('attempts.jsonl')
  })
})
