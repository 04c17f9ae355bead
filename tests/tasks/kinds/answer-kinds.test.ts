import { describe, expect, it } from 'vitest'
import { answerKinds, hasAnswer } from '../../../tasks/kinds/answer-kinds.ts'

describe('the kind of an answer', () => {
  it.each([
    ['table', '```csv\na,b\n1,2\n```', 'table'],
    ['table', '["Seine", "Loire"]', 'unreadable'],
    ['json', '{"a": 1}', 'json'],
    ['json', '{"a": 1,}', 'unreadable'],
    ['text', '["Seine", "Loire"]', 'text'],
    ['text', '- Seine\n- Loire', 'text'],
    ['text', '<think>no idea</think>', 'none'],
    ['text', '', 'none'],
  ] as const)('%s reads %j as %s', (kind, text, parseStatus) => {
    expect(answerKinds[kind].read(text).parseStatus).toBe(parseStatus)
    expect(hasAnswer(text, { kind })).toBe(parseStatus === kind)
  })

  it('records a text without its reasoning, and without words about tables in its note', () => {
    expect(answerKinds.text.read('<think>x</think> Paris \n')).toMatchObject({
      text: 'Paris',
      parseNote: null,
    })
    expect(answerKinds.text.read(' ').parseNote).toBe('empty answer')
  })
})
