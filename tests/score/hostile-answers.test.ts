import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { listTableScorerNames } from '../../tasks/scorers.ts'
import {
  expectScoredJson,
  expectScoredTable,
  hostileJson,
  hostileTables,
  scoreTable,
} from './hostile-answers.ts'

/** The share of the full size, which hostile-answers.slow.test.ts tests. */
const size = 0.01

describe('hostile answers', () => {
  it.each(Object.entries(hostileTables))(
    'are scored or refused with a named reason under every scorer: %s (a hundredth of it)',
    async (_name, make) => await expectScoredTable(make(size)),
  )

  it.each(Object.entries(hostileJson))(
    'are scored or refused with a named reason as JSON: %s (a hundredth of it)',
    async (_name, make) => await expectScoredJson(make(size)),
  )

  it('made of any mix of pieces score from 0 to 1 under every scorer (fixed number: 400 answers)', async () => {
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
        fc.constantFrom(...listTableScorerNames()),
        async (pieces, scorer) => {
          const result = await scoreTable(pieces.join(''), scorer)
          expect(result.status).toBe('scored')
          expect(result.cells).toHaveLength(40)
          for (const share of [
            result.metrics.rowF1,
            result.metrics.cellF1,
            result.metrics.cellPrecision,
            result.metrics.cellRecall,
          ]) {
            expect(share).toBeGreaterThanOrEqual(0)
            expect(share).toBeLessThanOrEqual(1)
          }
        },
      ),
      { numRuns: 400, seed: 20_260_101 },
    )
  })
})
