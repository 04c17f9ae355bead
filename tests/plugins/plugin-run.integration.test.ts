import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTrace } from '../../logs/reader.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { spawnTablehunt, tablehunt } from '../cli/cli.ts'
import { type LocalWeb, localWeb } from '../tools/support/local-web.ts'

const task = {
  record_id: 'financial_elm_4_en',
  language: 'en',
  domain: 'financial',
  query: 'What was the revenue of Elm in euros?',
  input_doc: ['elm.html'],
  answers: [{ Filename: 'elm.html', Revenue: '900' }],
  key_cols: ['Filename'],
  target_value_columns: ['Revenue'],
  numeric_columns: ['Revenue'],
}

/** A search service that asks the address of SHELF_URL, and a tool. */
const plugin = `
import { definePlugin, defineTool, z } from 'tablehunt'
import { rates } from './rates.ts'

export default definePlugin({
  name: 'bookshop',
  searchServices: {
    shelf: {
      summary: 'what stands on our shelf',
      keyVariable: null,
      baseUrlVariable: 'SHELF_URL',
      create: ({ baseUrl }) => ({
        name: 'shelf',
        search: async ({ query }, call) => {
          const answer = await call('GET', baseUrl + '/find?q=' + encodeURIComponent(query), {}, null)
          return { hits: JSON.parse(new TextDecoder().decode(answer.body)) }
        },
      }),
    },
  },
  settings: {
    once: {
      summary: 'one search, and its first hit is the answer',
      source: 'web',
      run: async (question, environment) => {
        const charged: string[] = []
        const tools = environment.tools({
          ...environment.sharedToolEnvironment,
          signal: environment.signal,
          charge: (_kind, what) => void charged.push(what),
          retried: () => undefined,
        })
        const names = tools.map(tool => tool.name)
        return {
          answerText: [...names, environment.caps.searchCalls].join(' '),
          termination: {
            cause: 'agent', reason: 'answered-without-table', answerProduced: false, forcedFinal: false,
            lastHealthyStep: 1, detail: null,
          },
          usage: {
            inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0, modelCalls: 0, searchCalls: 0,
            fetchCalls: 0, toolErrors: 0, wallMs: 0, workingMs: 0, usd: 0, usdModel: 0, usdSearch: 0, usdFetch: 0,
          },
          context: null,
          retrieval: null,
          chunks: null,
        }
      },
    },
  },
  tools: {
    convert: defineTool({
      name: 'convert',
      description: 'Converts an amount of a currency to euros.',
      schema: z.object({ amount: z.number(), currency: z.string() }),
      run: async ({ amount, currency }, { charge }) => {
        charge('fetchCalls', 'convert: ' + currency)
        return amount * rates[currency]! + ' EUR'
      },
    }),
  },
})
`

const answer = 'Here.\n```csv\nFilename,Revenue\nelm.html,900\n```'
const usage = { inputTokens: 100, outputTokens: 20 }
const turns = [
  { toolCalls: [{ name: 'web_search', args: { queries: ['elm revenue'] } }], usage },
  { toolCalls: [{ name: 'convert', args: { amount: 1000, currency: 'USD' } }], usage },
  { toolCalls: [{ name: 'convert', args: { amount: 'many' } }], usage },
  { text: answer, usage },
]

describe('a run with a plug-in', () => {
  let folder: string
  let web: LocalWeb
  const at = (name: string): string => join(folder, name)
  const run = (out: string, ...more: string[]) =>
    tablehunt(
      [
        ...['run', '--tasks', at('tasks.jsonl'), '--out', at(out), '--browser', 'off'],
        ...['--model', `scripted:${at('turns.jsonl')}`, '--context-window', '32k', '--cache', at('cache')],
        ...['--search', 'shelf', ...(more.includes('--setting') ? [] : ['--setting', 'online']), ...more],
      ],
      { env: { SHELF_URL: web.url } },
    )

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tablehunt-plugin-run-'))
    const hits = [{ url: 'https://example.org/elm.html', title: 'Elm', snippet: 'revenue', position: 1 }]
    web = await localWeb(() => ({ body: JSON.stringify(hits) }))
    await writeFile(at('tasks.jsonl'), `${JSON.stringify(task)}\n`)
    await writeFile(at('turns.jsonl'), JSON.stringify({ turns }))
    await writeFile(at('bookshop.ts'), plugin)
    await writeFile(at('rates.ts'), 'export const rates: Record<string, number> = { USD: 0.9 }')
  })
  afterAll(async () => {
    await web.close()
    await rm(folder, { recursive: true })
  })

  it('searches with its service, and offers its tool with schema, budget and trace', async () => {
    const { code, stderr } = await run('run', '--plugin', at('bookshop.ts'))
    expect(code, stderr).toBe(0)
    expect(web.requests.map(({ path }) => path)).toEqual(['/find?q=elm%20revenue'])

    const { attempts, manifest, scores } = await readRun(at('run'))
    expect(attempts[0]?.termination).toMatchObject({ cause: 'agent', reason: 'answered' })
    expect(attempts[0]?.usage).toMatchObject({ searchCalls: 1, fetchCalls: 1 })
    expect(scores[0]?.metrics.cellF1).toBe(1)
    expect(manifest).toMatchObject({
      search: { provider: 'shelf', baseUrl: `${web.url}/` },
      plugins: [{ name: 'bookshop', hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string }],
    })

    const { events } = await readTrace(at('run'), attempts[0]!.attemptId)
    const answered = events.filter(event => event.type === 'tool-answered')
    expect(
      answered.map(({ tool, text }) => [tool, 'text' in text ? text.text.split('\n')[0] : null]),
    ).toEqual([
      ['web_search', 'Results for "elm revenue":'],
      ['convert', '900 EUR'],
    ])
    const failed = events.filter(event => event.type === 'tool-failed')
    expect(failed.map(({ tool, errorClass }) => [tool, errorClass])).toEqual([['convert', 'bad-input']])
  })

  it('provides tools and the caps of online to a setting that answers from the web', async () => {
    const { code, stderr } = await run('once', '--plugin', at('bookshop.ts'), '--setting', 'once')
    expect(code, stderr).toBe(0)
    const [attempt] = (await readRun(at('once'))).attempts
    expect(await readFile(join(at('once'), 'answers', `${attempt!.attemptId}.txt`), 'utf8')).toBe(
      'web_search fetch_page read_pdf convert 60',
    )
  })

  it('resumes only with the same plug-in, and `score` reports a changed one', async () => {
    const before = await run('changed', '--plugin', at('bookshop.ts'))
    expect(before.code, before.stderr).toBe(0)
    await writeFile(at('rates.ts'), 'export const rates: Record<string, number> = { USD: 0.8 }')
    // In processes of their own, since this one has loaded the plug-in as it was.
    const resumed = await spawnTablehunt([
      ...['run', '--resume', '--out', at('changed'), '--plugin', at('bookshop.ts')],
    ]).ended
    expect(resumed.code).toBe(2)
    expect(resumed.stderr).toMatch(/plugins was \["bookshop@\w+"\], is \["bookshop@\w+"\].*\[different-run\]/)
    const scored = await spawnTablehunt(['score', at('changed'), '--plugin', at('bookshop.ts')]).ended
    expect(scored.code, scored.stderr).toBe(0)
    expect(scored.stderr).toContain("the plug-in 'bookshop' has changed since the run")
    const alone = await spawnTablehunt(['score', at('changed')]).ended
    expect(alone.stderr).toContain("the run's plug-in 'bookshop' is not loaded")
  })

  it('does not offer the tools of a plug-in that another run of the same process loaded', async () => {
    const script = [
      { toolCalls: [{ name: 'convert', args: { amount: 1, currency: 'USD' } }] },
      { text: answer },
    ]
    await writeFile(at('without.jsonl'), JSON.stringify({ turns: script }))
    const { code, stderr } = await tablehunt([
      ...[
        'run',
        '--tasks',
        at('tasks.jsonl'),
        '--out',
        at('without'),
        '--setting',
        'online',
        '--web',
        'sealed',
      ],
      ...['--docs', folder, '--model', `scripted:${at('without.jsonl')}`, '--context-window', '32k'],
      ...['--browser', 'off', '--cache', at('cache')],
    ])
    expect(code, stderr).toBe(0)
    const trace = await readFile(
      join(at('without'), 'traces', `${(await readRun(at('without'))).attempts[0]!.attemptId}.jsonl`),
      'utf8',
    )
    expect(trace).toContain('There is no tool named convert')
    expect((await readRun(at('without'))).manifest).not.toHaveProperty('plugins')
  })

  it.each([
    ['run', ['--tasks', 't', '--out', 'o']],
    ['info config', []],
    ['tasks check', ['t.jsonl']],
    ['tools call', ['web_search', '{}']],
    ['score', ['RUN']],
    ['report', ['RUN']],
    ['compare', ['RUN']],
    ['logs import', ['generic', 'x.jsonl', '--out', 'RUN']],
    ['worker', ['--queue', 'redis://127.0.0.1:1']],
    ['info models', []],
    ['info doctor', []],
  ])('`%s` refuses a missing plug-in before anything else', async (command, args) => {
    const flag = command === 'worker' ? '--allow-plugin' : '--plugin'
    const { code, stderr } = await tablehunt([...command.split(' '), ...args, flag, at('nowhere.ts')])
    expect(code).toBe(2)
    expect(stderr).toMatch(/nowhere\.ts: no such file.*\[plugin-not-found\]/)
  })
})
