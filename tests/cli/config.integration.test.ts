import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { demoPaths } from '../../tasks/demo/demo.ts'
import { tablehunt } from './cli.ts'

const newFolder = () => mkdtemp(join(tmpdir(), 'tablehunt-config-'))

describe('init', () => {
  it.each([
    ['aoe', 'tasks.jsonl', /^offline +1\/1 +100\.0 +100\.0/m],
    ['spreadsheet', 'gold.csv', /^online +1\/1 +100\.0 +100\.0/m],
    ['qa', 'questions.csv', /^rag +2\/2 +100\.0/m],
  ])('makes a project of %s that is checked without a problem and runs', async (benchmark, tasks, row) => {
    const cwd = await newFolder()
    const made = await tablehunt(['init', '.', '--benchmark', benchmark, '--model', 'extractive'], { cwd })
    expect(made).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Next:\n  npx tablehunt tasks check ${tasks}\n  npx tablehunt run\n`),
    })
    const check = await tablehunt(['tasks', 'check', tasks], { cwd })
    expect(check).toMatchObject({ code: 0, stdout: expect.stringContaining('no problem') })
    const run = await tablehunt(['run'], { cwd })
    expect(run).toMatchObject({ code: 0, stdout: expect.stringMatching(row) })
  })

  it('makes a folder, and writes the model into the config file', async () => {
    const cwd = await newFolder()
    const { stdout } = await tablehunt(['init', 'my/eval', '--model', 'openai:gpt-4o'], { cwd })
    expect(stdout).toMatch(/^ {2}cd my\/eval$/m)
    expect(await readFile(join(cwd, 'my', 'eval', 'tablehunt.config.ts'), 'utf8')).toMatch(
      /^ {2}model: \['openai:gpt-4o'\],$/m,
    )
  })

  it('writes nothing for a model without a provider, or when a file has the name of a folder', async () => {
    const cwd = await newFolder()
    const misspelt = await tablehunt(['init', '--model', 'opnai:gpt-4o'], { cwd })
    expect(misspelt).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Did you mean 'openai:gpt-4o'"),
    })
    await writeFile(join(cwd, 'documents'), 'mine')
    const refused = await tablehunt(['init'], { cwd })
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringMatching(/documents: can't be written/) })
    expect(await readdir(cwd)).toEqual(['documents'])
  })

  it.each(['tablehunt.config.ts', 'tasks.jsonl'])('writes nothing when %s exists', async name => {
    const cwd = await newFolder()
    await writeFile(join(cwd, name), 'mine')
    const refused = await tablehunt(['init'], { cwd })
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(`${name}: the file exists`) })
    expect(await readFile(join(cwd, name), 'utf8')).toBe('mine')
    expect(await readdir(cwd)).toEqual([name])
  })

  it.each([
    [
      'adds the script to',
      '{\n\t"name": "mine",\n\t"scripts": { "test": "vitest" }\n}\n',
      'eval": "tablehunt run"',
    ],
    ['leaves another script in', '{ "scripts": { "eval": "mine" } }', '{ "scripts": { "eval": "mine" } }'],
    ['leaves alone what is no', 'not JSON', 'not JSON'],
  ])('%s package.json', async (_name, before, after) => {
    const cwd = await newFolder()
    await writeFile(join(cwd, 'package.json'), before)
    const { code, stdout } = await tablehunt(['init'], { cwd })
    expect(code).toBe(0)
    const text = await readFile(join(cwd, 'package.json'), 'utf8')
    expect(text).toContain(after)
    expect(stdout.includes('is not changed')).toBe(text === before)
    if (text !== before)
      expect(JSON.parse(text)).toEqual({ name: 'mine', scripts: { test: 'vitest', eval: 'tablehunt run' } })
  })
})

describe('info config', () => {
  it('reads the file that init writes', async () => {
    const cwd = await newFolder()
    await tablehunt(['init'], { cwd })
    const shown = await tablehunt(['info', 'config', '--trials', '3'], { cwd })
    expect(shown.code).toBe(0)
    expect(shown.stdout).toMatch(/^tasks +tasks\.jsonl +tablehunt\.config\.ts: tasks$/m)
    expect(shown.stdout).toMatch(/^trials +3 +--trials$/m)
    expect(shown.stdout).toMatch(/^seed +0 +default$/m)
  })

  it('print no secret, as text and as JSON', async () => {
    const cwd = await newFolder()
    const key = 'k-52817-verysecret'
    const env = { OPENAI_API_KEY: key, TABLEHUNT_QUEUE: 'redis://me:hidden@127.0.0.1:9' }
    const flags = ['--model', `openai:m@http://127.0.0.1:9/v1?api_key=${key}`]
    for (const form of [[], ['--json']]) {
      const { code, stdout } = await tablehunt(['info', 'config', ...flags, ...form], { cwd, env })
      expect(code).toBe(0)
      expect(stdout).toContain('redacted')
      expect(stdout).not.toContain(key)
      expect(stdout).not.toContain('hidden')
    }
    const { stdout } = await tablehunt(['info', 'config', '--json'], { cwd, env: { TABLEHUNT_SEED: '7' } })
    const { files, options } = JSON.parse(stdout)
    expect(files).toEqual([])
    expect(options.seed).toEqual({ value: 7, source: 'env', place: 'TABLEHUNT_SEED' })
    expect(options.tasks).toEqual({ value: null, source: 'default', place: null })
  })

  it('name the file and the key of a typo, and run nothing', async () => {
    const cwd = await newFolder()
    await writeFile(join(cwd, 'mine.json'), '{ "tasks": "t.jsonl", "out": "r", "modle": "extractive" }')
    const { code, stderr } = await tablehunt(['run', '--config', 'mine.json'], { cwd })
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: "tablehunt: mine.json: unknown option 'modle': did you mean 'model'? [unknown-option]\n",
    })
  })
})

it('makes one run of a matrix in one file, with the same count in a dry run', async () => {
  const cwd = await newFolder()
  const turns = [{ text: '```csv\na,b\n1,2\n```' }]
  for (const name of ['one', 'two'])
    await writeFile(join(cwd, `${name}.jsonl`), `${JSON.stringify({ turns })}\n`)
  const prompts = `en:\n  Get_predict_financial:\n    Task: { Instruction: Brief., Output: "{query} {input_doc}" }\n`
  await writeFile(join(cwd, 'brief.yaml'), prompts)
  await writeFile(
    join(cwd, 'tablehunt.config.ts'),
    `import { defineConfig } from 'tablehunt'
    export default defineConfig({
      tasks: ${JSON.stringify(demoPaths.tasks)}, docs: ${JSON.stringify(demoPaths.documents)}, out: 'run', limit: 1,
      setting: ['offline', 'rag'], model: ['scripted:one.jsonl', 'scripted:two.jsonl'],
      prompts: ['own', 'brief.yaml'], cot: ['on', 'off'], trials: 2, vectorStore: 'exact',
      retriever: ['bm25'], contextTokens: [500, 1000],
    })`,
  )
  const expected = 2 * 2 * 2 * 2 * (1 + 2)
  const dry = await tablehunt(['run', '--dry-run', '--json'], { cwd })
  expect({ code: dry.code, stderr: dry.stderr }).toMatchObject({ code: 0 })
  expect(JSON.parse(dry.stdout).attempts).toBe(expected)

  const { code, stderr } = await tablehunt(['run'], { cwd })
  expect({ code, stderr }).toMatchObject({ code: 0 })
  expect(stderr).toContain('tablehunt.config.ts')
  const attempts = (await readFile(join(cwd, 'run', 'attempts.jsonl'), 'utf8')).trim().split('\n')
  const records = attempts.map(
    line => JSON.parse(line) as { attemptId: string; options: Record<string, string> },
  )
  expect(new Set(records.map(record => record.attemptId)).size).toBe(expected)
  const expectedOptions = { cot: 'off', retriever: 'bm25', 'context-tokens': '500', prompts: 'brief' }
  expect(records.map(record => record.options)).toContainEqual(expectedOptions)
})
