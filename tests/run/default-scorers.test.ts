import { expect, it } from 'vitest'
import { listDefaultScorers } from '../../src/config/benchmark-defaults.ts'
import { chooseScorers } from '../../src/run/plan/choose-scorers.ts'
import { isAoeRecordId } from '../../tasks/aoe/record.ts'
import { listScorerMetrics, writeScorerNotice } from '../../tasks/scorers.ts'

const task = (taskId: string) => ({
  question: { taskId } as never,
  gold: { kind: 'table', keyColumns: ['a'], targetColumns: [], numericColumns: [], rows: [] } as never,
  documents: [],
  evidence: null,
})

it.each([
  ['financial_12_3_en', true],
  ['financial_10q-all_4_en', true],
  ['academic_coco_1', true],
  ['legal_4_1_zh_extra', true],
  ['hotels', false],
  ['hotels_1_2', false],
  ['financial_12_9_en', false],
  ['sport_table_0_en', false],
  ['3', false],
])('recognises %s as a record of AOE: %s', (id, isAoe) => {
  expect(isAoeRecordId(id)).toBe(isAoe)
})

it("scores AOE's tasks by aoe, and all others by strict", () => {
  const [aoe, own] = [task('financial_12_3_en'), task('hotels')]
  expect(listDefaultScorers('aoe', [aoe])).toEqual(['aoe'])
  expect(listDefaultScorers('aoe', [own])).toEqual(['strict'])
  expect(listDefaultScorers('aoe', [aoe, own])).toEqual(['strict'])
  expect(listDefaultScorers('spreadsheet', [own])).toEqual(['strict'])
  const config = { benchmark: 'aoe', judge: 'rules' }
  expect(chooseScorers({ ...config, scorer: [] }, [own])).toEqual(['strict'])
  expect(chooseScorers({ ...config, scorer: ['aoe'] }, [own])).toEqual(['aoe'])
})

it('says in one line what a scorer forgives', () => {
  expect(writeScorerNotice('strict')).toMatch(/^scorer: strict: forgives spellings, not values: €14,200/)
  expect(writeScorerNotice('aoe')).toContain('€14,200, 14200 EUR and 14.2k are wrong against 14200')
  expect(writeScorerNotice('rouge-l')).not.toContain('\n')
  expect(listScorerMetrics(['strict']).strict!.forgives).toContain('12.36%')
})
