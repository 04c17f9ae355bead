import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { scoreFile } from '../../../src/run/score-files/score-file.ts'
import { rulesJudge } from '../../../src/score/contract/judge.ts'

const table = {
  id: 1,
  task: {
    ...{ answers: [{ Hotel: 'Alder', Beds: 12 }], key_cols: ['Hotel'] },
    ...{ target_value_columns: ['Beds'], numeric_columns: ['Beds'] },
  },
  answer_csv: 'Hotel,Beds\nAlder,12\n',
}
const extraction = {
  id: 1,
  schema_inline: { type: 'object', properties: { name: { type: 'string' } } },
  ...{ gold: { name: 'Alder' }, prediction: { name: 'Alder' } },
}
const text = { id: 1, reference: '12 beds', prediction: '12 beds', question: 'How many?' }

async function scoreCases(content: string, scorers: readonly string[] = [], schemas: string | null = null) {
  const file = join(await mkdtemp(join(tmpdir(), 'tablehunt-cases-')), 'cases.json')
  await writeFile(file, content)
  const lines: Record<string, unknown>[] = []
  for await (const line of scoreFile(file, { scorers, schemas, judge: rulesJudge }))
    lines.push(JSON.parse(line))
  return lines
}

it.each([
  ['tables', JSON.stringify([table]), 'cell_f1'],
  ['extractions', JSON.stringify([extraction]), 'nodes'],
  ['texts in a list', JSON.stringify([text]), 'metrics'],
  ['texts on lines', `${JSON.stringify(text)}\n${JSON.stringify(text)}\n`, 'metrics'],
])('%s are recognized by the fields of the first case', async (_, content, field) => {
  expect((await scoreCases(content))[0]).toHaveProperty(field)
})

it('a scorer of texts compares the tables of a file as texts', async () => {
  expect((await scoreCases(JSON.stringify([table]), ['rouge-l']))[0]).toHaveProperty('metrics.rouge-l')
})

it.each([
  [
    'fields of two kinds',
    [{ ...table, ...extraction }],
    [],
    'unknown-cases',
    /tables and of extractions.*--scorer/,
  ],
  ['fields of no kind', [{ id: 1 }], [], 'unknown-cases', /answer_csv.*--scorer/],
  [
    'scorers of two kinds',
    [table],
    ['strict', 'rouge-l'],
    'wrong-scorer',
    /strict \(tables\), rouge-l \(texts\)/,
  ],
  ['two scorers of tables', [table], ['strict', 'aoe'], 'wrong-scorer', /one scorer of tables/],
  ['a scorer of runs alone', [table], ['gisa'], 'wrong-scorer', /scores runs.*Use one of/],
])(
  'a file with %s is refused with one message that says what to do',
  async (_, cases, scorers, code, message) => {
    await expect(scoreCases(JSON.stringify(cases), scorers)).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    })
  },
)

it('--schemas is refused for a file without schemas', async () => {
  await expect(scoreCases(JSON.stringify([table]), [], 'schemas')).rejects.toMatchObject({
    code: 'flag-without-effect',
  })
})
