import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listDocumentNames, type Task } from '../../src/core/task.ts'
import { checkDocuments } from '../../src/run/open-run/documents.ts'
import { withOptionalDocuments } from '../../src/run/plan/optional-documents.ts'

let docs = ''
beforeAll(async () => {
  docs = await mkdtemp(join(tmpdir(), 'optional-documents-'))
  await mkdir(join(docs, '民法典'))
  for (const name of ['《刑法》.TXT', '刑法.json', 'civil code.md', '案件.md'])
    await writeFile(join(docs, name), 'x')
})
afterAll(() => rm(docs, { recursive: true }))

const task = (...optionalDocuments: string[]): Task =>
  ({
    question: { taskId: 't', documentNames: ['案件.md'] },
    documents: [{ name: '案件.md' }],
    evidence: { kind: 'documents', names: ['案件.md'] },
    optionalDocuments,
  }) as unknown as Task

it('adds the optional documents that the folder contains, with or without 《》 and in any letter case', async () => {
  const [found] = await withOptionalDocuments([task('Civil Code', '刑法', '《刑法》')], docs)
  expect(listDocumentNames(found!)).toEqual(['案件.md', 'civil code.md', '《刑法》.TXT'])
})

it('changes neither the question nor the evidence', async () => {
  const given = task('刑法')
  const [found] = await withOptionalDocuments([given], docs)
  expect(found).toEqual({ ...given, documents: [{ name: '案件.md' }, { name: '《刑法》.TXT' }] })
})

it('adds a document once, and no folder or file of another kind', async () => {
  const given = [task('案件', '民法典', '宪法')]
  expect(await withOptionalDocuments(given, docs)).toEqual(given)
  expect(await checkDocuments(given, { docs, setting: ['offline'], web: 'live' })).toBeNull()
})

it('adds nothing without a folder that can be listed', async () => {
  const given = [task('刑法')]
  expect(await withOptionalDocuments(given, null)).toEqual(given)
  expect(await withOptionalDocuments(given, join(docs, 'none'))).toEqual(given)
})
