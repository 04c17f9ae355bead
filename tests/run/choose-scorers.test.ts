import { beforeAll, describe, expect, it } from 'vitest'
import type { Gold, TextGold } from '../../src/core/gold.ts'
import { chooseScorers, listScorers } from '../../src/run/plan/choose-scorers.ts'
import { defineBenchmark } from '../../tasks/benchmark.ts'
import { benchmarks, scorers } from '../../tasks/registry.ts'
import { questionFor } from '../score/score-answer.ts'

const text: TextGold = { kind: 'text', references: ['a'] }
const table: Gold = { kind: 'table', keyColumns: ['k'], targetColumns: ['a'], numericColumns: [], rows: [] }
const taskOf = (gold: Gold) => ({ question: questionFor(gold), gold, documents: [], evidence: null })

describe('the scorers of a run', () => {
  beforeAll(() => {
    const load = async () => ({ tasks: [], skipped: [] })
    const benchmark = defineBenchmark({ summary: 'a quiz', answerKinds: ['table', 'text'], load })
    const removals = [
      benchmarks.add('a-test', { 'two-kinds': benchmark }),
      scorers.add('a-test', { 'no-primary': { ...scorers.get('rouge-l'), metrics: [] } }),
    ]
    return () => {
      for (const remove of removals) remove()
    }
  })
  const chosen = (scorer: string[], golds: readonly Gold[], judge = 'rules') =>
    chooseScorers({ benchmark: 'two-kinds', scorer, judge }, golds.map(taskOf))
  const code = (name: string) => expect.objectContaining({ code: name })

  it("are the requested scorers that accept the tasks' kinds of answers", () => {
    expect(chosen(['aoe', 'rouge-l'], [table, table])).toEqual(['aoe'])
    expect(chosen(['aoe', 'answer-f1'], [table, text])).toEqual(['aoe', 'answer-f1'])
    expect(listScorers(['aoe', 'rouge-l', 'strict'], table)).toEqual(['aoe', 'strict'])
  })

  it("must accept the tasks' kinds of answers, and the error names scorers that do", () => {
    expect(() => chosen(['extract-bench'], [text])).toThrow(code('wrong-scorer'))
    expect(() => chosen(['aoe'], [table, text])).toThrow(code('wrong-scorer'))
    expect(() => chosen(['aoe'], [table, text])).toThrow(/ask for a text.*rouge-l/)
  })

  it('are refused when the judge model that they need is missing', () => {
    const wanted = ['rouge-l', 'judge-accuracy']
    expect(() => chosen(wanted, [text])).toThrow(code('needs-judge-model'))
    expect(chosen(wanted, [text], 'openai:judge')).toEqual(wanted)
  })

  it('have exactly one primary metric', () => {
    expect(() => chosen(['no-primary'], [text])).toThrow(code('invalid-scorer'))
  })
})
