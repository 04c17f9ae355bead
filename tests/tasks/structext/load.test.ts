import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { loadBenchmark } from '../../../tasks/load-benchmark.ts'
import { loadStructext } from '../../../tasks/structext/load.ts'

const Label = { typename: 'tree', node_number: 1, n_ary_ratio: 1 }
const published = {
  ...{ Question: 'What is the depth of node b?', Reference: 'a->b', Answer: '1', RuleHint: 'Count.', Label },
  examples: [{ Question: 'What is the depth of node c?', Reference: 'b->c', Answer: '1' }],
}
const lowerCase = {
  ...{ question: 'What is the depth of node b?', reference: 'a->b', answer: '1', rule_hint: 'Count.' },
  label: Label,
  examples: [{ question: 'What is the depth of node c?', reference: 'b->c', answer: '1' }],
}

it('reads the published folders, and a file whose keys are in lower case, alike', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'structext-'))
  const samples = join(folder, 'published', '1Shotbenchmark', 'tree', 'Tree.Depth')
  await mkdir(samples, { recursive: true })
  await writeFile(join(samples, '1.json'), JSON.stringify(published))
  const file = join(folder, 'samples.jsonl')
  await writeFile(file, JSON.stringify(lowerCase))
  const fromFolder = await loadStructext(join(folder, 'published'))
  const fromFile = await loadStructext(file)
  expect(fromFolder.skipped).toEqual([])
  expect(fromFolder.tasks[0]!.question.taskId).toBe('1Shotbenchmark_tree_Tree.Depth_1')
  expect(fromFile.skipped).toEqual([])
  const { taskId: _, ...question } = fromFolder.tasks[0]!.question
  expect(fromFile.tasks[0]!.question).toMatchObject({ ...question, hint: 'Count.' })
  expect(fromFile.tasks[0]!.gold).toEqual(fromFolder.tasks[0]!.gold)
})

/** Writes files below a new folder, and returns the folder. */
async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'structext-'))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}

it('reads a folder that mixes samples, lists of samples and files with a sample per line', async () => {
  const folder = await folderOf({
    'deep/one.json': JSON.stringify(published, null, 2),
    'list.json': JSON.stringify([published, lowerCase], null, 2),
    'lines.jsonl': `${JSON.stringify(published)}\n\n${JSON.stringify({ ...lowerCase, id: 'mine' })}\n`,
    'lines-too.json': `${JSON.stringify(published)}\n${JSON.stringify(lowerCase)}\n`,
    'notes.txt': 'no samples',
  })
  const { tasks, skipped } = await loadStructext(folder)
  expect(skipped).toEqual([])
  expect(tasks.map(({ question }) => question.taskId)).toEqual([
    'deep_one',
    ...['lines-too_1', 'lines-too_2'],
    ...['lines_1', 'mine'],
    ...['list_1', 'list_2'],
  ])
  const fromFile = await loadStructext(join(folder, 'list.json'))
  expect(fromFile.tasks.map(({ question }) => question.taskId)).toEqual(['structext_1', 'structext_2'])
})

it('reads a list in a file of any name', async () => {
  const folder = await folderOf({ samples: `\n [${JSON.stringify(published)}]` })
  expect((await loadStructext(join(folder, 'samples'))).tasks).toHaveLength(1)
})

it('counts the characters and nodes of each text', async () => {
  const wide = { typename: 'tree', node_number: 2, n_ary_ratio: 1.5 }
  const rows = { typename: 'csv', node_number: 3, n_ary_ratio: 2 }
  const folder = await folderOf({
    'a.json': JSON.stringify({ ...published, Label: wide, Reference: 'a->b\na->𝒄' }),
    'b.json': JSON.stringify({ ...published, Label: rows, Question: 'How many people are male?' }),
  })
  const { tasks } = await loadStructext(folder)
  expect(tasks.map(({ question }) => question.facets)).toMatchObject([
    { depth: '2', width: '3', nodes: '13', characters: '9' },
    { depth: '3', width: '6', nodes: '3', characters: '4' },
  ])
})

it('names the file and the line or the number of each sample that it cannot use', async () => {
  const { Answer: _, ...unanswered } = published
  const folder = await folderOf({
    'broken.json': '[{"Question": "What',
    'lines.jsonl': `${JSON.stringify(published)}\n{"Question": \n`,
    'list.json': JSON.stringify([published, unanswered, 7]),
    'other.json': JSON.stringify({ ...published, Question: 'Why?' }),
    'results.json': JSON.stringify([{ lines: [] }, { index: 0, q: '', a: '2', r: '3' }]),
  })
  const { tasks, skipped } = await loadStructext(folder)
  expect(tasks).toHaveLength(2)
  expect(skipped.map(({ file, line, recordId, code }) => [basename(file!), line, recordId, code])).toEqual([
    ['broken.json', 1, 'broken', 'invalid-record'],
    ['lines.jsonl', 2, 'lines_2', 'invalid-record'],
    ['list.json', 1, 'list_2', 'invalid-record'],
    ['list.json', 1, 'list_3', 'invalid-record'],
    ['other.json', 1, 'other', 'invalid-record'],
    ['results.json', 1, 'results_1', 'invalid-record'],
    ['results.json', 1, 'results_2', 'invalid-record'],
  ])
  const problems = skipped.map(({ problem }) => problem)
  expect(problems[0]).toMatch(/^the file is not JSON \(.+\)\. Correct it\.$/)
  expect(problems[1]).toMatch(/^the record is not JSON/)
  expect(problems[2]).toBe(
    'sample 2 of the list: Answer: is missing, a text is expected. Correct the sample.',
  )
  expect(problems[3]).toContain('sample 3 of the list: ')
  expect(problems[4]).toContain('none of the tasks of tree')
  expect(problems[5]).toContain('score FILE --scorer structext')
  expect(problems[6]).toContain('sample 2 of the list: this is a result of the published code')
})

it('says once what to do when no sample can be used', async () => {
  const { Answer: _, ...unanswered } = published
  const folder = await folderOf({ 'a.json': JSON.stringify(unanswered) })
  await expect(
    loadBenchmark('structext', folder, { spreadsheet: null, readWorkbook: () => [] }),
  ).rejects.toThrow(/Answer: is missing, a text is expected\. Correct the sample\. tablehunt tasks check/)
})
