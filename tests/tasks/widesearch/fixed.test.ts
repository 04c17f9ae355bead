import { describe, expect, it } from 'vitest'
import { evaluateAsPublished } from '../../../tasks/widesearch/evaluate.ts'
import { evaluateFixed } from '../../../tasks/widesearch/evaluate-fixed.ts'

const exact = { preprocess: ['norm_str'], metric: ['exact_match'] }
const byDate = { preprocess: ['norm_date'], metric: ['date_near'] }
const evaluation = {
  required: ['hotel', 'opened'],
  unique_columns: ['hotel'],
  eval_pipeline: { hotel: exact, opened: byDate },
}
const goldCsv = 'Hotel,Opened\nAlder,2019-03-04\n"Birch\nInn",2020\n'
const nowMs = Date.parse('2025-08-12T12:00:00Z')

async function itemF1(rows: readonly string[], header = '| hotel | opened |'): Promise<[number, number]> {
  const answer = [header, '|---|---|', ...rows].join('\n')
  const input = { answer: `\`\`\`markdown\n${answer}\n\`\`\``, goldCsv, evaluation, nowMs }
  const ask = async () => '```json\n{"The Alder": "alder", "the alder": "Alder"}\n```'
  const results = [await evaluateAsPublished({ ...input, ask }), await evaluateFixed({ ...input, ask })]
  return results.map(one => (one.outcome === 'scored' ? one.figures.f1_by_item : 0)) as [number, number]
}

describe('scorer widesearch-fixed', () => {
  it('reads line breaks in gold cells as blanks, and a year as any date in it', async () => {
    const [, fixed] = await itemF1(['| Alder | 2019-03-04 |', '| Birch Inn | 2020-11-30 |'])
    expect(fixed).toBe(1)
  })

  it('ignores a column that the task does not require, for which the published scorer gives 0', async () => {
    const header = '| hotel | opened | stars |'
    const rows = ['| Alder | 2019-03-04 | 4 |', '| Birch Inn | 2020 | 3 |']
    expect(await itemF1(rows, header)).toEqual([0, 1])
  })

  it('applies settings whose column name is not normalised, for which the published scorer gives 0', async () => {
    const eval_pipeline = { hotel: exact, Opened: byDate }
    const answer = '```markdown\n| hotel | opened |\n| Alder | 2019-03-04 |\n| Birch Inn | 2020 |\n```'
    const input = {
      answer,
      goldCsv,
      evaluation: { ...evaluation, eval_pipeline },
      nowMs,
      ask: async () => null,
    }
    expect(await evaluateAsPublished(input)).toMatchObject({ outcome: 'error', exception: 'KeyError' })
    expect(await evaluateFixed(input)).toMatchObject({ outcome: 'scored', figures: { score: 1 } })
  })

  it('matches a gold row once, which the published scorer matches with every row of the same key', async () => {
    expect(await itemF1(['| Alder | 2019-03-04 |', '| The Alder | 2019-03-04 |'])).toEqual([1, 0.5])
  })
})
