import { describe, expect, it } from 'vitest'
import type { Gold, TextGold } from '../../src/core/task.ts'
import { chooseScorers, scorersFor } from '../../src/run/plan/choose-scorers.ts'
import { questionFor } from '../score/score-answer.ts'

const text: TextGold = { kind: 'text', references: ['a'] }
const table: Gold = { kind: 'table', keyColumns: ['k'], targetColumns: ['a'], numericColumns: [], rows: [] }
const taskOf = (gold: Gold) => ({ question: questionFor(gold), gold })
const chosen =
  (scorer: string[] | null, golds: readonly Gold[], judge = 'rules') =>
  () =>
    chooseScorers({ scorer, judge }, golds.map(taskOf))

describe('the scorers of a run', () => {
  it('are the first that take what the tasks ask for, unless others are named', () => {
    expect(chosen(null, [table, table])()).toEqual(['aoe'])
    expect(chosen(null, [table, text])()).toEqual(['aoe', 'answer-f1'])
    expect(chosen(['rouge-l', 'answer-f1'], [text])()).toEqual(['rouge-l', 'answer-f1'])
    expect(scorersFor(['aoe', 'rouge-l', 'strict'], table)).toEqual(['aoe', 'strict'])
  })

  it('must take the kind of the tasks: the error names those that do', () => {
    expect(chosen(['strict'], [text])).toThrow(expect.objectContaining({ code: 'wrong-scorer' }))
    expect(chosen(['strict'], [text])).toThrow(/asks? for a text.*rouge-l/)
    expect(chosen(['aoe'], [table, text])).toThrow(expect.objectContaining({ code: 'wrong-scorer' }))
  })

  it('are refused without the judge model that they need', () => {
    const wanted = ['rouge-l', 'judge-accuracy']
    expect(chosen(wanted, [text])).toThrow(expect.objectContaining({ code: 'needs-judge-model' }))
    expect(chosen(wanted, [text], 'openai:judge')()).toEqual(wanted)
  })
})
