import { existsSync } from 'node:fs'
import { copyFile, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ToolMessage } from '@langchain/core/messages'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDocumentReader, type DocumentReader } from '../retrieval/document-reader.ts'
import { joinPages } from '../src/core/document.ts'
import { seededRandom } from '../src/core/runtime.ts'
import { createDocumentComparer } from '../src/evidence/fingerprint.ts'
import { loadAoe } from '../tasks/aoe/load.ts'
import { loadExtractBench } from '../tasks/extract-bench/load.ts'
import { createTools } from '../tools/registry.ts'
import { buildCorpus } from '../tools/web/corpus-build.ts'
import { recordAndReplay, type TaskFiles } from './run/record-and-replay.ts'
import { hasRealTables, realTables, withoutRealTables } from './shared-data.ts'
import { testEnvironment } from './tools/support/environment.ts'
import { localWeb } from './tools/support/local-web.ts'
import { pdfiumReader } from './tools/support/pdfium-reader.ts'

const tasksFile = join(realTables, 'tasks.jsonl')
const documentPath = (name: string): string => join(realTables, 'documents', name)

/** Writes some of the tasks, drawn by a seed, and their documents to a new folder. */
async function drawTasks(count: number, seed: number): Promise<TaskFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-drawn-'))
  const docs = join(folder, 'docs')
  await mkdir(docs)
  const random = seededRandom(seed)
  const drawn = (await readFile(tasksFile, 'utf8'))
    .trim()
    .split('\n')
    .map(line => ({ line, order: random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ line }) => line)
  const names = drawn.flatMap(line => (JSON.parse(line) as { input_doc: string[] }).input_doc)
  for (const name of new Set(names))
    if (existsSync(documentPath(name))) await copyFile(documentPath(name), join(docs, name))
  const tasks = join(folder, 'tasks.jsonl')
  await writeFile(tasks, `${drawn.join('\n')}\n`)
  return { tasks, docs }
}

describe.skipIf(!hasRealTables)(`real documents${withoutRealTables}`, () => {
  let reader: DocumentReader
  beforeAll(async () => {
    reader = createDocumentReader({ cacheFolder: await mkdtemp(join(tmpdir(), 'tablehunt-real-')) })
  })
  afterAll(async () => await reader.close())

  const textOf = async (bytes: Uint8Array, name: string): Promise<string> =>
    joinPages((await reader.read(bytes, name)).pages)

  it('have 28 table tasks that load completely', async () => {
    const { tasks, skipped } = await loadAoe(tasksFile)
    expect(tasks).toHaveLength(28)
    expect(skipped).toEqual([])
    expect(tasks.every(task => task.documents.length > 0 && task.gold.rows.length > 0)).toBe(true)
  })

  it('have 20 extraction tasks that load completely, each with its document', async () => {
    const { tasks, skipped } = await loadExtractBench(join(realTables, 'extract-bench'))
    expect(skipped).toEqual([])
    expect(tasks).toHaveLength(20)
    expect(new Set(tasks.map(task => task.question.domain))).toEqual(
      new Set(['academic', 'finance', 'hiring', 'sport']),
    )
    for (const { question } of tasks) {
      expect(question.form).toMatchObject({ kind: 'json', schema: { type: 'object' } })
      expect(existsSync(documentPath(question.documentNames[0] ?? ''))).toBe(true)
    }
  })

  it('keep each total of an income statement on one line', async () => {
    const name = 'adp_10q_fy2025q2.pdf'
    const text = await textOf(await readFile(documentPath(name)), name)
    expect(text).toMatch(/TOTAL REVENUES[\s|]+5,048\.4[\s|]+4,668\.0[\s|]+9,881\.1[\s|]+9,180\.3[ |]*\n/)
    expect(text).toMatch(
      /NET EARNINGS[\s|]+\$ 963\.2[\s|]+\$ 878\.4[\s|]+\$ 1,919\.5[\s|]+\$ 1,737\.8[ |]*\n/,
    )
  })

  it('are read page by page by the tool read_pdf', async () => {
    const body = await readFile(documentPath('csco_10q_fy2025q2.pdf'))
    const web = await localWeb(() => ({ headers: { 'content-type': 'application/pdf' }, body }))
    const [tool] = await createTools(['read_pdf'], testEnvironment({ reader: pdfiumReader() }))
    const input = { type: 'tool_call' as const, id: 'c', name: 'read_pdf', args: { url: `${web.url}/a.pdf` } }
    const text = String(((await tool!.invoke(input)) as ToolMessage).content)
    await web.close()
    expect(text).toMatch(/^URL: \S+\nPages 1-\d+ of \d+\n/)
    expect(text.length).toBeGreaterThan(1_000)
  })

  it('have twins that are not mistaken for them when their PDF is read', async () => {
    const documents = await Promise.all(
      ['adp_10q_fy2025q2.pdf', 'ma_2023_sw_M-table1.pdf', 'Resume-Academic01.pdf'].map(async name => {
        const bytes = await readFile(documentPath(name))
        return { name, source: { bytes }, text: await textOf(bytes, name) }
      }),
    )
    const corpus = await buildCorpus({ documents, embedded: [], twins: 1, seed: 0 })
    const comparer = createDocumentComparer()
    const twins = corpus.items.filter(item => item.entry.twinOf !== null)
    expect(twins).toHaveLength(3)
    for (const twin of twins) {
      const original = documents.find(document => document.name === twin.entry.twinOf)!
      const read = await textOf(await twin.body(), 'twin.pdf')
      expect(read.length).toBeGreaterThan(original.text.length * 0.5)
      expect(comparer.contains(read, original.text)).toBe(false)
      expect(comparer.contains(original.text, original.text)).toBe(true)
    }
  })

  it('can be recorded in a run that is replayed without any connection', async () => {
    const { recorded, replayed } = await recordAndReplay(await drawTasks(6, 20_261_121))
    expect(recorded.attempts).toHaveLength(6)
    expect(replayed).toEqual(recorded)
  })
})
