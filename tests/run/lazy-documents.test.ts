import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { DocumentContent, Task } from '../../src/core/task.ts'
import { readDocuments } from '../../src/run/tasks/read-documents.ts'
import { computeTaskStatistics } from '../../src/run/tasks/task-statistics.ts'
import { defineBenchmark } from '../../tasks/benchmark.ts'
import { loadBenchmark } from '../../tasks/load-benchmark.ts'
import { benchmarks } from '../../tasks/registry.ts'

const [taskCount, documentCount] = [6_671, 50]
const kept = { loads: 0 }
const rows = Array.from({ length: 20 }, (_, row) => [`row ${row}`, row])
const documents = Array.from({ length: documentCount }, (_, at) => ({
  name: `table-${at}`,
  async load(): Promise<DocumentContent> {
    kept.loads += 1
    return { kind: 'tables', tables: [{ name: `t${at}`, columns: ['name', 'value'], rows }] }
  },
}))

function taskOf(at: number): Task {
  return {
    question: {
      ...{ taskId: `t${at}`, benchmark: 'many', domain: 'd', language: 'en', query: `q${at}` },
      documentNames: [],
      form: { kind: 'text' },
    },
    gold: { kind: 'text', references: [`row ${at}`] },
    documents: [documents[at % documentCount]!],
    evidence: null,
  }
}

const removeBenchmark = benchmarks.add('tests', {
  many: defineBenchmark({
    summary: 'thousands of questions over some tables',
    answerKinds: ['text'],
    load: async () => ({ tasks: Array.from({ length: taskCount }, (_, at) => taskOf(at)), skipped: [] }),
  }),
})
afterAll(removeBenchmark)

const options = { spreadsheet: null, readWorkbook: () => [] }

it('loads and validates thousands of tasks without their documents', async () => {
  kept.loads = 0
  const { tasks, problems } = await loadBenchmark('many', 'tasks', options)
  expect([tasks.length, problems.length, kept.loads]).toEqual([taskCount, 0, 0])
})

it('loads a document that tasks share once for the statistics, and keeps none of its text', async () => {
  kept.loads = 0
  const { tasks } = await loadBenchmark('many', 'tasks', options)
  const cache = await mkdtemp(join(tmpdir(), 'tablehunt-lazy-'))
  const read = await readDocuments(tasks, { docs: null, cache, countTokens: text => text.length })
  expect(kept.loads).toBe(documentCount)
  expect(JSON.stringify(read[0])).not.toContain('row 1')
  const countTokens = (text: string): number => text.length
  expect(computeTaskStatistics(tasks, read, { facet: 'domain', countTokens }).at(-1)).toMatchObject({
    ...{ tasks: taskCount, documents: taskCount, distinctDocuments: documentCount, uncountedDocuments: 0 },
  })
})
