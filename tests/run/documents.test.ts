import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { DocumentReader } from '../../retrieval/document-reader.ts'
import type { Task } from '../../src/core/task.ts'
import { checkDocuments, makeDocumentSource } from '../../src/run/open-run/documents.ts'

it("loads a task's documents when they are requested again after a failure", async () => {
  const docs = join(await mkdtemp(join(tmpdir(), 'documents-')), 'docs')
  const task = { question: { taskId: 't' }, documents: [{ name: 'a.md' }] } as unknown as Task
  const reader = { read: async () => Promise.reject(new Error('unused')) } as unknown as DocumentReader
  const load = makeDocumentSource(reader, docs)
  await expect(load(task)).rejects.toThrow()
  await mkdir(docs)
  await writeFile(join(docs, 'other.md'), 'x')
  expect(await load(task)).toMatchObject([{ hint: 'a.md' }])
})

it('reports only the documents that no attempt could read', async () => {
  const docs = await mkdtemp(join(tmpdir(), 'documents-'))
  await writeFile(join(docs, 'Report.md'), 'x')
  await mkdir(join(docs, 'folder.md'))
  const asking = (...names: string[]) => [{ documents: names.map(name => ({ name })) } as unknown as Task]
  const given = { docs, setting: ['offline' as const], web: 'live' }
  expect(await checkDocuments(asking(' report.md '), given)).toBeNull()
  expect(await checkDocuments(asking('Report.md', 'folder.md'), given)).toMatch(
    /^documents: 1 of 2 missing or unreadable: folder\.md/,
  )
  await expect(checkDocuments(asking('folder.md'), given)).rejects.toMatchObject({ code: 'no-documents' })
  const five = checkDocuments(asking('a.md', 'b.md', 'c.md', 'd.md', 'e.md'), given)
  await expect(five).rejects.toThrow(
    /5 of 5 missing or unreadable: a\.md, b\.md, c\.md and 2 more\. Correct --docs/,
  )
})
