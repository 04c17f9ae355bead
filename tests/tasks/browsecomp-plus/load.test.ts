import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { readBenchmark } from '../../../tasks/load-benchmark.ts'

const fixture = 'tests/fixtures/browsecomp-plus'
const read = async (path: string) =>
  await readBenchmark('browsecomp-plus', path, { spreadsheet: null, readWorkbook: () => [] })

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-browsecomp-'))
  await cp(fixture, folder, { recursive: true })
})

it('decrypts questions and answers with the canary beside them, and names no document', async () => {
  const { tasks, skipped } = await read(fixture)
  expect(skipped).toEqual([])
  expect(tasks).toHaveLength(10)
  expect(tasks[2]?.question).toMatchObject({ taskId: '3', documentNames: [] })
  expect(tasks[2]?.question.query).toMatch(/^How many steps does the tower have/)
  expect(tasks[2]?.gold).toMatchObject({ references: ['312'], scoring: { isEncrypted: true } })
  expect(tasks[2]?.canary).toMatch(/^MADE-UP QUESTIONS/)
})

it('judges evidence documents with 1 and gold documents with 2', async () => {
  const [first] = (await read(join(fixture, 'queries.jsonl'))).tasks
  expect(first?.evidence).toEqual({
    kind: 'judgements',
    judgements: [
      { documentId: '101', relevance: 2 },
      { documentId: '102', relevance: 1 },
      { documentId: '103', relevance: 1 },
    ],
  })
})

it('reads records in clear, and has no evidence without judgements', async () => {
  for (const name of ['canary.txt', 'qrel_evidence.txt', 'qrel_golds.txt']) await rm(join(folder, name))
  await writeFile(join(folder, 'queries.jsonl'), '{"query_id": 5, "query": "Which town?", "answer": "Elm"}\n')
  const { tasks } = await read(folder)
  expect(tasks).toMatchObject([{ question: { taskId: '5' }, gold: { references: ['Elm'] }, evidence: null }])
  expect(tasks[0]).not.toHaveProperty('canary')
})

it('leaves out encrypted records without a canary or with another one, and says what to do', async () => {
  await rm(join(folder, 'canary.txt'))
  expect((await read(folder)).skipped[0]?.problem).toMatch(/encrypted.*canary\.txt/)
  await writeFile(join(folder, 'canary.txt'), 'another')
  const { tasks, skipped } = await read(folder)
  expect(tasks).toEqual([])
  expect(skipped[0]).toMatchObject({ code: 'invalid-record', recordId: '1', line: 1 })
  expect(skipped[0]?.problem).toMatch(/cannot be decrypted.*Check the canary/)
})

it('refuses a folder without questions and a line that is not a judgement', async () => {
  await writeFile(join(folder, 'qrel_golds.txt'), '1 Q0 101 1\n2 Q0 201\n')
  await expect(read(folder)).rejects.toMatchObject({
    code: 'unreadable-tasks',
    message: expect.stringContaining('qrel_golds.txt:2'),
  })
  await rm(join(folder, 'queries.jsonl'))
  await rm(join(folder, 'qrel_golds.txt'))
  await expect(read(folder)).rejects.toMatchObject({ code: 'unreadable-tasks' })
})
