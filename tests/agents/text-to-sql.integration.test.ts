import { describe, expect, it } from 'vitest'
import { findSqlQuery, listTables } from '../../agents/table-program.ts'
import { runTextToSql } from '../../agents/text-to-sql.ts'
import type { Question } from '../../src/core/task.ts'
import { question, says, scripted, world } from './harness.ts'

const asked: Question = { ...question, query: 'How long is the Rhine?', form: { kind: 'text' } }
const conversation: Question = { ...asked, turns: [{ query: 'And the Spree?', form: { kind: 'text' } }] }
const rows = Array.from({ length: 200 }, (_, at) => [`River ${at}`, String(at)])
const rivers = {
  name: 'rivers',
  columns: ['name', 'km'],
  rows: [['Rhine', '1230'], ['Spree', '400'], ...rows],
}
const documents = async () => [
  { hint: 'rivers', sha256: null, text: 'the whole table', problem: null, tables: [rivers] },
]
const hasAnswer = (answer: string): boolean => answer.trim() !== ''
const sql = (query: string) => says(`First I think.\n\`\`\`sql\n${query}\n\`\`\``)

async function attempt(turns: Parameters<typeof scripted>[0]['turns'], of = asked, more = {}) {
  const model = scripted({ turns })
  const at = world(model, { documents, hasAnswer, ...more })
  const outcome = await runTextToSql(of, at.environment)
  return {
    outcome,
    model,
    of: at.of,
    prompts: model.requests.map(({ messages }) => messages.map(m => m.text).join('\n')),
  }
}

describe('the setting text-to-sql', () => {
  it('shows the columns, runs the query and asks for the answer with its result', async () => {
    const { outcome, prompts, of } = await attempt([
      sql("SELECT km FROM rivers WHERE name = 'Rhine'"),
      says('<answer>1230</answer>'),
    ])
    expect(outcome).toMatchObject({
      answerText: '<answer>1230</answer>',
      termination: { reason: 'answered' },
    })
    expect(outcome.usage.modelCalls).toBe(2)
    expect(prompts[0]).toContain('CREATE TABLE rivers (name TEXT, km INTEGER);\n-- Rhine | 1230')
    expect(prompts[0]).not.toContain('River 5')
    expect(prompts[1]).toContain('1230')
    expect(prompts.join('')).not.toContain('the whole table')
    expect(of('tool-called')).toMatchObject([{ tool: 'sql', callId: 'sql-1' }])
    expect(of('tool-answered')).toMatchObject([{ truncated: false }])
  })

  it('gives the model the error once, and then asks with it', async () => {
    const { outcome, prompts, of } = await attempt([sql('SELECT km FROM lakes'), says('hm'), says('unknown')])
    expect(outcome).toMatchObject({ answerText: 'unknown', usage: { modelCalls: 3, toolErrors: 2 } })
    expect(prompts[1]).toContain('The query has no result: no such table: lakes.')
    expect(prompts[2]).toContain('The query has no result: the answer contains no ```sql block')
    expect(of('tool-failed').map(({ errorClass }) => errorClass)).toEqual(['query', 'query'])
  })

  it('shows the first 100 rows of a long result and says so', async () => {
    const { prompts, of } = await attempt([sql('SELECT name FROM rivers'), says('many')])
    expect(prompts[1]).toContain('River 97 ')
    expect(prompts[1]).not.toContain('River 98 ')
    expect(prompts[1]).toContain('Only the first 100 rows are shown.')
    expect(of('tool-answered')).toMatchObject([{ truncated: true }])
  })

  it('shows earlier questions and answers when it asks for the next query', async () => {
    const turns = [sql('SELECT 1'), says('1230 km'), sql('SELECT 2'), says('400 km')]
    const { outcome, prompts } = await attempt(turns, conversation)
    expect(outcome.turnTexts).toEqual(['1230 km', '400 km'])
    expect(prompts[2]).toContain('Question 1: How long is the Rhine?\nAnswer: 1230 km')
    expect(prompts[3]).toContain('query 1')
    expect(prompts[3]).toContain('query 2')
    expect(prompts[3]).toContain('And the Spree?')
  })

  it('ends without an answer when the budget covers only the query', async () => {
    const { outcome } = await attempt([sql('SELECT 1'), says('x')], asked, { caps: { modelCalls: 1 } })
    expect(outcome).toMatchObject({
      answerText: null,
      termination: { cause: 'budget', reason: 'model-calls' },
    })
  })

  it.each([
    ['```sql\nSELECT 1\n```\nor better\n```\nSELECT 2\n```', 'SELECT 2'],
    [' select 3', 'select 3'],
    ['I cannot.', null],
  ])('finds the query in %j', (text, query) => {
    expect(findSqlQuery(text)).toBe(query)
  })

  it('numbers names that SQL does not distinguish', () => {
    const of = (name: string) => ({ name, columns: ['Town', 'town'], rows: [] })
    const tables = listTables([
      { hint: 'a', sha256: null, text: '', problem: null, tables: [of('A'), of('a')] },
    ])
    expect(tables.map(({ name, columns }) => [name, columns])).toEqual([
      ['A', ['Town', 'town_2']],
      ['a_2', ['Town', 'town_2']],
    ])
  })
})
