import { expect, it } from 'vitest'
import type { JsonGold } from '../../src/core/gold.ts'
import type { Task } from '../../src/core/task.ts'
import { makeStatisticsTable } from '../../src/run/tasks/statistics-table.ts'
import { computeTaskStatistics } from '../../src/run/tasks/task-statistics.ts'

const lender = {
  type: 'object',
  properties: { name: { type: 'string' }, shares: { type: 'array', items: { type: 'number' } } },
}
const schema = {
  type: 'object',
  properties: { lenders: { type: 'array', items: lender }, total: { type: 'number' } },
}
const golds = [
  {
    lenders: [
      { name: 'A', shares: [1, 2] },
      { name: 'B', shares: [] },
    ],
    total: 3,
  },
  { lenders: [], total: null },
]

function taskOf(value: unknown, at: number): Task<JsonGold> {
  const text = JSON.stringify(value)
  return {
    question: {
      ...{ taskId: `t${at}`, benchmark: 'extract-bench', domain: 'finance', language: 'en', query: 'q' },
      documentNames: [`${at}.pdf`],
      form: { kind: 'json', schema },
      facets: { taskType: at === 0 ? 'loan' : 'note' },
    },
    gold: { kind: 'json', schemaName: 'loan', schema, value, text },
    documents: [{ name: `${at}.pdf` }],
    evidence: null,
  }
}

const tasks = golds.map(taskOf)
const documents = tasks.map(({ documents: [one] }, at) => [
  {
    hint: one!.name,
    sha256: `${at}`,
    state: 'read' as const,
    problem: null,
    notices: [],
    tokens: 10,
    pages: 3 + at,
  },
])
const statisticsBy = (facet: string) =>
  computeTaskStatistics(tasks, documents, { facet, countTokens: text => text.length })

it("counts a schema's keys and levels, and a gold's values and list items", () => {
  expect(statisticsBy('domain').at(-1)).toMatchObject({
    ...{ domain: 'all', tasks: 2, pages: 7, pagesPerDocument: { mean: 3.5, max: 4 } },
    // The keys are name, shares and total; the levels are object, list, object and list.
    ...{ schemaKeys: { mean: 3, max: 3 }, schemaDepth: 4 },
    // A, 1, 2, B and 3, and then null; two lenders and two shares.
    ...{ goldLeaves: 6, listItems: { mean: 2, max: 4 } },
  })
})

it('groups by another facet, and refuses one that no task has', () => {
  expect(statisticsBy('taskType').map(({ domain, tasks: count }) => [domain, count])).toEqual([
    ['loan', 1],
    ['note', 1],
    ['all', 2],
  ])
  expect(() => statisticsBy('colour')).toThrow(expect.objectContaining({ code: 'unknown-facet' }))
})

it("shows the rows of ExtractBench's tables only for JSON", () => {
  const shown = (statistics: ReturnType<typeof statisticsBy>) =>
    makeStatisticsTable(statistics, { title: 't', remarks: [] }).rows.map(([name]) => name)
  expect(shown(statisticsBy('domain'))).toEqual(expect.arrayContaining(['Schema depth', 'Gold values (#)']))
  const tables = statisticsBy('domain').map(one => ({ ...one, schemaKeys: null }))
  expect(shown(tables)).not.toContain('Schema depth')
})
