import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { loadStrucBench } from '../../../tasks/struc-bench/load.ts'

const record = (output: string, input = 'Elm is 12 m deep.') => ({
  ...{ instruction: 'Write the table.', input: `${input}\nFormat: one row.`, output },
})
const html = record('<table><tr><td>Elm</td><td>12</td></tr></table>')
const latex = record('\\begin{tabular}{ll}Elm & 12\\end{tabular}')
const temporaryFolder = () => mkdtemp(join(tmpdir(), 'tablehunt-struc-bench-'))
const load = loadStrucBench

it('are read from a published list, whose records have no id', async () => {
  const file = join(await temporaryFolder(), 'test.json')
  await writeFile(file, JSON.stringify([html, latex]))
  const { tasks, skipped } = await load(file)
  expect(skipped).toEqual([])
  expect(tasks.map(({ question }) => [question.taskId, question.domain])).toEqual([
    ['test_1', 'html'],
    ['test_2', 'latex'],
  ])
  expect(tasks[0]!.question.query).toBe('Write the table.\n\nFormat: one row.')
  expect(await tasks[0]!.documents[0]!.load!()).toEqual({ kind: 'text', text: 'Elm is 12 m deep.' })
})

it('are read from the JSON Lines files of a folder, with ids of their own or from their places', async () => {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'html'))
  await writeFile(join(folder, 'html', 'a.jsonl'), `${JSON.stringify(html)}\n`)
  await writeFile(join(folder, 'b.jsonl'), `\n${JSON.stringify({ ...latex, id: 'own' })}\n`)
  await writeFile(join(folder, 'cases.json'), '[{"answer": "x"}]')
  const { tasks, skipped } = await load(folder)
  expect(skipped).toEqual([])
  expect(tasks.map(({ question }) => question.taskId).sort()).toEqual(['html_a_1', 'own'])
})

it('that are wrong are named by file and place', async () => {
  const file = join(await temporaryFolder(), 'test.json')
  const { input: _, ...withoutInput } = html
  const wrong = [{ ...html, id: 'x', output: ' ' }, 'text', { ...html, id: 7 }, withoutInput]
  await writeFile(file, JSON.stringify([html, ...wrong]))
  const { tasks, skipped } = await load(file)
  expect(tasks).toHaveLength(1)
  expect(skipped).toMatchObject([
    {
      file,
      recordId: 'x',
      problem: expect.stringMatching(/^record 2 of the list: .*output is empty\. Write a text/),
    },
    { file, recordId: null, problem: expect.stringMatching(/^record 3 of the list: .*not an object/) },
    { file, problem: expect.stringMatching(/^record 4 of the list: .*id is not a text/) },
    { file, problem: expect.stringMatching(/^record 5 of the list: .*input is missing/) },
  ])
  await writeFile(file, '{')
  expect((await load(file)).skipped).toMatchObject([
    { file, problem: expect.stringContaining('the file is not JSON') },
  ])
})

it.each([
  ['lines', 'test.jsonl', `${JSON.stringify(html)}\n${JSON.stringify(latex)}\n`],
  ['a list', 'test.json', JSON.stringify([html, latex])],
])('in UTF-16 are refused with one message for the file: %s', async (_what, name, text) => {
  const file = join(await temporaryFolder(), name)
  for (const start of ['\uFEFF', '']) {
    await writeFile(file, start + text, 'utf16le')
    const { tasks, skipped } = await load(file)
    expect(tasks).toEqual([])
    expect(skipped).toEqual([
      expect.objectContaining({ file, line: 1, problem: 'the file is UTF-16. Save it as UTF-8.' }),
    ])
  }
})
