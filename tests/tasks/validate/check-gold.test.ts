import { describe, expect, it } from 'vitest'
import type { TableGold } from '../../../src/core/gold.ts'
import { checkGold } from '../../../tasks/validate/check-gold.ts'
import { questionFor } from '../../score/score-answer.ts'

const exact = { preprocess: ['norm_str'], metric: ['exact_match'] }
const near = { preprocess: ['extract_number'], metric: ['number_near'], criterion: 0 }

/** A gold table in WideSearch's form. */
function wideGold(pipeline: Record<string, unknown>, street: string): TableGold {
  return {
    ...{ kind: 'table', keyColumns: ['hotel'], targetColumns: ['beds', 'street'], numericColumns: ['beds'] },
    rows: [{ hotel: 'Alder', beds: '12 beds', street }],
    scoring: {
      evaluation: {
        ...{ required: ['hotel', 'beds', 'street'], unique_columns: ['hotel'] },
        eval_pipeline: { hotel: exact, street: exact, ...pipeline },
      },
      goldCsv: `Hotel,Beds,Street\nAlder,12 beds,"${street}"\n`,
    },
  }
}
const problemsOf = async (gold: TableGold) =>
  await checkGold(gold, questionFor(gold), ['widesearch', 'widesearch-fixed'])

describe('the check of a gold', () => {
  it('applies the rules of the named scorers alone: AOE would read 12 beds as no number', async () => {
    expect(await problemsOf(wideGold({ beds: near }, 'Quay'))).toEqual([])
    const { scoring: _, ...plain } = wideGold({ beds: near }, 'Quay')
    const problems = await checkGold(plain, questionFor(plain), ['aoe'])
    expect(problems[0]?.message).toContain("scorer aoe reads column 'beds' as empty")
  })

  it('names the items that lose points', async () => {
    const problems = await problemsOf(wideGold({ beds: near }, 'Quay\n5'))
    expect(problems).toMatchObject([{ code: 'gold-not-100' }])
    expect(problems[0]!.message).toContain(
      `1 of 2 items lose points. Gold row 1, column 'street': "Quay\\n5" was compared with "Quay 5".`,
    )
  })

  it('says why no item of the gold could be scored', async () => {
    const problems = await problemsOf(wideGold({ beds: { ...near, criterion: null } }, 'Quay'))
    expect(problems[0]!.message).toContain('scored against itself by widesearch gets less than 100')
    expect(problems[0]!.message).toContain('The published code fails on this answer (TypeError')
  })
})
