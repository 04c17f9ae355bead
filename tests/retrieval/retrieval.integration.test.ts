import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { chunkDocument } from '../../retrieval/chunk.ts'
import { createRetrievals, type Retrieval, type RetrievalOptions } from '../../retrieval/retrieval.ts'
import type { RelevanceModel } from '../../retrieval/retrievers/retriever.ts'
import { recursiveSplitter } from '../../retrieval/splitters.ts'
import { ownChroma } from '../../retrieval/stores/chroma-connection.ts'
import { claimChromaFolder, startChromaServer } from '../../retrieval/stores/chroma-server.ts'
import { tokenize } from '../../retrieval/tokenize.ts'
import type { ContextDocument } from '../../src/core/document.ts'
import { ProviderError } from '../../src/core/errors.ts'
import { seededRandom, systemClock } from '../../src/core/runtime.ts'
import type { Question } from '../../src/core/task.ts'
import { sha256 } from '../../src/system/hash.ts'
import { packageRoot } from '../../src/system/paths.ts'
import { serversOn } from './chroma-servers.ts'

const root = mkdtempSync(join(tmpdir(), 'retrieval-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const signal = new AbortController().signal
const question: Question = {
  taskId: 't',
  benchmark: 'aoe',
  domain: 'financial',
  language: 'en',
  query: 'total revenue and net income of the company',
  documentNames: [],
  form: { kind: 'table' },
}

function documentOf(hint: string, text: string): ContextDocument {
  return { hint, sha256: sha256(text), text, problem: null }
}

/** Returns sentences of invented words, the same for the same seed. */
function prose(seed: number, sentences: number): string {
  const random = seededRandom(seed)
  const word = () => `w${Math.floor(random() ** 2 * 900).toString(36)}`
  const sentence = () => Array.from({ length: 12 }, word).join(' ')
  return Array.from({ length: sentences }, () => `${sentence()} revenue ${Math.floor(random() * 1e6)}.`).join(
    '\n',
  )
}

const documents = [
  documentOf('long.pdf', prose(1, 900)),
  documentOf('empty.pdf', ''),
  documentOf('middle.pdf', prose(2, 200)),
  documentOf('中文.pdf', '本公司营业收入为5,048元，净利润增长百分之十。'.repeat(60)),
  documentOf('short.pdf', 'Total revenue 5,048.4 and net income 963.2 of the company'),
]

/** Documents of more chunks than hits, which Chroma therefore indexes. */
const indexed = [documentOf('large.pdf', prose(3, 2000)), documentOf('larger.pdf', prose(4, 2400))]

const open = async ({
  retriever = 'aoe',
  ...options
}: Partial<RetrievalOptions> & { retriever?: string } = {}) => {
  const retrievals = await createRetrievals([retriever], {
    embedder: 'hash',
    vectorStore: 'exact',
    chromaUrl: null,
    cacheFolder: root,
    ...options,
  })
  const retrieval = retrievals.get(retriever)
  const retrieve: Retrieval['retrieve'] = (question, documents, signal, asked) =>
    retrieval.retrieve(question, documents, signal, { relevance, ...asked })
  return { ...retrieval, retrieve, close: retrievals.close }
}

/** Rates a text by the number of words that it shares with the query. */
const relevance: RelevanceModel = async (query, texts) =>
  texts.map(text => tokenize(query).filter(word => text.toLowerCase().includes(word)).length)

describe('chunkDocument', () => {
  it('includes a character in both pieces when a splitter cuts inside it', async () => {
    const halves = [
      { start: 0, end: 2 },
      { start: 2, end: 4 },
    ]
    const splitter = { name: 'by two', split: async () => halves }
    const { chunks } = await chunkDocument(documentOf('d', 'a\u{20bb7}b'), splitter)
    expect(chunks.map(chunk => chunk.text)).toEqual(['a\u{20bb7}', '\u{20bb7}b'])
  })

  it.each(documents.map(document => document.hint))(
    'gives chunks of %s the offsets of their text',
    async hint => {
      const document = documents.find(other => other.hint === hint)!
      const { chunks } = await chunkDocument(document, recursiveSplitter())
      let reached = 0
      for (const chunk of chunks) {
        expect(document.text.slice(chunk.start, chunk.end)).toBe(chunk.text)
        expect(chunk.text.length).toBeLessThanOrEqual(512)
        expect(document.text.slice(reached, Math.max(reached, chunk.start)).trim()).toBe('')
        reached = chunk.end
      }
      expect(document.text.slice(reached).trim()).toBe('')
    },
  )

  it('finds the right offsets in repetitive text', async () => {
    const text = Array.from({ length: 400 }, (_, line) => `row ${line % 7} value 10\n`).join('')
    const { chunks } = await chunkDocument(documentOf('x', text), recursiveSplitter())
    for (const [index, chunk] of chunks.entries()) {
      const next = chunks[index + 1]
      if (next !== undefined) expect(text.slice(chunk.end, Math.max(chunk.end, next.start)).trim()).toBe('')
    }
    expect(chunks.at(-1)?.end).toBe(text.trimEnd().length)
  })
})

describe('retriever aoe', () => {
  it('returns at most 50 chunks of a document and drops repeated texts', async () => {
    const retrieval = await open()
    const { chunks } = await retrieval.retrieve(question, documents, signal)
    const counts = new Map<string, number>()
    for (const { hint } of chunks) counts.set(hint, (counts.get(hint) ?? 0) + 1)
    expect(Math.max(...counts.values())).toBe(50)
    expect(new Set(chunks.map(chunk => chunk.text)).size).toBe(chunks.length)
    expect(chunks[0]?.hint).toBe('short.pdf')
    await retrieval.close()
  })

  it('returns the best chunk of each query first', async () => {
    const retrieval = await open()
    const queries = ['净利润增长', 'net income 963.2']
    const { chunks } = await retrieval.retrieve(question, documents, signal, { queries })
    expect(new Set(chunks.slice(0, 2).map(chunk => chunk.hint))).toEqual(new Set(['中文.pdf', 'short.pdf']))
    await retrieval.close()
  })
})

describe('an invalid option', () => {
  it.each([
    ['retriever', { retriever: 'aeo' }, 'unknown-retriever', /'aoe'/],
    ['embedder', { embedder: 'hsah' }, 'unknown-embedder', /'hash'/],
    ['vector store', { vectorStore: 'crhoma' }, 'unknown-vector-store', /'chroma'/],
    [
      'Chroma URL',
      { vectorStore: 'chroma', chromaUrl: 'localhost' },
      'invalid-chroma-url',
      /--chroma localhost/,
    ],
  ])('is refused, and the error shows the correct form: %s', async (_, options, code, fix) => {
    const refused = open(options)
    await expect(refused).rejects.toMatchObject({ name: 'ConfigError', code })
    await expect(refused).rejects.toThrow(fix)
  })
})

describe("Chroma's server", () => {
  const folder = join(root, 'server')
  let server: Awaited<ReturnType<typeof startChromaServer>>
  beforeAll(async () => {
    server = await startChromaServer(folder)
  })
  afterAll(async () => await server.stop())

  it('is used by its URL when the user has one, and stays running', async () => {
    const retrieval = await open({ vectorStore: 'chroma', chromaUrl: `http://127.0.0.1:${server.port}` })
    expect((await retrieval.retrieve(question, documents, signal)).chunks.length).toBeGreaterThan(50)
    await retrieval.close()
    expect(server.alive()).toBe(true)
  })

  it('indexes a document once, however many tasks ask for it', async () => {
    const retrieval = await open({ vectorStore: 'chroma', chromaUrl: `http://127.0.0.1:${server.port}` })
    await Promise.all([1, 2, 3].map(() => retrieval.retrieve(question, [...documents, ...indexed], signal)))
    const { ChromaClient } = await import('chromadb')
    const client = new ChromaClient({ host: '127.0.0.1', port: server.port })
    const collections = await client.listCollections()
    expect(collections.length).toBe(2)
    await retrieval.close()
  })

  it('builds an incomplete collection again', async () => {
    const { ChromaClient } = await import('chromadb')
    const client = new ChromaClient({ host: '127.0.0.1', port: server.port })
    const [collection] = await client.listCollections()
    await collection!.delete({ ids: ['0'] })
    const retrieval = await open({ vectorStore: 'chroma', chromaUrl: `http://127.0.0.1:${server.port}` })
    const exact = await open()
    expect((await retrieval.retrieve(question, indexed, signal)).chunks).toEqual(
      (await exact.retrieve(question, indexed, signal)).chunks,
    )
    await Promise.all([retrieval.close(), exact.close()])
  })

  it('is reported as unavailable when none answers at the URL', async () => {
    const retrieval = await open({ vectorStore: 'chroma', chromaUrl: 'http://127.0.0.1:9' })
    await expect(retrieval.retrieve(question, indexed, signal)).rejects.toThrow(ProviderError)
    await retrieval.close()
  })

  it.skipIf(!existsSync('/proc'))(
    'is started again when it is killed, and the work continues (skipped without /proc)',
    async () => {
      const base = join(root, 'killed')
      const connection = ownChroma(base)
      const names = async () =>
        await connection.use(async client => {
          await client.getOrCreateCollection({ name: 'kept', embeddingFunction: null })
          return (await client.listCollections()).map(collection => collection.name)
        })
      expect(await names()).toEqual(['kept'])
      for (const pid of serversOn(`${base}\0`)) process.kill(pid, 'SIGKILL')
      expect(await names()).toEqual(['kept'])
      await connection.close()
    },
  )

  it.skipIf(!existsSync('/proc'))(
    'is started once for all callers that wait for it (skipped without /proc)',
    async () => {
      const base = join(root, 'killed-once')
      const connection = ownChroma(base)
      const beat = () =>
        connection.use(async (client, generation) => [await client.heartbeat(), generation][1])
      expect(await beat()).toBe(1)
      for (const pid of serversOn(`${base}\0`)) process.kill(pid, 'SIGKILL')
      while (serversOn(`${base}\0`).length > 0) await systemClock.sleep(20)
      await systemClock.sleep(100)
      expect(await Promise.all([beat(), beat(), beat()])).toEqual([2, 2, 2])
      expect(serversOn(`${base}\0`)).toHaveLength(1)
      await connection.close()
    },
  )

  it.skipIf(!existsSync('/proc'))('ends with a run that was killed (skipped without /proc)', async () => {
    const base = join(root, 'orphan')
    const module = join(packageRoot, 'dist/retrieval/stores/chroma-server.js')
    const script = `const { startChromaServer } = await import(${JSON.stringify(module)})
      await startChromaServer(${JSON.stringify(base)}); process.kill(process.pid, 'SIGKILL')`
    const killed = spawnSync(process.execPath, ['--input-type=module', '-e', script])
    expect(killed.signal).toBe('SIGKILL')
    for (let wait = 0; wait < 50 && serversOn(`${base}\0`).length > 0; wait++) await systemClock.sleep(100)
    expect(serversOn(`${base}\0`)).toEqual([])
  })

  it.each([
    ['an error of its own', 'libc.so.6: too old', /not start: libc\.so\.6: too old/],
    [
      'an old system library',
      "libc.so.6: version `GLIBC_2.38' not found",
      /newer system library \(GLIBC 2\.38/,
    ],
    [
      'a server left out',
      "Cannot find module 'chromadb-js-bindings-linux-x64-gnu'",
      /has no server for .*--omit/,
    ],
  ])('reports immediately why a server does not start: %s', async (name, thrown, message) => {
    const base = join(root, `broken-${name.replaceAll(' ', '-')}`)
    const server = join(packageRoot, 'dist/retrieval/stores/chroma-server.js')
    const copy = join(base, 'retrieval/stores/chroma-server.js')
    const chroma = join(base, 'node_modules/chromadb')
    mkdirSync(join(chroma, 'dist/cjs'), { recursive: true })
    cpSync(server, copy)
    for (const room of ['core', 'system', 'text'])
      cpSync(join(packageRoot, 'dist/src', room), join(base, 'src', room), { recursive: true })
    writeFileSync(join(base, 'package.json'), '{ "type": "module" }')
    writeFileSync(join(chroma, 'package.json'), '{ "name": "chromadb", "main": "dist/cjs/index.js" }')
    writeFileSync(join(chroma, 'dist/cjs/index.js'), '')
    writeFileSync(join(chroma, 'dist/cli.mjs'), `throw new Error(${JSON.stringify(thrown)})`)
    const startedAt = performance.now()
    const { startChromaServer: start } = (await import(copy)) as { startChromaServer(at: string): unknown }
    await expect(start(join(base, 'index'))).rejects.toThrow(message)
    expect(performance.now() - startedAt).toBeLessThan(20_000)
  })

  it('uses no folder of a running process, but the folder of one that has ended', async () => {
    const base = join(root, 'claimed')
    const [first, second] = [await claimChromaFolder(base), await claimChromaFolder(base)]
    expect([first.path, second.path]).toEqual([base, `${base}-2`])
    await first.release()
    await second.release()
    expect(readdirSync(base)).toEqual([])
    const dead = spawnSync(process.execPath, ['-e', '0']).pid
    const left = { pid: dead, host: hostname(), started: null }
    writeFileSync(join(base, 'lock.1.json'), JSON.stringify(left))
    const third = await claimChromaFolder(base)
    expect(third.path).toBe(base)
    await third.release()
  })
})
