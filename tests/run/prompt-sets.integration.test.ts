import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { optionsText } from '../../src/core/arm.ts'
import type { Question } from '../../src/core/task.ts'
import { hashPromptSets, openPromptSets } from '../../src/run/plan/prompt-sets.ts'
import { executeRun } from '../../src/run.ts'
import { packageRoot } from '../../src/system/paths.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'

const yaml = (instruction: string): string =>
  ['financial', 'legal', 'academic']
    .map(
      domain =>
        `  Get_predict_${domain}:\n    Task:\n      Instruction: ${instruction}\n      Output: "{query} {input_doc}"\n`,
    )
    .reduce((all, part) => all + part, 'en:\n')

let folder = ''
const file = async (name: string, instruction: string): Promise<string> => {
  await writeFile(join(folder, name), yaml(instruction))
  return join(folder, name)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-prompts-'))
})

describe('the sets of prompts of a run', () => {
  it('are named after their files, in a form that is safe in records', async () => {
    const sets = await openPromptSets(['own', await file('very terse,a=b.yaml', 'Short.')])
    expect([...sets.keys()]).toEqual(['own', 'very_terse_a_b'])
  })

  it('are refused when two have one name, or when a file has the name of the built-in prompts', async () => {
    const terse = await file('terse.yaml', 'Short.')
    await expect(openPromptSets([terse, await file('terse.yml', 'Long.')])).rejects.toMatchObject({
      code: 'duplicate-prompts',
    })
    await expect(openPromptSets([await file('own.yaml', 'Short.')])).rejects.toMatchObject({
      code: 'duplicate-prompts',
    })
  })

  it('have one common hash when only built-in prompts are used, and otherwise one hash for each set', async () => {
    const own = await openPromptSets(['own'])
    const two = await openPromptSets(['own', await file('terse.yaml', 'Short.')])
    const changed = await openPromptSets(['own', await file('terse.yaml', 'Shorter.')])
    expect(hashPromptSets(own, [], ['offline'])).toBe(own.get('own')!.hash)
    expect(Object.keys(hashPromptSets(two, [], ['offline']))).toEqual(['own', 'terse'])
    expect(hashPromptSets(two, [], ['offline'])).not.toEqual(hashPromptSets(changed, [], ['offline']))
  })
})

it('makes one attempt for each combination of model, prompts, chain of thought and trial, and resumes only with equal prompts', async () => {
  const terse = await file('terse.yaml', 'Short.')
  const script = (name: string) => join(folder, `${name}.jsonl`)
  for (const name of ['one', 'two'])
    await writeFile(script(name), `${JSON.stringify({ turns: [{ text: '```csv\na,b\n1,2\n```' }] })}\n`)
  const given = {
    tasks: demoPaths.tasks,
    docs: demoPaths.documents,
    out: join(folder, 'run'),
    setting: 'offline',
    filter: 'en',
    limit: 1,
    model: [`scripted:${script('one')}`, `scripted:${script('two')}`],
    prompts: ['own', terse],
    cot: 'on,off',
    trials: 2,
  }
  const { report, left } = await executeRun(resolveConfig(given))
  expect(left).toBe(0)
  const groups = report.groups.filter(group => group.domain === 'all')
  expect(groups.reduce((sum, group) => sum + group.n, 0)).toBe(2 * 2 * 2 * 2)
  expect(new Set(groups.map(group => optionsText(group.options)))).toEqual(
    new Set(['', 'cot=off', 'prompts=terse', 'cot=off,prompts=terse']),
  )
  await file('terse.yaml', 'Other words.')
  await expect(executeRun(resolveConfig(given))).rejects.toMatchObject({
    code: 'different-run',
    message: expect.stringContaining('promptsSha256.terse was'),
  })
})

it('reads the prompt file shown in docs/prompts.md', async () => {
  const text = await readFile(join(packageRoot, 'docs', 'prompts.md'), 'utf8')
  const shown = /^```yaml\n([\s\S]*?)^```$/m.exec(text)?.[1] ?? ''
  await writeFile(join(folder, 'shown.yaml'), shown)
  const prompts = (await openPromptSets([join(folder, 'shown.yaml')])).get('shown')
  const question: Question = {
    taskId: 'financial_3_0_en',
    benchmark: 'aoe',
    domain: 'financial',
    language: 'en',
    query: 'Which grew?',
    documentNames: [],
    form: { kind: 'table' },
  }
  expect(prompts?.missing?.(question)).toBeNull()
  const { user } = prompts!.withDocuments(question, [], false)
  expect(user).toMatch(/Give the table alone\.\n\nQuestion: Which grew\?\nDocuments:/)
})
