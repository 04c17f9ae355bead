import { expect, it } from 'vitest'
import type { TableGold } from '../../src/core/gold.ts'
import { lookUpGold } from '../../src/evidence/gold-lookup.ts'
import { createTextIndexes } from '../../src/evidence/text-index.ts'
import { listGoldItems } from '../../tasks/kinds/answer-kinds.ts'

const text = 'Alder (BP-101) has 14,200 beds; revenue $ 5,048 (in millions). Opened on 4 March 2024.'
const lookUp = (row: TableGold['rows'][number]) =>
  lookUpGold(
    {
      gold: {
        kind: 'table',
        keyColumns: ['Code'],
        targetColumns: Object.keys(row).filter(name => name !== 'Code'),
        numericColumns: ['Beds', 'Revenue'],
        rows: [row],
      },
      documents: [{ name: 'alder.txt' }],
      evidence: null,
    },
    [{ hint: 'alder.txt', text }],
    createTextIndexes(),
    listGoldItems,
  ).map(({ column, state }) => [column, state])

it('finds values in any form that documents use', () => {
  expect(lookUp({ Code: 'BP-101', Beds: 14200, Opened: '2024-03-04' })).toEqual([
    ['Code', 'found'],
    ['Beds', 'found'],
    ['Opened', 'found'],
  ])
})

it('names mistyped values and keys, and numbers that are only there in another unit', () => {
  expect(lookUp({ Code: 'BP-999', Beds: 14300, Revenue: '5,048,000,000', Opened: '2024-03-05' })).toEqual([
    ['Code', 'not-found'],
    ['Beds', 'not-found'],
    ['Revenue', 'other-unit'],
    ['Opened', 'not-found'],
  ])
})

it('leaves out blank values, truth values and the names of documents', () => {
  expect(lookUp({ Code: 'alder.txt', Beds: null, Open: true, Town: 'N/A' })).toEqual([])
})

it.each<[string, readonly string[], readonly string[]]>([
  ['any accepted answer', ['14,300', 'BP-101'], ['found']],
  ['none of several accepted answers', ['Birch', 'Cedar'], ['not-found']],
  ['yes, which is not searched for', ['yes'], []],
  ['a word for false in another language', ['Nein'], []],
  ['a word beside yes', ['yes', 'Alder'], ['found']],
  ['a country that looks like a word for false', ['NO'], ['not-found']],
])('looks up %s', (_, references, states) => {
  const task = {
    gold: { kind: 'text', references } as const,
    documents: [{ name: 'alder.txt' }],
    evidence: null,
  }
  const found = lookUpGold(task, [{ hint: 'alder.txt', text }], createTextIndexes(), listGoldItems)
  expect(found.map(({ state }) => state)).toEqual(states)
})
