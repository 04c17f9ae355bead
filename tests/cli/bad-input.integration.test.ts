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

describe('wrong input is told in at most three lines with exit code 2', () => {
  const cases: [string, () => string[], RegExp][] = [
    ['an unknown flag, with the nearest', () => [...demo(), '--settng', 'rag'], /--settng.*\n?.*--setting/],
    ['an unknown setting, with the nearest', () => [...demo(), '--setting', 'offlin'], /'offlin': did you mean 'offline'/],
    ['an unknown model', () => [...demo(), '--model', 'extractiv'], /extractiv.*extractive/],
    ['a missing model key', () => [...demo(), '--model', 'openai:gpt-4o'], /OPENAI_API_KEY/],
    ['a missing search key', () => [...demo(), '--setting', 'online'], /SERPER_API_KEY/],
    ['a missing tasks file', () => ['--tasks', join(folder, 'nope.jsonl')], /nope\.jsonl.*no such file/],
    ['an empty tasks file', () => ['--tasks', emptyTasks], /empty\.jsonl/],
    ['a malformed tasks file', () => ['--tasks', brokenTasks], /broken\.jsonl.*(1|line)/],
    ['a missing --tasks', () => [], /--tasks/],
    ['documents that are not there', () => ['--tasks', demoPaths.tasks, '--docs', emptyFolder, '--setting', 'offline'], /\d+ of \d+ missing: /],
    ['no documents named', () => ['--tasks', demoPaths.tasks, '--setting', 'offline'], /--docs/],
    ['no documents named to make a sealed web of', () => ['--tasks', demoPaths.tasks, '--setting', 'online', '--web', 'sealed'], /\d+ of \d+ missing: .*--docs DIR\. \[no-documents\]/],
    ['a server that is not there', () => [...demo(), '--setting', 'offline', '--model', 'openai:x@http://127.0.0.1:9/v1'], /no server answers at http:\/\/127\.0\.0\.1:9\/v1 \(.+\)\. Start the server, or correct its address.*--context-window.*\[server-not-reached\]/],
    ['an empty corpus', () => ['--tasks', demoPaths.tasks, '--docs', emptyFolder, '--setting', 'online', '--web', 'sealed', '--filter', 'academic'], /no documents/],
    ['a run among its documents', () => ['--tasks', demoPaths.tasks, '--docs', out], /--out .*are read as documents; name a folder beside it/],
    ['a cache among the documents', () => [...demo(), '--cache', demoPaths.documents], /--cache .*are read as documents/],
    ['an unknown web', () => [...demo(), '--web', 'seald'], /--web/],
    ['an unknown fault profile', () => [...demo(), '--web', 'sealed', '--faults', 'flakey'], /flakey.*flaky/],
    ['a number that is none', () => [...demo(), '--trials', 'two'], /--trials: 'two'/],
    ['a negative number of trials', () => [...demo(), '--trials', '-1'], /--trials: '-1': not below 0/],
    ['a seed that no double holds', () => [...demo(), '--seed', '99999999999999999999'], /--seed: '9+': at most 9007199254740991/],
    ['a part of a trial', () => [...demo(), '--trials', '1.5'], /--trials: '1\.5': a whole number/],
    ['more trials than a run can hold', () => [...demo(), '--trials', '1000000000'], /--trials: .*at most 10,000/],
    ['more twins than a web can hold', () => [...demo(), '--twins', '1000000000'], /--twins: .*at most 100/],
    ['a temperature below zero', () => [...demo(), '--temperature', '-1'], /--temperature: '-1': 0 or more/],
    ['a temperature above what models take', () => [...demo(), '--temperature', '9'], /--temperature: '9': at most 2/],
    ['an effort that is none', () => [...demo(), '--reasoning-effort', 'hgh'], /--reasoning-effort: 'hgh': did you mean 'high'\?/],
    ['no address to block', () => [...demo(), '--block', ' ,'], /--block: ' ,': names no rule/],
    ['a share above one', () => [...demo(), '--top-p', '2'], /--top-p: '2': more than 0, at most 1/],
    ['no time at all', () => [...demo(), '--request-timeout', '0'], /--request-timeout: '0': more than 0/],
    ['a cache that is a file', () => [...demo(), '--setting', 'offline', '--cache', emptyTasks], /--cache .*empty\.jsonl: can't be written/],
    ['a time that is none', () => [...demo(), '--budget-wall', 'soon'], /--budget-wall: 'soon'/],
    ['a filter that nothing passes', () => [...demo(), '--filter', 'zzz'], /--filter zzz/],
    ['a dollar cap with an unknown price', () => [...demo(), '--model', 'openai:x@http://127.0.0.1:9/v1', '--context-window', '8k', '--budget-usd', '1'], /--prices/],
    ['a price file that is not there', () => [...demo(), '--prices', join(folder, 'nope.json')], /--prices .*nope\.json: .*\[prices-missing\]/],
    ['a browser that is not there', () => [...demo(), '--web', 'sealed', '--browser', '/no/such/browser'], /\/no\/such\/browser/],
    ['a browser that is not there, though nothing goes online', () => [...demo(), '--setting', 'offline', '--browser', '/no/such/browser'], /\[browser-not-found\]/],
    ['an unknown web, though nothing goes online', () => [...demo(), '--setting', 'offline', '--web', 'bogus'], /--web: 'bogus' \(one of live, sealed, sealed:CORPUS, replay:DIR\)/],
    ['a recording that is not there, though nothing goes online', () => [...demo(), '--setting', 'offline', '--web', 'replay:nowhere'], /--web replay:nowhere: .*\[no-web-folder\]/],
    ['an unknown fault profile, though nothing goes online', () => [...demo(), '--setting', 'offline', '--faults', 'flakey'], /--faults flakey/],
    ['an unknown embedder, though nothing is retrieved', () => [...demo(), '--setting', 'offline', '--embedder', 'hsah'], /--embedder: unknown embedder 'hsah': did you mean 'hash'/],
    ['an embedder without its model', () => [...demo(), '--setting', 'offline', '--embedder', 'ollama'], /--embedder: 'ollama': name a model, such as ollama:bge-m3/],
    ['a model of an embedder that has none', () => [...demo(), '--setting', 'offline', '--embedder', 'hash:large'], /'hash:large': .*Write hash alone/],
    ['an address of Chroma that is none', () => [...demo(), '--setting', 'offline', '--chroma', 'localhost'], /--chroma: 'localhost': an http\(s\) URL/],
    ['an address of a model server that is none', () => [...demo(), '--setting', 'offline', '--base-url', 'localhost:1'], /--base-url: 'localhost:1': an http\(s\) URL/],
    ['a control of rag without rag', () => [...demo(), '--setting', 'offline', '--controls', 'oracle'], /--controls oracle: .*Add rag to --setting\. \[control-needs-setting\]/],
    ['a name of the model that is one alone', () => [...demo(), '--setting', 'offline', '--model', 'extractive:large'], /Write --model extractive alone/],
    ['a judge without its key, before the web is made', () => [...demo(), '--setting', 'online', '--web', 'sealed:nowhere', '--judge', 'openai:gpt-4o'], /OPENAI_API_KEY/],
    ['a judge that is none, with the nearest', () => [...demo(), '--judge', 'ruls'], /--judge: 'ruls': did you mean 'rules'\? \(one of rules, none, PROVIDER:NAME\)/],
    ['a judge of an unknown provider', () => [...demo(), '--setting', 'offline', '--judge', 'opnai:gpt-4o'], /--judge: unknown model 'opnai:gpt-4o'/],
    ['a name that nothing is near', () => [...demo(), '--retriever', 'foo'], /--retriever: unknown retriever 'foo' \(one of aoe, bm25/],
    ['a dry run, too', () => [...demo(), '--dry-run', '--setting', 'offline', '--controls', 'random'], /--controls random/],
  ] // biome-ignore format: a table
  it.each(cases)('%s', async (_name, args, words) => {
    const { code, stdout, stderr } = await run(...args())
    expect(stderr).toMatch(words)
    expect(stderr.trim().split('\n').length).toBeLessThanOrEqual(3)
    expect(stderr).not.toContain('    at ')
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
  })

  it('a folder that is a file', async () => {
    const { code, stderr } = await tablehunt(['run', ...demo(), '--setting', 'offline', '--out', emptyTasks])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("can't be written") })
  })

  it('a cache of a worker, or of a judge model, that is a file', async () => {
    const batch = join(folder, 'batch.json')
    await writeFile(batch, '[]')
    const judging = ['score-table', '--batch', batch, '--judge', 'openai:m@http://127.0.0.1:9/v1']
    for (const args of [['worker', '--queue', 'redis://127.0.0.1:9'], judging]) {
      const { code, stderr } = await tablehunt([...args, '--cache', emptyTasks])
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining("can't be written") })
    }
  })

  it.skipIf(process.platform !== 'linux')(
    'a folder in a file system that makes none (/proc, Linux only)',
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
          stderr: expect.stringContaining(`${flag} /proc/x/y: can't be written`),
        })
      }
    },
  )

  it('a report of what is no run', async () => {
    const { code, stderr } = await tablehunt(['report', emptyFolder])
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('no run there') })
  })

  it('names a document without text on stderr, once, and goes on', async () => {
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
    const half = ['--tasks', tasks, '--docs', docs, '--setting', 'offline']
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
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(port) })
  })

  it('leaves nothing behind where nothing began', async () => {
    expect((await readdir(folder)).includes('run') ? await readdir(out) : []).not.toContain('attempts.jsonl')
  })
})
