import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../src/core/attempt.ts'
import type { CallsInText } from '../../src/core/usage.ts'
import { listCallsInTextNotes } from '../../src/report/model/record-notes.ts'
import { makeAttempt } from './records.ts'

const made = (task: number, model: string, callsInText?: CallsInText): Attempt =>
  makeAttempt({
    task: `t${task}`,
    setting: 'online',
    ...(callsInText && callsInText.unread > 0
      ? { end: { cause: 'provider' as const, reason: 'unparsed-calls' as const } }
      : {}),
    over: { model, ...(callsInText && { callsInText }) },
  })
const unread: CallsInText = { calls: 0, unread: 1, forms: [] }
const several = (n: number, model: string, callsInText?: CallsInText) =>
  Array.from({ length: n }, (_, task) => made(task, model, callsInText))

const advice = 'start the server with its tool parser, or --tool-protocol text'

describe('the notes on tool calls that a server left in the text', () => {
  it('say how many answers of the only arm contain calls that were not carried out', () => {
    const attempts = [...several(6, 'm', unread), ...several(3, 'm')]
    expect(listCallsInTextNotes(attempts)).toEqual([
      `6 of 9 answers contain tool calls that were not carried out: ${advice}`,
    ])
  })

  it('name the arm when there are others', () => {
    const attempts = [...several(2, 'x:a', unread), ...several(2, 'x:a'), ...several(4, 'x:b')]
    expect(listCallsInTextNotes(attempts)).toEqual([
      `2 of 4 answers of online · a contain tool calls that were not carried out: ${advice}`,
    ])
  })

  it('list at most three arms behind the advice', () => {
    const attempts = ['a', 'b', 'c', 'd', 'e'].flatMap(model => several(1, `x:${model}`, unread))
    expect(listCallsInTextNotes([...attempts, ...several(5, 'x:f')])).toEqual([
      `5 of 10 answers contain tool calls that were not carried out: ${advice} (online · a 1 of 1, online · b 1 of 1, online · c 1 of 1, 2 more arms)`,
    ])
  })

  it('name the forms of calls that were read', () => {
    const attempts = [
      made(1, 'm', { calls: 3, unread: 0, forms: ['hermes'] }),
      made(2, 'm', { calls: 1, unread: 0, forms: ['glm', 'hermes'] }),
      made(3, 'm'),
    ]
    expect(listCallsInTextNotes(attempts)).toEqual([
      'the server left 4 tool calls in 2 of 3 attempts in the text, where Tablehunt read them (form: glm, hermes). A server with the tool parser of its model reads them itself',
    ])
  })

  it('are empty without such calls', () => {
    expect(listCallsInTextNotes(several(3, 'm'))).toEqual([])
  })
})
