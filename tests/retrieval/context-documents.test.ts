import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadContextDocuments } from '../../retrieval/context-documents.ts'
import { createDocumentReader, type DocumentReader } from '../../retrieval/document-reader.ts'
import type { TaskDocument } from '../../src/core/task.ts'

const root = mkdtempSync(join(tmpdir(), 'context-'))
const docs = join(root, 'docs')
let reader: DocumentReader

beforeAll(() => {
  mkdirSync(join(docs, 'inner'), { recursive: true })
  writeFileSync(join(root, 'secret.txt'), 'secret')
  writeFileSync(join(docs, 'a.txt'), 'text of a')
  writeFileSync(join(docs, 'Caf\u00e9.md'), 'composed')
  writeFileSync(join(docs, '年报.txt'), '营业收入')
  writeFileSync(join(docs, 'inner', 'b.txt'), 'inner')
  reader = createDocumentReader({ cacheFolder: join(root, 'cache') })
})
afterAll(async () => {
  await reader.close()
  rmSync(root, { recursive: true, force: true })
})

const named = (...names: string[]) => names.map(name => ({ name }))
const load = async (...names: string[]) => await loadContextDocuments(named(...names), docs, reader)

it('reads the files that the hints name, in the order of the hints', async () => {
  const documents = await load('年报.txt', 'a.txt')
  expect(documents).toMatchObject([
    { hint: '年报.txt', text: '营业收入', problem: null },
    { hint: 'a.txt', text: 'text of a', problem: null },
  ])
})

it('reports the documents with pages that were read by OCR', async () => {
  const recognised: DocumentReader = {
    ...reader,
    read: async (bytes, name) => {
      const document = await reader.read(bytes, name)
      return { ...document, pages: document.pages.map(page => ({ ...page, ocr: name === 'a.txt' })) }
    },
  }
  const documents = await loadContextDocuments(named('年报.txt', 'a.txt'), docs, recognised)
  expect(documents.map(document => document.ocr)).toEqual([false, true])
})

it('finds a name in another Unicode form or case', async () => {
  const [document] = await load('CAFE\u0301.md')
  expect(document).toMatchObject({ hint: 'CAFE\u0301.md', text: 'composed' })
})

it.each(['none.pdf', '../secret.txt', 'inner/b.txt', 'inner', '', '/etc/passwd'])(
  'reports that %j is missing and reads nothing',
  async hint => {
    const [document] = await load(hint)
    expect(document).toMatchObject({ sha256: null, text: '', problem: expect.stringMatching(/^missing: /) })
  },
)

it('uses a document in the record, even without a folder', async () => {
  const supplied = (name: string, text: string): TaskDocument => ({
    name,
    load: async () => ({ kind: 'text', text }),
  })
  const wanted = [supplied('案件一', '被告人张某'), supplied('案件二', ' '), { name: 'x.pdf' }]
  const documents = await loadContextDocuments(wanted, null, reader)
  expect(documents.map(document => document.problem)).toEqual([
    null,
    'empty: no text in the record',
    'missing: no folder of documents was given',
  ])
  expect(documents[0]?.text).toBe('被告人张某')
})

it('reads a web page with the name of a PDF and reports its format', async () => {
  writeFileSync(join(docs, 'report.pdf'), '<!doctype html><html><body>Access denied</body></html>')
  const [document] = await load('report.pdf')
  expect(document).toMatchObject({ text: 'Access denied', problem: 'misnamed: not a PDF, but html' })
})

it('rejects when the folder does not exist', async () => {
  await expect(loadContextDocuments(named('a'), join(root, 'nowhere'), reader)).rejects.toMatchObject({
    code: 'ENOENT',
  })
})

it('reports why a name that is not a readable file has no text', async () => {
  symlinkSync(join(docs, 'inner'), join(docs, 'linked.pdf'))
  const [document] = await load('linked.pdf')
  expect(document).toEqual({
    hint: 'linked.pdf',
    sha256: null,
    text: '',
    problem: 'unreadable: it is not a regular file',
  })
})

it.each([
  ['a device, which has no end', () => '/dev/zero'],
  ['a file beside the folder', () => join(root, 'secret.txt')],
  ['a relative path', () => '../secret.txt'],
  ['a link that leaves the folder', () => join(root, 'hop.txt')],
  ['another folder', () => root],
])('refuses a folder with a link to %s', async (_, target) => {
  symlinkSync(join(root, 'secret.txt'), join(root, 'hop.txt'))
  symlinkSync(target(), join(docs, 'out.txt'))
  try {
    await expect(load('a.txt')).rejects.toMatchObject({
      code: 'link-outside-folder',
      message: expect.stringContaining(join(docs, 'out.txt')),
    })
  } finally {
    rmSync(join(docs, 'out.txt'))
    rmSync(join(root, 'hop.txt'))
  }
})

it('follows a link within the folder, and leaves a broken one', async () => {
  symlinkSync('a.txt', join(docs, 'again.txt'))
  symlinkSync('gone.txt', join(docs, 'broken.txt'))
  const [again, broken] = await load('again.txt', 'broken.txt')
  expect(again).toMatchObject({ text: 'text of a', problem: null })
  expect(broken?.problem).toMatch(/^unreadable/)
})

it.each([
  ['is of no known kind', async () => ({ kind: 'table', columns: [], rows: [] })],
  ['has a table without rows', async () => ({ kind: 'tables', tables: [{ name: 'beds', columns: [] }] })],
  ['is nothing', async () => undefined],
  ['cannot be loaded', () => Promise.reject(new Error('no such row'))],
  ['throws at once', () => raise(new Error('no such row'))],
])('names a supplied document that %s', async (_, given) => {
  const documents = [{ name: 'hotels', load: given as unknown as NonNullable<TaskDocument['load']> }]
  await expect(loadContextDocuments(documents, null, reader)).rejects.toMatchObject({
    code: 'invalid-document',
    message: expect.stringContaining("document 'hotels'"),
  })
})

function raise(error: Error): never {
  throw error
}
