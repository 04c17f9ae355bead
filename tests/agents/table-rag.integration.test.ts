import { describe, expect, it } from 'vitest'
import { readLookup, runTableRag } from '../../agents/table-rag.ts'
import type { Question } from '../../src/core/task.ts'
import { question, says, scripted, world } from './harness.ts'

const asked: Question = { ...question, query: 'How heavy is the load of the Osprey?', form: { kind: 'text' } }
const ships = {
  name: 'ships',
  columns: ['ship_name', 'weight_kg', 'home_port'],
  rows: [
    ['Osprey', '5649', 'Elswick'],
    ['Heron', '120', 'Rosilda'],
  ],
}
const ports = { name: 'ports', columns: ['port', 'depth'], rows: [['Elswick', '12']] }
const documents = async () => [
  { hint: 'harbour', sha256: null, text: 'whole tables', problem: null, tables: [ships, ports] },
]
const query = says("```sql\nSELECT weight_kg FROM ships WHERE ship_name = 'Osprey'\n```")

async function attempt(turns: Parameters<typeof scripted>[0]['turns'], more = {}) {
  const model = scripted({ turns })
  const at = world(model, { documents, hasAnswer: answer => answer.trim() !== '', ...more })
  const outcome = await runTableRag(asked, at.environment)
  const prompts = model.requests.map(({ messages }) => messages.map(message => message.text).join('\n'))
  return { outcome, prompts, of: at.of }
}

describe('the setting table-rag', () => {
  it('shows the columns and values that the lookup finds, and asks with the result of the query', async () => {
    const lookup = says('<lookup>\ncolumn: weight\nvalue: Osprey\n</lookup>')
    const { outcome, prompts, of } = await attempt([lookup, query, says('5649')])
    expect(outcome).toMatchObject({ answerText: '5649', usage: { modelCalls: 3 } })
    expect(prompts[0]).not.toContain('CREATE TABLE')
    expect(prompts[1]).toContain('CREATE TABLE ships (ship_name TEXT, weight_kg INTEGER);')
    expect(prompts[1]).toContain('ships.ship_name: Osprey')
    expect(prompts[1]).not.toContain('Elswick')
    expect(prompts[2]).toContain('5649')
    expect(of('tool-called').map(({ tool }) => tool)).toEqual(['table_lookup', 'sql'])
  })

  it('shows all columns when nothing is found', async () => {
    const { prompts } = await attempt([says('I do not know.'), query, says('5649')])
    expect(prompts[1]).toContain('home_port TEXT')
    expect(prompts[1]).toContain('CREATE TABLE ports (port TEXT, depth INTEGER);')
  })

  it('ends with the budget after the lookup', async () => {
    const { outcome } = await attempt([says('column: weight'), query], { caps: { modelCalls: 1 } })
    expect(outcome).toMatchObject({ answerText: null, termination: { cause: 'budget' } })
  })

  it('reads lookups with list marks and full-width colons', () => {
    expect(readLookup('- column: depth\n* Value： Elswick \nnothing')).toEqual({
      columns: ['depth'],
      values: ['Elswick'],
    })
  })
})
