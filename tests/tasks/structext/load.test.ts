import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
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
