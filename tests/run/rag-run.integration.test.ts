import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { type Arm, optionsText } from '../../src/core/arm.ts'
import { estimateRun } from '../../src/run/estimate/estimate.ts'
import { loadTasks } from '../../src/run/plan/load-tasks.ts'
import type { RunEvent } from '../../src/run/progress/progress.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { executeRun, type RunHooks } from '../../src/run.ts'
import { hastyClock } from '../agents/harness.ts'
import { startOpenAiServer } from '../models/openai-server.ts'
import { serversOn } from '../retrieval/chroma-servers.ts'

const filler = (name: string, from: number, lines: number): string =>
  Array.from({ length: lines }, (_, at) => `${name} opened branch ${from + at} in district ${at * 7}.`).join(
    '\n',
  )
const report = (name: string, revenue: string, lines = 60): string =>
  `${filler(name, 100, lines)}\n\nTotal revenue of ${name} was ${revenue} for the year.\n\n${filler(name, 200, lines)}\n`

/** A surrogate half alone, a zero byte, right-to-left text, emoji without spaces, a combining accent, CJK beyond the BMP. */
const oddities = `\uD83D half, zero\u0000byte, שלום, e\u0301, ${'😀𠀀'.repeat(600)}\uDC00`

const documents: Record<string, string> = {
  'elm.txt': report('Elm', '4,512,137'),
  'fir.txt': report('Fir', '98,124'),
  // More chunks than hits, so that Chroma indexes them.
  'long-elm.txt': report('Elm', '4,512,137', 1500),
  'long-fir.txt': report('Fir', '98,124', 1500),
  'odd.txt': `${oddities}\n\nTotal revenue was 77,123 for the year.\n`,
  'empty.txt': '',
}

const record = (id: string, rows: Record<string, string>): string =>
  JSON.stringify({
    record_id: `financial_${id}_4_en`,
    language: 'en',
    domain: 'financial',
    query: 'Compare the revenue of the companies.',
    input_doc: Object.keys(rows),
    answers: Object.entries(rows).map(([Filename, Revenue]) => ({ Filename, Revenue })),
    key_cols: ['Filename'],
    target_value_columns: ['Revenue'],
    numeric_columns: ['Revenue'],
  })

const answer = 'Here.\n```csv\nFilename,Revenue\nelm.txt,"4,512,137"\n```'
const schema = '<schema>\n- name: Filename\n- name: Revenue\n  about: total revenue\n</schema>'

interface Setup {
  readonly tasks?: readonly string[]
  readonly turns?: readonly string[]
  readonly options?: Record<string, unknown>
  readonly hooks?: Partial<RunHooks>
}

async function run({ tasks, turns = [answer], options = {}, hooks = {} }: Setup = {}) {
  const folder = await mkdtemp(join(tmpdir(), 'rag-run-'))
  const docs = join(folder, 'docs')
  await mkdir(docs)
  for (const [name, text] of Object.entries(documents)) {
    await writeFile(join(docs, name), text)
  }
  // Half a surrogate pair survives in UTF-16 alone.
  await writeFile(
    join(docs, 'odd.txt'),
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(documents['odd.txt']!, 'utf16le')]),
  )
  const lines = tasks ?? [record('one', { 'elm.txt': '4512137', 'fir.txt': '98124' })]
  await writeFile(join(folder, 'tasks.jsonl'), `${lines.join('\n')}\n`)
  await writeFile(
    join(folder, 'script.jsonl'),
    `${JSON.stringify({ turns: turns.map(text => ({ text })) })}\n`,
  )
  const config = resolveConfig({
    tasks: join(folder, 'tasks.jsonl'),
    docs,
    out: join(folder, 'run'),
    setting: 'rag',
    model: `scripted:${join(folder, 'script.jsonl')}`,
    vectorStore: 'exact',
    cache: join(folder, 'cache'),
    concurrency: 1,
    ...options,
  })
  const { report: made } = await executeRun(config, hooks)
  const { attempts, scores } = await readRun(config.out)
  const messages = async (attemptId: string): Promise<string> =>
    await readFile(join(config.out, 'traces', `${attemptId}.jsonl`), 'utf8')
  return { attempts, scores, report: made, config, messages }
}

const byOptions = <T extends Pick<Arm, 'options'>>(items: readonly T[]): Map<string, T> =>
  new Map(items.map(item => [optionsText(item.options), item]))

describe('a sweep over sizes of context', () => {
  it('makes an attempt for each retriever, size and control, and no control unless requested', async () => {
    const { attempts } = await run({
      options: { retriever: 'aoe,bm25', contextTokens: '300,1k', controls: 'oracle,random' },
    })
    const part = ['context-tokens=300', 'context-tokens=1000'].flatMap(size => [
      size,
      `${size},control=oracle`,
      `${size},control=random`,
    ])
    expect(attempts.map(attempt => optionsText(attempt.options))).toEqual([
      ...part.map(variant => `${variant}`),
      ...part.map(variant => `retriever=bm25,${variant}`),
    ])
    expect((await run()).attempts).toHaveLength(1)
  })

  it('is predicted by a dry run, which counts a context by its size and a column query as two requests', async () => {
    const { config } = await run({ options: { contextWindow: '8k' } })
    const estimate = async (more: Partial<typeof config>) => {
      const { tasks } = await loadTasks(config)
      return (await estimateRun({ ...config, ...more }, tasks, {})).rows[0]!
    }
    const plain = await estimate({})
    const sized = await estimate({ contextTokens: [1, 2], controls: ['random'] })
    expect([plain.attempts, sized.attempts]).toEqual([1, 4])
    expect(sized.atMost.tokens).toBe(4 * plain.atMost.tokens!)
    expect(sized.typical.tokens).toBeLessThan(4 * plain.typical.tokens!)
    expect((await estimate({ ragQuery: 'column' })).atMost.tokens).toBe(2 * plain.atMost.tokens!)
  })

  it('fills each context, including those of the controls, up to its size', async () => {
    const { attempts } = await run({
      options: { contextTokens: '300,1k,100k', controls: ['oracle', 'random'] },
    })
    for (const { options, retrieval } of attempts) {
      const variant = optionsText(options)
      const size = Number(options['context-tokens'])
      expect(retrieval!.tokensInPrompt, variant).toBeLessThanOrEqual(size)
      if (size < 100_000) expect(retrieval!.tokensInPrompt, variant).toBeGreaterThan(size - 200)
      else expect(retrieval!.coverage, variant).toBeGreaterThan(0.95)
    }
  })

  it('shows the oracle all the evidence, and measures the whole curve over k with one index', async () => {
    const { attempts } = await run({ options: { contextTokens: '300', controls: 'oracle,random' } })
    const found = byOptions(attempts)
    const oracle = found.get('context-tokens=300,control=oracle')!.retrieval!
    expect(oracle).toMatchObject({ retriever: 'oracle', evidenceInPrompt: 1, cellsFindable: 2 })
    const plain = found.get('context-tokens=300')!.retrieval!
    expect(Object.keys(plain.evidenceRecall)).toEqual(['5', '20', '50', '250'])
    expect(plain.evidenceRecall['250']).toBe(1)
    expect(plain.evidenceRanks).toHaveLength(2)
    expect(found.get('context-tokens=300,control=random')!.retrieval!.retriever).toBe('random')
  })

  it('without a size, limits the controls to the tokens of the retrieved chunks', async () => {
    const { attempts, report: made } = await run({
      options: { setting: 'offline,rag', retriever: 'bm25', controls: 'oracle,random' },
    })
    const [, rag, oracle, random] = attempts.map(attempt => attempt.retrieval)
    for (const control of [oracle, random]) {
      expect(control!.tokensInPrompt).toBeLessThanOrEqual(rag!.tokensInPrompt!)
      expect(control!.tokensInPrompt).toBeGreaterThan(rag!.tokensInPrompt! - 200)
    }
    const row = made.degradation.find(found => found.domain === 'all' && found.metric === 'cellF1')!
    expect(row).toMatchObject({ n: 1, offline: row.rag, oracle: row.rag, random: row.rag })
  })

  it('produces the same records again, including the random chunks', async () => {
    const options = { contextTokens: '300', controls: 'oracle,random' }
    const [first, second] = [await run({ options }), await run({ options })]
    const plain = ({ attempts }: typeof first) =>
      attempts.map(({ attemptId, retrieval, context }) => ({ attemptId, retrieval, context }))
    expect(plain(first)).toEqual(plain(second))
    const other = await run({ options: { ...options, seed: 5 } })
    const randomOf = ({ attempts }: typeof first) => attempts.at(-1)!.context
    expect(randomOf(other)).not.toEqual(randomOf(first))
  })

  it.each([
    ['contextTokens', '2k,many', 'invalid-option'],
    ['contextTokens', '0', 'invalid-option'],
    ['controls', 'orcale', 'invalid-option'],
    ['retriever', 'aoe,bm52', 'unknown-retriever'],
    ['ragQuery', 'columns', 'invalid-option'],
  ])('refuses --%s %s', (name, value, code) => {
    const resolve = () => resolveConfig({ tasks: 't', out: 'o', [name]: value })
    expect(resolve).toThrow(expect.objectContaining({ name: 'ConfigError', code }))
  })
})

describe('--rag-query column', () => {
  it('runs one query for each column that the model lists', async () => {
    const { attempts } = await run({ turns: [schema, answer], options: { ragQuery: 'column' } })
    expect(attempts).toHaveLength(1)
    expect(attempts[0]).toMatchObject({
      options: { 'rag-query': 'column' },
      retrieval: { queries: ['Filename', 'Revenue: total revenue'] },
      usage: { modelCalls: 2 },
    })
  })
})

describe('documents of every kind', () => {
  it.each(['exact', 'chroma'])(
    'pass half surrogate pairs, zero bytes, emoji and empty files unharmed, with %s',
    async vectorStore => {
      const { attempts, scores } = await run({
        tasks: [
          record('odd', { 'odd.txt': '77123' }),
          record('empty', { 'empty.txt': '1' }),
          record('both', { 'empty.txt': '1', 'odd.txt': '77123' }),
        ],
        options: { vectorStore, contextTokens: '500' },
      })
      expect(attempts.map(({ termination }) => `${termination.cause}/${termination.reason}`)).toEqual(
        Array.from({ length: 3 }, () => 'agent/answered'),
      )
      const causes = Object.fromEntries(scores.map(({ taskId, cause }) => [taskId.split('_')[1], cause]))
      expect(causes).toEqual({ odd: null, empty: 'documents', both: 'documents' })
      expect(attempts[0]!.retrieval).toMatchObject({ cellsFindable: 1, starvedHints: [] })
      expect(attempts[1]!.retrieval).toMatchObject({
        chunksInPrompt: 0,
        coverage: null,
        evidenceInPrompt: null,
      })
      expect(attempts[2]!.retrieval).toMatchObject({ cellsUnfindable: 1, starvedHints: [] })
    },
  )
})

/** An endpoint for vectors of three dimensions; `status` other than 200 fails every request. */
async function embeddingServer(status: (text: string) => number) {
  return await startOpenAiServer((request, response) => {
    const texts = request.body.input as string[]
    const code = status(texts.join('\n'))
    response.writeHead(code, { 'content-type': 'application/json' })
    const data = texts.map((text, index) => ({
      index,
      embedding: [text.length, text.indexOf('revenue') + 2, 1],
    }))
    response.end(JSON.stringify(code === 200 ? { data } : { error: { message: `no: ${code}` } }))
  })
}

describe('an embedding endpoint that fails', () => {
  const tasks = [record('one', { 'elm.txt': '4512137' }), record('two', { 'fir.txt': '98124' })]
  const endsOf = (attempts: Awaited<ReturnType<typeof run>>['attempts']) =>
    attempts.map(
      ({ taskId, setting, termination: { cause, reason } }) => `${taskId} ${setting} ${cause}/${reason}`,
    )

  it('with a wrong key ends only the attempts that need it, as provider / auth, unscored', async () => {
    const server = await embeddingServer(() => 401)
    const { attempts, scores } = await run({
      tasks,
      options: { setting: 'offline,rag', embedder: `openai:tiny@${server.url}` },
    })
    expect(endsOf(attempts)).toEqual([
      'financial_one_4_en offline agent/answered',
      'financial_one_4_en rag provider/auth',
      'financial_two_4_en offline agent/answered',
      'financial_two_4_en rag provider/auth',
    ])
    expect(scores.map(score => score.status)).toEqual(['scored', 'unscored', 'scored', 'unscored'])
    const failed = attempts[1]!
    expect(failed.termination.detail).toContain('the key was refused')
    expect(failed.options).toEqual({ embedder: 'openai:tiny' })
    await server.close()
  })

  it('for only one document loses that task and no other', async () => {
    const server = await embeddingServer(text => (text.includes('Elm opened') ? 400 : 200))
    const { attempts } = await run({ tasks, options: { embedder: `openai:tiny@${server.url}` } })
    expect(endsOf(attempts)).toEqual([
      'financial_one_4_en rag provider/bad-response',
      'financial_two_4_en rag agent/answered',
    ])
    await server.close()
  })

  it('because it is not running is reported as provider / unavailable, with its name', async () => {
    const server = await embeddingServer(() => 200)
    await server.close()
    const { attempts } = await run({
      tasks,
      options: { embedder: `openai:tiny@${server.url}`, concurrency: 2 },
      hooks: { clock: hastyClock },
    })
    expect(endsOf(attempts)).toEqual([
      'financial_one_4_en rag provider/unavailable',
      'financial_two_4_en rag provider/unavailable',
    ])
    expect(attempts[0]!.termination.detail).toBe('openai:tiny cannot be reached: is the server running?')
  })
})

describe("Chroma's server", () => {
  it.skipIf(!existsSync('/proc'))(
    'starts again after it is killed during the run, whose results are unchanged (skipped without /proc)',
    async () => {
      const tasks = ['one', 'two', 'three', 'four'].map(id =>
        record(
          id,
          id === 'one' || id === 'three' ? { 'long-elm.txt': '4512137' } : { 'long-fir.txt': '98124' },
        ),
      )
      const cache = await mkdtemp(join(tmpdir(), 'rag-killed-'))
      let killed = 0
      const tell = (event: RunEvent): void => {
        if (event.type !== 'attempt-ended') return
        for (const pid of serversOn(cache)) {
          process.kill(pid, 'SIGKILL')
          killed++
        }
      }
      const { attempts } = await run({
        tasks,
        options: { vectorStore: 'chroma', cache },
        hooks: { tell },
      })
      // An attempt may end while the next one asks its chunks, so not every end finds a server of its own to kill.
      expect(killed).toBeGreaterThanOrEqual(2)
      expect(attempts.map(({ termination }) => termination.reason)).toEqual(
        Array.from({ length: 4 }, () => 'answered'),
      )
      const undisturbed = await run({ tasks, options: { vectorStore: 'chroma' } })
      expect(attempts.map(attempt => attempt.retrieval)).toEqual(
        undisturbed.attempts.map(attempt => attempt.retrieval),
      )
      expect(serversOn(cache)).toEqual([])
    },
  )
})
