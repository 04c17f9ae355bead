import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listDiscoveryTargets } from '../../../src/evidence/targets.ts'
import { readBenchmark } from '../../../tasks/load-benchmark.ts'

const path = 'tests/fixtures/fanoutqa/fanout-final-dev.json'
const { tasks } = await readBenchmark('fanoutqa', path, { spreadsheet: null, readWorkbook: () => [] })
const [table, list, yes, texts] = tasks

it('loads keys and values as a table with two columns', () => {
  expect(table?.gold).toEqual({
    kind: 'table',
    keyColumns: ['item'],
    targetColumns: ['value'],
    numericColumns: ['value'],
    rows: [
      { item: 'Orovale', value: 18650 },
      { item: 'Pelting', value: 4120 },
    ],
  })
  expect(texts?.gold).toMatchObject({ numericColumns: [] })
})

it('keeps the order of keys that are years or other numbers', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tablehunt-fanoutqa-'))
  const [record] = JSON.parse(readFileSync(path, 'utf8'))
  const text = JSON.stringify([{ ...record, answer: { b: 'B' } }])
  const file = join(folder, 'dev.json')
  writeFileSync(file, text.replace('{"b":"B"}', '{"2023": "\\"10\\": x", "Both" : "y", "1999": "z"}'))
  const { tasks: loaded } = await readBenchmark('fanoutqa', file, {
    spreadsheet: null,
    readWorkbook: () => [],
  })
  expect(loaded[0]?.gold).toMatchObject({
    rows: [
      { item: '2023', value: '"10": x' },
      { item: 'Both', value: 'y' },
      { item: '1999', value: 'z' },
    ],
  })
  rmSync(folder, { recursive: true })
})

it('loads lists and single values as texts, with yes for true', () => {
  expect(list?.gold).toMatchObject({ items: ['Orovale', 'Pelting'] })
  expect(yes?.gold).toEqual({ kind: 'text', references: ['yes'] })
})

it('names the pages of all sub-questions as evidence, each with its revision and once', () => {
  const urls = ['Orovale', 'Pelting'].map((name, at) => ({
    url: `https://en.wikipedia.org/wiki/${name}`,
    revision: String(9002 + at),
    document: `${9002 + at}.html`,
  }))
  expect(list?.evidence).toEqual({ kind: 'urls', urls })
  expect(list?.documents.map(({ name }) => name)).toEqual(['9002.html', '9003.html'])
  expect(tasks.map(({ source }) => source?.line)).toEqual([3, 62, 114, 148])
})

it('recognises an evidence page by its address, and a downloaded copy by its content', () => {
  const copy = { hint: '9002.html', sha256: 'a'.repeat(64), text: 'Orovale is a town.' }
  const targets = listDiscoveryTargets(list?.evidence ?? null, [copy], null)
  expect(targets?.[0]).toEqual({
    ...{ hint: 'https://en.wikipedia.org/wiki/Orovale', sha256: copy.sha256, text: copy.text },
    addresses: [expect.stringContaining('en.wikipedia.org/wiki/Orovale')],
  })
  expect(targets?.[1]).toMatchObject({ sha256: null, text: '' })
})
