import { describe, expect, it } from 'vitest'
import type { Gold, TextGold } from '../../src/core/task.ts'
import { chooseScorers, scorersFor } from '../../src/run/plan/choose-scorers.ts'
import { defineBenchmark } from '../../tasks/benchmark.ts'
import { benchmarks } from '../../tasks/registry.ts'
import { questionFor } from '../score/score-answer.ts'

const text: TextGold = { kind: 'text', references: ['a'] }
const table: Gold = { kind: 'table', keyColumns: ['k'], targetColumns: ['a'], numericColumns: [], rows: [] }
const taskOf = (gold: Gold) => ({ question: questionFor(gold), gold })
const loadNothing = async () => ({ tasks: [], skipped: [] })
benchmarks.add('tests', {
  texts: defineBenchmark({ summary: 'texts', answerKinds: ['text'], load: loadNothing }),
  mixed: defineBenchmark({ summary: 'both', answerKinds: ['table', 'text'], load: loadNothing }),
})
const chosen =
  (benchmark: string, scorer: readonly string[], golds: readonly Gold[], judge = 'rules') =>
  () =>
    chooseScorers({ benchmark, scorer: [...scorer], judge }, golds.map(taskOf))

describe('the scorers of a run', () => {
  it('are those of its options that take what the tasks ask for', () => {
    expect(chosen('aoe', ['aoe'], [table, table])()).toEqual(['aoe'])
    expect(chosen('mixed', ['aoe', 'answer-f1'], [table, text])()).toEqual(['aoe', 'answer-f1'])
    expect(chosen('mixed', ['aoe', 'answer-f1'], [text])()).toEqual(['answer-f1'])
    expect(chosen('texts', ['rouge-l', 'answer-f1'], [text])()).toEqual(['rouge-l', 'answer-f1'])
    expect(scorersFor(['aoe', 'rouge-l', 'strict'], table)).toEqual(['aoe', 'strict'])
  })

  it('must take the kind of the tasks: the error names those that do', () => {
    expect(chosen('texts', ['strict'], [text])).toThrow(expect.objectContaining({ code: 'wrong-scorer' }))
    expect(chosen('texts', ['strict'], [text])).toThrow(/asks? for a text.*rouge-l/)
    expect(chosen('mixed', ['aoe'], [table, text])).toThrow(expect.objectContaining({ code: 'wrong-scorer' }))
  })

  it('are refused without the judge model that they need', () => {
    const wanted = ['rouge-l', 'judge-accuracy']
    expect(chosen('texts', wanted, [text])).toThrow(expect.objectContaining({ code: 'needs-judge-model' }))
    expect(chosen('texts', wanted, [text], 'openai:judge')()).toEqual(wanted)
  })
})
