import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonGold, TableGold } from '../../src/core/task.ts'
import { parseExtraction } from '../../src/score/extract-bench/parse-extraction.ts'
import { rulesJudge } from '../../src/score/judge/judge.ts'
import { parseAnswer } from '../../src/score/parse-answer.ts'
import { profiles } from '../../src/score/registry.ts'
import { scoreAttempt } from '../../src/score/score-attempt.ts'
import { scoreExtractionAttempt } from '../../src/score/score-extraction-attempt.ts'
import { makeAttempt } from '../report/records.ts'

const gold: TableGold = {
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
const score = (answerText: string, profile: string) =>
  scoreAttempt({
    attempt,
    answerText,
    gold,
    profile,
    judge: rulesJudge,
    infrastructureFailures: 0,
  })

/** Processor time, so that a busy machine does not fail a test. */
async function cpuMsOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

const csv = (body: string): string => `\`\`\`csv\nk,a,金额(元)\n${body}\n\`\`\``
const hostile: Readonly<Record<string, () => string>> = {
  '1,000,000 rows': () => csv('x,1,2\n'.repeat(1_000_000)),
  '30,000 rows of keys that are nearly like the gold': () =>
    csv(Array.from({ length: 30_000 }, (_, i) => `Entity ${i} 公司x,t,${i}`).join('\n')),
  '5,000 rows of one key': () => csv('Entity 5 公司.,1,2\n'.repeat(5_000)),
  'a cell of 10 MB': () => csv(`Entity 1 公司,"${'y'.repeat(10_000_000)}",2`),
  'a key of 1 MB': () => csv(`"${'Entity 1 '.repeat(110_000)}",1,2`),
  '200,000 items in a cell': () => csv(`Entity 1 公司,"${'a;b,'.repeat(100_000)}",2`),
  'a million digits': () => csv(`Entity 1 公司,t,${'9'.repeat(1_000_000)}`),
  '200,000 Chinese numerals': () => csv(`Entity 1 公司,t,${'一亿'.repeat(100_000)}`),
  'three million spaces before a number': () => csv(`Entity 1 公司,t,${' '.repeat(3_000_000)}7`),
  'unbalanced quotes': () => csv('"Entity 1 公司,1,2\nx,"y,3\n'.repeat(20_000)),
  '500,000 quotes': () => csv('"'.repeat(500_000)),
  '50,000 fences': () => '```csv\n'.repeat(50_000),
  'a million bars': () => `${'|'.repeat(1_000_000)}\n${'|-'.repeat(500_000)}\n`,
  '100,000 columns': () =>
    `\`\`\`csv\n${Array.from({ length: 100_000 }, (_, i) => `c${i}`).join(',')}\n1\n\`\`\``,
  'a million combining marks': () => csv(`e${'\u0301'.repeat(1_000_000)},1,2`),
  'a million line ends': () => `${'\n'.repeat(1_000_000)}k,a\nEntity 1 公司,2`,
  'NULs, BOMs and zero-width characters': () =>
    csv(`\uFEFF\0Entity 1 公司\0,\u200B${'\0'.repeat(100_000)},\uFEFF2`),
}

describe('hostile answers', () => {
  it.each(Object.entries(hostile))(
    '%s: scored or refused with a named reason, in bounded time under every profile',
    async (_name, make) => {
      const text = make()
      const parsed = parseAnswer(text)
      if (parsed.status !== 'table') expect(parsed.note.length).toBeGreaterThan(0)
      for (const profile of Object.keys(profiles)) {
        const spent = await cpuMsOf(async () => {
          const result = await score(text, profile)
          expect(result.status).toBe('scored')
          expect(result.cells).toHaveLength(40)
          for (const cell of result.cells) expect((cell.predicted ?? '').length).toBeLessThanOrEqual(4001)
        })
        expect(spent).toBeLessThan(20_000)
      }
    },
    120_000,
  )

  it('of any mix of pieces are scored within 0..1 under every profile (fixed budget: 400 answers)', async () => {
    const piece = fc.constantFrom(
      ...[
        '```csv\n',
        '```\n',
        '```json\n',
        'k,a,金额(元)\n',
        'k;a\n',
        '| k | a |\n|---|---|\n',
        ',',
        '，',
        '；',
        '|',
      ],
      ...[
        '\t',
        '\n',
        '\r\n',
        '\r',
        '"',
        '""',
        '\uFEFF',
        '\0',
        '=1+1',
        "'=x",
        '<think>',
        '</think>',
        '{"k": [1, {"a": "',
      ],
      ...[
        'Entity 1 公司',
        'Entity 1',
        '1,000',
        '1，000',
        '12%',
        '（1,234）',
        '三千',
        'null',
        'k,k,\n',
        'a'.repeat(5000),
      ],
      ...['\u200b', '\ud800', '😀', '&amp;', '\\', '[1, 2]', '2023年1月', '$5', '1e999', '-', '∞'],
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(piece, { maxLength: 40 }),
        fc.constantFrom(...Object.keys(profiles)),
        async (pieces, profile) => {
          const result = await score(pieces.join(''), profile)
          expect(result.status).toBe('scored')
          expect(result.cells).toHaveLength(40)
          for (const share of [
            result.row?.f1,
            result.cell?.f1,
            result.cell?.precision,
            result.cell?.recall,
          ]) {
            expect(share).toBeGreaterThanOrEqual(0)
            expect(share).toBeLessThanOrEqual(1)
          }
        },
      ),
      { numRuns: 400, seed: 20_260_101 },
    )
  }, 120_000)
})

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
const hostileJson: Readonly<Record<string, () => string>> = {
  'a million opening brackets': () => '['.repeat(1_000_000),
  'a value nested 100,000 deep': () => `{"name": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  'a text of 10 MB': () => JSON.stringify({ name: 'ab '.repeat(3_333_333) }),
  'a text of 900,000 characters': () => JSON.stringify({ name: 'harbor '.repeat(128_000) }),
  '100,000 items': () =>
    JSON.stringify({ people: Array.from({ length: 100_000 }, () => ({ name: 'Person 1' })) }),
  '1,000 items': () =>
    JSON.stringify({ people: Array.from({ length: 1_000 }, (_, i) => ({ name: `Person ${i}` })) }),
  'a million commas': () => `{"people": [${','.repeat(1_000_000)}]}`,
  'a million keys': () => `{${Array.from({ length: 1_000_000 }, (_, i) => `"k${i}":1`).join(',')}}`,
  'keys of the prototype': () => '{"__proto__": {"name": "x"}, "constructor": 1, "name": "y"}',
  'a number of a million digits': () => `{"amount": ${'9'.repeat(1_000_000)}}`,
}

describe('hostile JSON', () => {
  it.each(Object.entries(hostileJson))(
    '%s: scored or refused with a named reason, in bounded time',
    async (_name, make) => {
      const text = make()
      const parsed = parseExtraction(text)
      if (parsed.status !== 'json') expect(parsed.failure.length).toBeGreaterThan(0)
      const spent = await cpuMsOf(async () => {
        const result = await scoreExtractionAttempt({
          attempt,
          answerText: text,
          gold: jsonGold,
          judge: rulesJudge,
          infrastructureFailures: 0,
        })
        expect(result.status).toBe('scored')
        expect(result.passed).toBe(result.extract?.failure === null)
      })
      expect(spent).toBeLessThan(20_000)
    },
    120_000,
  )
})
