import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { scoreGisaAnswer } from '../../../tasks/gisa/score-answer.ts'

interface ParityCase {
  readonly id: string
  readonly type: string
  readonly gold: string
  readonly answer: string
  readonly expected: Readonly<Record<string, number>>
}

const cases: ParityCase[] = JSON.parse(readFileSync('tests/fixtures/parity/gisa_dev.json', 'utf8'))

/** The names of the published figures, by those of the scorers. */
const published: Readonly<Record<string, string>> = {
  exactMatch: 'global_em',
  setF1: 'set_f1',
  setPrecision: 'set_precision',
  setRecall: 'set_recall',
  listF1: 'list_content_f1',
  listOrder: 'list_order_score',
  itemF1: 'table_item_f1',
  itemPrecision: 'table_item_precision',
  itemRecall: 'table_item_recall',
  rowF1: 'table_row_f1',
  rowPrecision: 'table_row_precision',
  rowRecall: 'table_row_recall',
}

it('equals the published scorer on every case', () => {
  expect(cases).toHaveLength(222)
  for (const { id, type, gold: csv, answer, expected } of cases) {
    const gold =
      type === 'table'
        ? { kind: 'table', keyColumns: ['a'], targetColumns: [], numericColumns: [], rows: [] }
        : { kind: 'text', references: ['a'] }
    const input = { answerText: answer, gold, configuration: { type, csv } }
    const { metrics } = scoreGisaAnswer(input as unknown as Parameters<typeof scoreGisaAnswer>[0])
    for (const [key, value] of Object.entries(metrics)) {
      const right = expected[published[key]!]
      if (right === undefined) expect(value, `${id} ${key}`).toBeNull()
      else expect(value, `${id} ${key}: ${JSON.stringify(answer)}`).toBeCloseTo(right, 9)
    }
  }
})
