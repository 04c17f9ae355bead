import { describe, expect, it } from 'vitest'
import type { JsonGold, TableGold } from '../../src/core/gold.ts'
import { scoreSchema } from '../../src/core/score.ts'
import type { AttemptEnd } from '../../src/core/termination.ts'
import { rulesJudge } from '../../src/score/contract/judge.ts'
import { attemptEnding } from './attempt-ending.ts'
import { scoreAnswer } from './score-answer.ts'

const answered = { cause: 'agent', reason: 'answered' } as const

const hospitals: TableGold = {
  kind: 'table',
  keyColumns: ['hospital'],
  targetColumns: ['beds', 'town', 'opened'],
  numericColumns: ['beds'],
  rows: [
    { hospital: 'St. Mary Hospital', beds: '120', town: 'Ardmore', opened: '1904' },
    { hospital: 'Northside Clinic', beds: '45', town: 'Belford', opened: '1988' },
  ],
}

const score = (csv: string | null, scorer = 'aoe', end: AttemptEnd = answered) =>
  scoreAnswer({
    attempt: attemptEnding(end),
    answerText: csv === null ? null : `\`\`\`csv\n${csv}\n\`\`\``,
    gold: hospitals,
    scorer,
    judge: rulesJudge,
    infrastructureFailures: 0,
  })

describe("a table score's explanation", () => {
  it('names the columns that were not found and says that the rows matched', async () => {
    const result = await score('hospital,Capacity\nSt. Mary Hospital,120\nNorthside Clinic,45')
    expect(result.explanation).toEqual([
      '0 of 3 gold columns were found in the answer (gold: beds, town, opened; answer: hospital, Capacity).',
      '2 of 2 rows matched by key.',
    ])
    expect(result.metrics.columnRecall).toBe(0)
    expect(scoreSchema.parse(result)).toEqual(result)
  })

  it('puts the costliest difference first, with keys and an example', async () => {
    const result = await score(
      'hospital,beds,town,opened,phone\nst mary hospital,120,Ardmore,1905,1\nWest Wing,1,a,b,2\nEast Wing,1,a,b,3',
    )
    expect(result.explanation).toEqual([
      'All 3 gold columns were found in the answer.',
      '1 of 2 rows matched by key.',
      "2 rows of the answer match no gold row: 'West Wing', 'East Wing'.",
      "1 gold row has no match in the answer: 'Northside Clinic'.",
      "1 of 3 compared cells is wrong. For example, opened of 'St. Mary Hospital': gold '1904', answer '1905'.",
      '1 column of the answer matches no gold column: phone. Extra columns lower schema precision, not Cell F1.',
    ])
    expect(result.metrics.columnRecall).toBe(1)
  })

  it('says that a similar row took the gold row of an exact key', async () => {
    const csv =
      'hospital,beds,town,opened\nSt. Mary Hospitals,1,Ardmore,1904\nSt. Mary Hospital,120,Ardmore,1904'
    expect((await score(csv)).explanation).toContain(
      "It has the exact key of a gold row that another row had taken by similarity: 'St. Mary Hospitals' took the gold row of 'St. Mary Hospital'. Scorers paper and strict match exact keys first.",
    )
    expect((await score(csv, 'strict')).cells[0]).toMatchObject({ score: 1, matched: { row: 1 } })
  })

  it('says why there is no table to score', async () => {
    expect((await score(null, 'aoe', { cause: 'budget', reason: 'wall-clock' })).explanation).toEqual([
      'The attempt gave no answer. It ended with budget / wall-clock.',
    ])
    const agent = { cause: 'agent', reason: 'answered-without-table' } as const
    expect((await score(null, 'aoe', agent)).explanation).toEqual([
      'The attempt ended without an answer in the asked form (agent / answered-without-table).',
    ])
    const unscored = await score(null, 'aoe', { cause: 'provider', reason: 'rate-limited' })
    expect(unscored.explanation).toEqual([
      'The attempt is not scored because a model provider or a search service failed (provider / rate-limited).',
    ])
  })
})

describe('an answer without a target column', () => {
  const withEmpty = (rows: readonly Readonly<Record<string, string>>[]): TableGold => ({
    kind: 'table',
    keyColumns: ['Hotel'],
    targetColumns: ['Beds', 'Note'],
    numericColumns: ['Beds'],
    rows: rows.map(row => ({ ...row })),
  })
  const explain = async (gold: TableGold, csv: string, scorer: string) =>
    await scoreAnswer({
      attempt: attemptEnding(answered),
      answerText: `\`\`\`csv\n${csv}\n\`\`\``,
      gold,
      scorer,
      judge: rulesJudge,
      infrastructureFailures: 0,
    })
  const twoEmpty = withEmpty([
    { Hotel: 'Alder', Beds: '12', Note: '' },
    { Hotel: 'Birch', Beds: '13', Note: 'N/A' },
  ])

  it.each(['aoe', 'paper', 'strict'])(
    'keeps the cells that are empty in the gold under %s, and says so',
    async scorer => {
      const result = await explain(twoEmpty, 'Hotel,Beds\nAlder,12\nBirch,13', scorer)
      expect(result.metrics.cellF1).toBe(1)
      expect(result.explanation).toContain(
        "2 empty gold cells under Note count as correct although the answer has no such column: empty equals empty, as in AOE's published code.",
      )
    },
  )

  it('says it of one cell, and of numbers', async () => {
    const gold = withEmpty([
      { Hotel: 'Alder', Beds: '', Note: 'old' },
      { Hotel: 'Birch', Beds: '13', Note: 'new' },
    ])
    const { explanation } = await explain(gold, 'Hotel,Note\nAlder,old\nBirch,new', 'aoe')
    expect(explanation?.join(' ')).toContain('1 empty gold cell under Beds counts as correct')
  })

  it('says nothing where the column is there, or no gold cell is empty', async () => {
    const there = await explain(twoEmpty, 'Hotel,Beds,Note\nAlder,12,\nBirch,13,', 'aoe')
    expect(there.explanation?.join(' ')).not.toContain('empty gold cell')
    expect((await score('hospital,beds\nNorthside Clinic,45')).explanation?.join(' ')).not.toContain(
      'empty gold',
    )
  })
})

describe('the answer row of a scored cell', () => {
  const csv =
    'hospital,beds,town,opened\nNorthside Clinic,45,Belford,1988\nSt. Mary Hospitals,120,Ardmore,1904'

  it.each(['aoe', 'paper', 'strict'])('is recorded with the rule that matched it under %s', async scorer => {
    const { cells } = await score(csv, scorer)
    expect(cells[0]?.matched).toEqual({ row: 1, by: 'similarity', similarity: 97 })
    expect(cells[3]?.matched).toEqual({ row: 0, by: 'exact key', similarity: null })
  })

  it('is null for a gold row without a match', async () => {
    const { cells } = await score('hospital,beds,town,opened\nNORTHSIDE CLINIC,45,Belford,1988', 'strict')
    expect(cells[0]?.matched).toBeNull()
    expect(cells[3]?.matched).toEqual({ row: 0, by: 'normalised key', similarity: null })
  })
})

describe("a JSON score's explanation", () => {
  const text = '{"name": "Acme", "revenue": 5, "fees": [{"kind": "upfront"}, {"kind": "commitment"}]}'
  const fee = { type: 'object', properties: { kind: { type: 'string' } } }
  const gold: JsonGold = {
    kind: 'json',
    schemaName: 'deal',
    schema: {
      type: 'object',
      properties: {
        name: { type: 'string' },
        revenue: { type: 'number' },
        fees: { type: 'array', items: fee },
      },
    },
    value: JSON.parse(text),
    text,
  }
  const explain = async (answerText: string) => {
    const attempt = attemptEnding(answered, 'extract-bench')
    const common = { gold, judge: rulesJudge, infrastructureFailures: 0 }
    return (await scoreAnswer({ attempt, answerText, ...common })).explanation
  }

  it('counts the fields that passed and names those that failed', async () => {
    const answer = '{"name": "Acme", "revenue": 6, "fees": [{"kind": "upfront"}, {"kind": "exit"}]}'
    expect(await explain(answer)).toEqual([
      '1 of 3 fields passed.',
      '2 fields failed (2 with another value than the gold): revenue, fees.',
      'List items that do not match: fees (1 missing, 1 spurious).',
    ])
  })

  it('says why an invalid answer cannot be scored', async () => {
    expect(await explain('{"name": "Acme", }')).toEqual([
      'The answer is not valid JSON: it has a comma before a closing bracket.',
      'No field of an invalid answer passes.',
    ])
    expect((await explain('{"name": 5}'))?.[0]).toMatch(
      /^The answer is JSON, but it does not fit the schema: .*name/,
    )
  })
})
