import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readTrace } from '../../logs/reader.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { tablehunt } from '../cli/cli.ts'

const ship = {
  ...{ db_path: '8k/multi', db_id: 'freight', is_multi_table: false, highlighted_table: ['ship'] },
  QA: [
    { question: 'Which ids have a load above 5?', answer: ['2'] },
    { question: 'What are their names?', answer: ['Bo'] },
    { question: 'How many are there?', answer: ['1'] },
  ],
}
const prompts = `
longtablebench:
  by: turns
  multi:
    system: "Answer with a list."
    user: "Tables:\\n{reference}\\n\\nQuestion: {question}\\nAnswer:"
    next: "Question: {question}\\nAnswer:"
    earlierAnswers: system
`
const answers = ['["2"]', '["Bo"]', '["1"]']

let folder = ''
const at = (name: string): string => join(folder, name)
const run = (file: string, out: string) =>
  tablehunt([
    ...['run', '--benchmark', 'longtablebench', '--tasks', at('tables'), '--table-format', 'csv'],
    ...['--setting', 'offline', '--model', `scripted:${at('turns.jsonl')}`, '--prompts', at(file)],
    ...['--out', at(out), '--cache', at('cache')],
  ])

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-prompt-files-'))
  const datasets = join(folder, 'tables', 'datasets')
  await mkdir(join(datasets, 'questions', '8k'), { recursive: true })
  await mkdir(join(datasets, 'tables', '8k', 'multi', 'freight'), { recursive: true })
  await writeFile(join(datasets, 'questions', '8k', 'longtablebench_multi.json'), JSON.stringify([ship]))
  const table = join(datasets, 'tables', '8k', 'multi', 'freight', 'ship.csv')
  await writeFile(table, 'id,name,load\n1,Ada,3\n2,Bo,7\n')
  await writeFile(at('published.yaml'), prompts)
  await writeFile(at('misspelt.yaml'), prompts.replace('Question: {question}', 'Question: {qestion}'))
  await writeFile(at('turns.jsonl'), JSON.stringify({ turns: answers.map(text => ({ text })) }))
})
afterAll(() => rm(folder, { recursive: true }))

it('asks a conversation of LongTableBench with earlier answers as system messages, and the tables once', async () => {
  const { code, stderr } = await run('published.yaml', 'run')
  expect(code, stderr).toBe(0)
  const { attempts, scores } = await readRun(at('run'))
  expect(attempts[0]).toMatchObject({ termination: { reason: 'answered' }, usage: { modelCalls: 3 } })
  expect(scores[0]).toMatchObject({ metrics: { longTableF1: 1 } })
  const { events } = await readTrace(at('run'), attempts[0]!.attemptId)
  const sent = events.flatMap(event => (event.type === 'model-called' ? [event.messages] : []))
  const shown = sent.map(messages =>
    messages.map(({ role, content }) => [role, 'text' in content ? content.text : null]),
  )
  expect(shown).toEqual([
    [
      ['system', 'Answer with a list.'],
      [
        'user',
        'Tables:\nship:\nid,name,load\n1,Ada,3\n2,Bo,7\n\n\n\n\nQuestion: Which ids have a load above 5?\nAnswer:',
      ],
    ],
    [
      ['system', '["2"]'],
      ['user', 'Question: What are their names?\nAnswer:'],
    ],
    [
      ['system', '["Bo"]'],
      ['user', 'Question: How many are there?\nAnswer:'],
    ],
  ])
})

it('ends with code 2 before the run when a placeholder is misspelt, and names file, key and placeholder', async () => {
  const { code, stderr } = await run('misspelt.yaml', 'misspelt')
  expect(code).toBe(2)
  expect(stderr).toMatch(/misspelt\.yaml: longtablebench\.multi\.user: \{qestion\} .* write \{question\}/)
  expect(stderr).toContain('invalid-prompts')
  expect(existsSync(join(at('misspelt'), 'manifest.json'))).toBe(false)
})
