import { expect, it } from 'vitest'
import { listEncryptedQuestions, makeQuestionRemover } from '../../src/run/open-run/secrets.ts'
import { readBenchmark } from '../../tasks/load-benchmark.ts'

const { tasks } = await readBenchmark('gisa', 'tests/fixtures/gisa/question.jsonl', {
  ...{ spreadsheet: null, readWorkbook: () => [] },
})

it('removes encrypted questions from every text of a record', () => {
  const questions = listEncryptedQuestions(tasks)
  expect(questions).toHaveLength(4)
  const record = { answerText: `You ask: ${questions[0]}`, hints: [{ query: questions[1], step: 2 }] }
  expect(makeQuestionRemover(questions)(record)).toEqual({
    answerText: 'You ask: [redacted]',
    hints: [{ query: '[redacted]', step: 2 }],
  })
})

it('leaves records as they are when no question is encrypted', () => {
  const open = tasks.map(({ canary, ...task }) => task)
  const record = { answerText: 'Authorization: Bearer a1b2c3d4e5f6' }
  expect(makeQuestionRemover(listEncryptedQuestions(open))(record)).toBe(record)
})
