import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatVariable, gatherOptions } from '../../src/config/gather-options.ts'
import { listConfigLines, listOptions } from '../../src/config/render-config.ts'
import { writeStarterFile } from '../../src/config/starter-file.ts'
import { completeConfig, type OptionName, resolveConfig, runOptions } from '../../src/config.ts'
import { formatFlag } from '../../src/core/option-spec.ts'

const nothing = { file: null, flags: {}, env: {} }

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-config-'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

const typed = (options: string): string =>
  `import { defineConfig } from 'tablehunt'\nconst tries: number = 2\nexport default defineConfig(${options})\n`

describe('the options of a run', () => {
  it('are merged from the TypeScript file, the JSON file, flags and variables, each overriding the earlier ones', async () => {
    const folder = await folderWith({
      'tablehunt.config.ts': typed(`{ tasks: 'a.jsonl', seed: 1, trials: tries, limit: 1, filter: 'ts' }`),
      'tablehunt.config.json': '{ "seed": 2, "trials": 3, "limit": 2 }',
    })
    const gathered = await gatherOptions({
      folder,
      file: null,
      flags: { trials: '4', limit: '3', out: 'r' },
      env: { TABLEHUNT_LIMIT: '5' },
    })
    const config = completeConfig(gathered.options)
    expect(config).toMatchObject({ tasks: 'a.jsonl', filter: 'ts', seed: 2, trials: 4, limit: 5, out: 'r' })
    const shown = listOptions(gathered)
    expect(Object.values(shown).map(option => option.source)).toContain('default')
    expect([shown.filter, shown.seed, shown.trials, shown.limit, shown.cut]).toEqual([
      { value: 'ts', source: 'file', place: `${join(folder, 'tablehunt.config.ts')}: filter` },
      { value: 2, source: 'file', place: `${join(folder, 'tablehunt.config.json')}: seed` },
      { value: 4, source: 'flag', place: '--trials' },
      { value: 5, source: 'env', place: 'TABLEHUNT_LIMIT' },
      { value: 'even', source: 'default', place: null },
    ])
    expect(gathered.notices).toContain('TABLEHUNT_LIMIT overrides --limit')
  })

  it('have the defaults of the benchmark, which a flag overrides', async () => {
    const shown = async (flags: Record<string, string>) =>
      listConfigLines(listOptions(await gatherOptions({ ...nothing, folder: await folderWith({}), flags })))
    const flags = { benchmark: 'longtablebench' }
    expect((await shown(flags)).find(line => line.startsWith('cut '))).toMatch(
      /^cut +head-tail +default of benchmark longtablebench$/,
    )
    expect((await shown({ ...flags, cut: 'even' })).find(line => line.startsWith('cut '))).toMatch(
      /^cut +even +--cut$/,
    )
  })

  it('come only from the file of --config when it is given', async () => {
    const folder = await folderWith({
      'tablehunt.config.json': '{ "seed": 2 }',
      'other.mts': typed('{ trials: tries }'),
    })
    const gathered = await gatherOptions({ ...nothing, folder, file: join(folder, 'other.mts') })
    expect(gathered.options).toEqual({ trials: 2 })
  })

  it('may be lists in a file, and texts with commas in a variable', async () => {
    const folder = await folderWith({
      'tablehunt.config.json':
        '{ "tasks": "t", "out": "o", "setting": ["rag", "online"], "contextTokens": [2000, "8k"], "cot": ["on", "off"], "prompts": ["own", "p.yaml"] }',
    })
    const env = { TABLEHUNT_MODEL: 'extractive, openai:x', TABLEHUNT_JSON: '1', TABLEHUNT_SEED: '' }
    const { options } = await gatherOptions({ ...nothing, folder, env })
    expect(completeConfig(options)).toMatchObject({
      setting: ['rag', 'online'],
      contextTokens: [2000, 8000],
      cot: ['on', 'off'],
      prompts: ['own', 'p.yaml'],
      model: ['extractive', 'openai:x'],
      json: true,
      seed: 0,
    })
  })

  it('may be times in a file, written as in flags', async () => {
    const folder = await folderWith({
      'tablehunt.config.json': '{ "budgetWall": "10m", "requestTimeout": 90 }',
    })
    const shown = listOptions(await gatherOptions({ ...nothing, folder }))
    expect([shown.budgetWall.value, shown.requestTimeout.value]).toEqual([600_000, 90_000])
    const lines = listConfigLines(shown)
    expect(lines.find(line => line.startsWith('budgetWall'))).toMatch(/ 10m /)
    expect(lines.find(line => line.startsWith('requestTimeout'))).toMatch(/ 90s /)
    expect(lines.find(line => line.startsWith('tasks'))).toMatch(/\(required\)/)
  })

  it('are shown with the defaults that are in force: the caps of online attempts and the cache', async () => {
    const of = async (setting: string) => {
      const options = listOptions(await gatherOptions({ ...nothing, folder: '/', flags: { setting } }), {
        XDG_CACHE_HOME: '/kept',
      })
      const lines = listConfigLines(options).map(line => line.split(/ {2,}/))
      return { options, line: (name: string) => lines.find(([first]) => first === name)?.slice(1) }
    }
    const online = await of('rag,online')
    expect(online.line('budgetTokens')).toEqual(['4000000', 'default of online'])
    expect(online.line('budgetWall')).toEqual(['30m', 'default of online'])
    expect(online.line('cache')).toEqual(['/kept/tablehunt', 'default'])
    expect(online.options.budgetTokens).toMatchObject({ value: null, inForce: 4_000_000 })
    expect((await of('rag')).line('budgetTokens')).toEqual(['–', 'default'])
  })

  // biome-ignore format: one case per line
  it.each([
    ['a misspelt name', { 'tablehunt.config.json': '{ "trails": 3 }' }, 'unknown-option'],
    ['a name as its flag is written', { 'tablehunt.config.json': '{ "budget-wall": "1m" }' }, 'unknown-option'],
    ['a name that is unlike all options', { 'tablehunt.config.json': '{ "favouriteColour": 1 }' }, 'unknown-option'],
    ['a text for a number', { 'tablehunt.config.json': '{ "trials": "many" }' }, 'invalid-option'],
    ['a list for a number', { 'tablehunt.config.json': '{ "trials": [1] }' }, 'invalid-option'],
    ['a number for a text', { 'tablehunt.config.json': '{ "tasks": 3 }' }, 'invalid-option'],
    ['a number for a model', { 'tablehunt.config.json': '{ "model": ["extractive", 3] }' }, 'invalid-option'],
    ['a text for a switch', { 'tablehunt.config.json': '{ "dryRun": "yes" }' }, 'invalid-option'],
    ['a number that is too small', { 'tablehunt.config.json': '{ "trials": 0 }' }, 'invalid-option'],
    ['an unknown setting', { 'tablehunt.config.ts': typed("{ setting: ['offlin'] }") }, 'unknown-setting'],
    ['broken JSON', { 'tablehunt.config.json': '{ "trials": 3, }' }, 'config-load-failed'],
    ['JSON that is not an object', { 'tablehunt.config.json': '[]' }, 'config-invalid'],
    ['a module that throws', { 'tablehunt.config.ts': 'throw new Error("no luck")' }, 'config-load-failed'],
    ['a module that is not TypeScript', { 'tablehunt.config.ts': 'export default {' }, 'config-load-failed'],
    ['a module that imports a broken one', { 'tablehunt.config.ts': 'import x from "./other.ts"\nexport default x', 'other.ts': 'const a = 1\na b' }, 'config-load-failed'],
    ['an empty list of models', { 'tablehunt.config.json': '{ "model": [] }' }, 'invalid-option'],
    ['a text file', { 'tablehunt.config.json': 'hello\nworld\n' }, 'config-load-failed'],
    ['a module without a default export', { 'tablehunt.config.ts': 'export const trials = 3' }, 'config-invalid'],
  ])('are rejected for %s, with the file in the message', async (_what, files, code) => {
    const folder = await folderWith(files)
    const message = expect.stringContaining(Object.keys(files)[0]!)
    await expect(gatherOptions({ ...nothing, folder })).rejects.toMatchObject({ code, message })
  })

  it('are rejected with the place, the value and the fix', async () => {
    const misspelt = await folderWith({ 'tablehunt.config.json': '{ "trails": 3 }' })
    await expect(gatherOptions({ ...nothing, folder: misspelt })).rejects.toThrow(
      /config\.json: unknown option 'trails': did you mean 'trials'\?$/,
    )
    const wrong = await folderWith({ 'tablehunt.config.json': '{ "trials": 0 }' })
    await expect(gatherOptions({ ...nothing, folder: wrong })).rejects.toThrow(
      /config\.json: trials: 0 is not valid: expected more than 0$/,
    )
  })

  it.each(['0', '-1'])('are rejected with the same words for a limit of %s', async limit => {
    const folder = await folderWith({})
    await expect(gatherOptions({ ...nothing, folder, flags: { limit } })).rejects.toThrow(
      `--limit: '${limit}' is not valid: expected more than 0`,
    )
  })

  it.each([
    ['structext', 'structext'],
    ['aoe', 'strict'],
  ])('of %s suggest a scorer of that benchmark for a misspelt one', async (benchmark, suggested) => {
    const flags = { benchmark, scorer: 'struct' }
    await expect(gatherOptions({ ...nothing, folder: await folderWith({}), flags })).rejects.toMatchObject({
      code: 'unknown-scorer',
      message: expect.stringContaining(`--scorer: unknown scorer 'struct': did you mean '${suggested}'?`),
    })
  })

  it('are rejected with the line and column of a broken module', async () => {
    const broken = await folderWith({ 'tablehunt.config.ts': 'export default {' })
    await expect(gatherOptions({ ...nothing, folder: broken })).rejects.toThrow(/\(line 1, column 17\)$/)
    const files = {
      'tablehunt.config.ts': 'import x from "./other.ts"\nexport default x',
      'other.ts': 'const a = 1\na b',
    }
    await expect(gatherOptions({ ...nothing, folder: await folderWith(files) })).rejects.toThrow(
      /\(other\.ts, line 2, column 2\)$/,
    )
  })

  it('are checked in a file although a flag overrides them', async () => {
    const folder = await folderWith({ 'tablehunt.config.json': '{ "trials": "many" }' })
    await expect(gatherOptions({ ...nothing, folder, flags: { trials: '2' } })).rejects.toMatchObject({
      code: 'invalid-option',
    })
  })

  it('name an invalid variable, and give a notice for a misspelt one', async () => {
    const folder = await folderWith({})
    const gather = (env: NodeJS.ProcessEnv) => gatherOptions({ ...nothing, folder, env })
    await expect(gather({ TABLEHUNT_TRIALS: 'many' })).rejects.toMatchObject({
      code: 'invalid-option',
      message: expect.stringMatching(/^TABLEHUNT_TRIALS: 'many'/),
    })
    await expect(gather({ TABLEHUNT_DRY_RUN: 'yes' })).rejects.toMatchObject({ code: 'invalid-option' })
    const { notices } = await gather({
      TABLEHUNT_TRAILS: '3',
      TABLEHUNT_CHROMIUM: '/c',
      TABLEHUNT_HOME: '/h',
    })
    expect(notices).toEqual(['TABLEHUNT_TRAILS is not an option: did you mean TABLEHUNT_TRIALS?'])
  })

  it('are rejected for a file of another kind and for a missing file', async () => {
    const folder = await folderWith({ 'a.yaml': '' })
    const gather = (name: string) => gatherOptions({ ...nothing, folder, file: join(folder, name) })
    await expect(gather('a.yaml')).rejects.toMatchObject({ code: 'config-invalid' })
    await expect(gather('none.json')).rejects.toMatchObject({ code: 'config-not-found' })
  })
})

describe('a new config file', () => {
  it('is valid, and sets only the options that it shows', async () => {
    const folder = await folderWith({ 'tablehunt.config.ts': writeStarterFile() })
    const { options } = await gatherOptions({ ...nothing, folder })
    expect(completeConfig(options)).toMatchObject({ tasks: 'tasks.jsonl', web: 'sealed', trials: 1 })
  })

  it('names every option, and is valid when the comments are removed', async () => {
    const [head, body] = writeStarterFile().split('defineConfig({\n')
    const bare = body!.replace(/^ {2}\/\/ (\w+: .*,)$/gm, '  $1')
    const folder = await folderWith({ 'tablehunt.config.ts': `${head}defineConfig({\n${bare}` })
    const { options } = await gatherOptions({ ...nothing, folder })
    expect(Object.keys(options).sort()).toEqual(Object.keys(runOptions).sort())
    const plain = resolveConfig({ tasks: 'tasks.jsonl', out: 'runs/first', docs: 'documents', web: 'sealed' })
    expect(completeConfig(options)).toEqual(plain)
  })
})

it('every option has a flag and a variable of its own', () => {
  const names = Object.keys(runOptions) as OptionName[]
  expect(new Set(names.map(formatVariable)).size).toBe(names.length)
  expect(formatVariable('budgetWall')).toBe('TABLEHUNT_BUDGET_WALL')
  expect(formatFlag('budgetWall')).toBe('--budget-wall')
})

it.each([
  ['seed', Number.NaN, '--seed: NaN '],
  ['budgetUsd', Number.POSITIVE_INFINITY, '--budget-usd: Infinity '],
  ['trials', 1n, '--trials: 1 '],
])('an invalid %s of a program is in the message as the program wrote it', (name, value, message) => {
  const options = { tasks: 'tasks.jsonl', out: 'run', [name]: value }
  expect(() => resolveConfig(options)).toThrow(
    expect.objectContaining({ code: 'invalid-option', message: expect.stringContaining(message) }),
  )
})

it('refuses --retry crashed, because crashes of agents are scored, and names the reason that is repeated', () => {
  expect(() => resolveConfig({ tasks: '-', out: '-', retry: 'crashed' })).toThrow(
    /an agent that crashes is scored.*use another --out\. 'crash' repeats attempts that Tablehunt itself failed/,
  )
  expect(resolveConfig({ tasks: '-', out: '-', retry: 'crash' }).retry).toBe('crash')
})
