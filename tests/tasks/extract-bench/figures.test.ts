import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { PythonJsonObject } from '../../../src/score/python/json-value.ts'
import { packageRoot } from '../../../src/system/paths.ts'
import { countFigures, countSchemaKeys, countScorableNodes } from '../../../tasks/extract-bench/figures.ts'
import { parseExtraction } from '../../../tasks/extract-bench/parse-extraction.ts'
import { scoreExtraction } from '../../../tasks/extract-bench/score-extraction.ts'

const folder = join(packageRoot, 'tests/fixtures/parity')
const schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    note: { type: 'string' },
    items: { type: 'array', items: { type: 'string' } },
  },
}

describe('reading the JSON of an answer', () => {
  it.each([
    ['', 'empty-response'],
    ['<think>{"a": 1}</think>', 'empty-response'],
    ['I can not do that.', 'no-json'],
    ['```json\n{"a": 1,}\n```', 'trailing-comma'],
    ['{"a": [1, 2,], "b": ",}"}', 'trailing-comma'],
    ['```json\n{"a": [1, 2', 'truncated-json'],
    ['{a: 1}', 'malformed-json'],
  ])('names the failure of %j', (text, failure) => {
    expect(parseExtraction(text)).toMatchObject({ failure })
  })

  it('uses the last block of JSON, or the first value of running text', () => {
    expect(parseExtraction('```json\n{"a": 1}\n```\nor rather\n```json\n{"a": 2}\n```')).toMatchObject({
      value: { a: 2 },
    })
    expect(parseExtraction('Here it is: {"a": "}"} and that is all.')).toMatchObject({ value: { a: '}' } })
    expect(parseExtraction('null')).toMatchObject({ status: 'json', value: null })
  })
})

describe('figures in addition to the published ones', () => {
  it('count omissions, hallucinations, wrong values and spurious items separately', async () => {
    const score = await scoreExtraction(
      schema,
      { name: 'a', items: ['x', 'y'] },
      { name: 'b', note: 'n', items: ['x', 'z', 'w'] },
    )
    expect(countFigures(score.nodes)).toEqual({
      omissions: 0,
      hallucinations: 1,
      wrongValues: 2,
      items: { matched: 1, missed: 1, spurious: 2, precision: 1 / 3, recall: 1 / 2, f1: 0.4 },
    })
  })

  it('count items as missed in a list that the answer lacks, and as spurious in a list that the gold lacks', async () => {
    const itemsOf = async (gold: PythonJsonObject, predicted: PythonJsonObject) =>
      countFigures((await scoreExtraction(schema, gold, predicted)).nodes).items
    const counts = { matched: 0, recall: 0 }
    expect(await itemsOf({ items: ['x', 'y'] }, { items: [] })).toMatchObject({ ...counts, missed: 2 })
    expect(await itemsOf({ items: ['x', 'y'] }, { name: 'a' })).toMatchObject({ ...counts, missed: 2 })
    expect(await itemsOf({ name: 'a' }, { items: ['x'] })).toMatchObject({ spurious: 1, precision: 0 })
  })

  it.each([
    ['sport/swimming/swimming-schema.json', 12],
    ['finance/credit_agreement/credit_agreement-schema.json', 13],
    ['academic/research/research-schema.json', 16],
    ['hiring/resume/resume-schema.json', 31],
    ['finance/10kq/10kq-schema.json', 369],
  ])('counts the keys of %s as the paper does', (name, keys) => {
    const file = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    expect(countSchemaKeys(file.schema_definition ?? file)).toBe(keys)
  })

  it('include the number of nodes of a perfect answer', () => {
    expect(countScorableNodes(schema, { name: 'a' })).toBe(3)
    expect(countScorableNodes(schema, { name: 1 })).toBeNull()
  })
})
