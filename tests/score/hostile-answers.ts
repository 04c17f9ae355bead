import { expect } from 'vitest'
import type { JsonGold, TableGold } from '../../src/core/gold.ts'
import { yieldToEventLoop } from '../../src/core/runtime.ts'
import { parseAnswer } from '../../src/score/answer/parse-answer.ts'
import { rulesJudge } from '../../src/score/contract/judge.ts'
import { parseExtraction } from '../../tasks/extract-bench/parse-extraction.ts'
import { listTableScorerNames } from '../../tasks/scorers.ts'
import { makeAttempt } from '../report/records.ts'
import { scoreAnswer } from './score-answer.ts'

const tableGold: TableGold = {
  kind: 'table',
  keyColumns: ['k'],
  targetColumns: ['a', '金额(元)'],
  numericColumns: ['金额(元)'],
  rows: Array.from({ length: 20 }, (_, i) => ({
    k: `Entity ${i} 公司`,
    a: `some text ${i}; and 文本`,
    '金额(元)': i * 1000,
  })),
}
const attempt = makeAttempt({ task: 't', setting: 'offline' })

export const scoreTable = (answerText: string, scorer: string) =>
  scoreAnswer({ attempt, answerText, scorer, gold: tableGold, judge: rulesJudge })

const csv = (body: string): string => `\`\`\`csv\nk,a,金额(元)\n${body}\n\`\`\``

type HostileCases = Readonly<Record<string, (size: number) => string>>

/** Tables on which a careless scorer never ends. Size 1 is about the largest that is read. */
export const hostileTables: HostileCases = {
  '9,900 equal rows': size => csv('x,1,2\n'.repeat(9_900 * size)),
  '9,900 rows of keys that are nearly like the gold': size =>
    csv(Array.from({ length: 9_900 * size }, (_, i) => `Entity ${i} 公司x,t,${i}`).join('\n')),
  '5,000 rows of one key': size => csv('Entity 5 公司.,1,2\n'.repeat(5_000 * size)),
  'a cell of 99,000 characters': size => csv(`Entity 1 公司,"${'y'.repeat(99_000 * size)}",2`),
  'a key of 99,000 characters': size => csv(`"${'Entity 1 '.repeat(11_000 * size)}",1,2`),
  '40,000 items in a cell': size => csv(`Entity 1 公司,"${'a;b,'.repeat(20_000 * size)}",2`),
  '90,000 digits': size => csv(`Entity 1 公司,t,${'9'.repeat(90_000 * size)}`),
  '90,000 Chinese numerals': size => csv(`Entity 1 公司,t,${'一亿'.repeat(45_000 * size)}`),
  '90,000 spaces before a number': size => csv(`Entity 1 公司,t,${' '.repeat(90_000 * size)}7`),
  'unbalanced quotes': size => csv('"Entity 1 公司,1,2\nx,"y,3\n'.repeat(4_900 * size)),
  '500,000 quotes': size => csv('"'.repeat(500_000 * size)),
  '4,900 fences': size => '```csv\n'.repeat(4_900 * size),
  '900,000 bars': size => `${'|'.repeat(300_000 * size)}\n${'|-'.repeat(300_000 * size)}\n`,
  '100,000 columns': size =>
    `\`\`\`csv\n${Array.from({ length: 100_000 * size }, (_, i) => `c${i}`).join(',')}\n1\n\`\`\``,
  '90,000 combining marks': size => csv(`e${'\u0301'.repeat(90_000 * size)},1,2`),
  '500,000 line ends': size => `${'\n'.repeat(500_000 * size)}k,a\nEntity 1 公司,2`,
  'NULs, BOMs and zero-width characters': size =>
    csv(`\uFEFF\0Entity 1 公司\0,\u200B${'\0'.repeat(100_000 * size)},\uFEFF2`),
}

/** Asserts that every scorer of tables scores an answer or refuses it with a named reason. */
export async function expectScoredTable(text: string): Promise<void> {
  const parsed = parseAnswer(text)
  if (parsed.status !== 'table') expect(parsed.note.length).toBeGreaterThan(0)
  for (const scorer of listTableScorerNames()) {
    await yieldToEventLoop()
    const result = await scoreTable(text, scorer)
    expect(result.status).toBe('scored')
    expect(result.cells).toHaveLength(40)
    for (const cell of result.cells) expect((cell.predicted ?? '').length).toBeLessThanOrEqual(4001)
  }
}

const schema = {
  type: 'object',
  properties: {
    name: { type: 'string', evaluation_config: 'string_fuzzy' },
    amount: { type: 'number' },
    people: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
  },
}
const people = Array.from({ length: 100 }, (_, i) => ({ name: `Person ${i}` }))
const value = { name: 'Harbor Bank', amount: 5, people }
const jsonGold: JsonGold = { kind: 'json', schemaName: 's', schema, value, text: JSON.stringify(value) }

/** The same for JSON answers. */
export const hostileJson: HostileCases = {
  'a million opening brackets': size => '['.repeat(1_000_000 * size),
  'a value nested 100,000 deep': size =>
    `{"name": ${'['.repeat(100_000 * size)}${']'.repeat(100_000 * size)}}`,
  'a text of 10 MB': size => JSON.stringify({ name: 'ab '.repeat(3_333_333 * size) }),
  'a text of 900,000 characters': size => JSON.stringify({ name: 'harbor '.repeat(128_000 * size) }),
  '100,000 items': size =>
    JSON.stringify({ people: Array.from({ length: 100_000 * size }, () => ({ name: 'Person 1' })) }),
  '1,000 items': size =>
    JSON.stringify({ people: Array.from({ length: 1_000 * size }, (_, i) => ({ name: `Person ${i}` })) }),
  'a million commas': size => `{"people": [${','.repeat(1_000_000 * size)}]}`,
  'a million keys': size => `{${Array.from({ length: 1_000_000 * size }, (_, i) => `"k${i}":1`).join(',')}}`,
  'keys of the prototype': () => '{"__proto__": {"name": "x"}, "constructor": 1, "name": "y"}',
  'a number of a million digits': size => `{"amount": ${'9'.repeat(1_000_000 * size)}}`,
}

/** Asserts that a JSON answer is scored or refused with a named reason. */
export async function expectScoredJson(text: string): Promise<void> {
  const parsed = parseExtraction(text)
  if (parsed.status !== 'json') expect(parsed.failure.length).toBeGreaterThan(0)
  const result = await scoreAnswer({ attempt, answerText: text, gold: jsonGold, judge: rulesJudge })
  expect(result.status).toBe('scored')
  expect(result.answered).toBe(result.extract?.failure === null)
}
