import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { variableOf } from '../../src/config/environment.ts'
import { gatherOptions } from '../../src/config/gather-options.ts'
import { configLines, shownOptions } from '../../src/config/render-config.ts'
import { starterFile } from '../../src/config/starter-file.ts'
import { type OptionName, resolveConfig, runOptions } from '../../src/config.ts'
import { flagOf } from '../../src/core/option-spec.ts'

const nothing = { file: null, flags: {}, env: {} }

async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-config-'))
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  return folder
}

const typed = (options: string): string =>
  `import { defineConfig } from 'tablehunt'\nconst tries: number = 2\nexport default defineConfig(${options})\n`

describe('the options of a run', () => {
  it('are merged from the TypeScript file, the JSON file, flags and variables, each over those before it', async () => {
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
    const config = resolveConfig(gathered.options)
    expect(config).toMatchObject({ tasks: 'a.jsonl', filter: 'ts', seed: 2, trials: 4, limit: 5, out: 'r' })
    const shown = shownOptions(gathered)
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

  it('come from the file of --config alone where it is given', async () => {
    const folder = await folderWith({
      'tablehunt.config.json': '{ "seed": 2 }',
      'other.mts': typed('{ trials: tries }'),
    })
    const gathered = await gatherOptions({ ...nothing, folder, file: join(folder, 'other.mts') })
    expect(gathered.options).toEqual({ trials: 2 })
  })

  it('take lists from a file, and from a variable by commas', async () => {
    const folder = await folderWith({
      'tablehunt.config.json':
        '{ "tasks": "t", "out": "o", "setting": ["rag", "online"], "contextTokens": [2000, "8k"], "cot": ["on", "off"], "prompts": ["own", "p.yaml"] }',
    })
    const env = { TABLEHUNT_MODEL: 'extractive, openai:x', TABLEHUNT_JSON: '1', TABLEHUNT_SEED: '' }
    const { options } = await gatherOptions({ ...nothing, folder, env })
    expect(resolveConfig(options)).toMatchObject({
      setting: ['rag', 'online'],
      contextTokens: [2000, 8000],
      cot: ['on', 'off'],
      prompts: ['own', 'p.yaml'],
      model: ['extractive', 'openai:x'],
      json: true,
      seed: 0,
    })
  })

  it('read times in a file as flags do', async () => {
    const folder = await folderWith({
      'tablehunt.config.json': '{ "budgetWall": "10m", "requestTimeout": 90 }',
    })
    const shown = shownOptions(await gatherOptions({ ...nothing, folder }))
    expect([shown.budgetWall.value, shown.requestTimeout.value]).toEqual([600_000, 90_000])
    const lines = configLines(shown)
    expect(lines.find(line => line.startsWith('budgetWall'))).toMatch(/ 10m /)
    expect(lines.find(line => line.startsWith('requestTimeout'))).toMatch(/ 90s /)
    expect(lines.find(line => line.startsWith('tasks'))).toMatch(/\(needed\)/)
  })

  it('are shown with the defaults that count where nobody set them: caps where online is run, the cache', async () => {
    const of = async (setting: string) => {
      const options = shownOptions(await gatherOptions({ ...nothing, folder: '/', flags: { setting } }), {
        XDG_CACHE_HOME: '/kept',
      })
      const lines = configLines(options).map(line => line.split(/ {2,}/))
      return { options, line: (name: string) => lines.find(([first]) => first === name)?.slice(1) }
    }
    const online = await of('rag,online')
    expect(online.line('budgetTokens')).toEqual(['4000000', 'default of online'])
    expect(online.line('budgetWall')).toEqual(['30m', 'default of online'])
    expect(online.line('cache')).toEqual(['/kept/tablehunt', 'default'])
    expect(online.options.budgetTokens).toMatchObject({ value: null, inForce: 4_000_000 })
    expect((await of('rag')).line('budgetTokens')).toEqual(['–', 'default'])
  })

  // biome-ignore format: one case a line
  it.each([
    ['a key that is misspelt', { 'tablehunt.config.json': '{ "trails": 3 }' }, /config\.json: unknown option 'trails': did you mean 'trials'/],
    ['a key as its flag is written', { 'tablehunt.config.json': '{ "budget-wall": "1m" }' }, /config\.json: .*'budget-wall': did you mean 'budgetWall'/],
    ['a key like nothing', { 'tablehunt.config.json': '{ "favouriteColour": 1 }' }, /config\.json: .*'favouriteColour': `tablehunt config`/],
    ['a text for a number', { 'tablehunt.config.json': '{ "trials": "many" }' }, /config\.json: trials: 'many': a number/],
    ['a list for a number', { 'tablehunt.config.json': '{ "trials": [1] }' }, /config\.json: trials: \[1\]: a number/],
    ['a number for a text', { 'tablehunt.config.json': '{ "tasks": 3 }' }, /config\.json: tasks: 3: a text/],
    ['a number for a model', { 'tablehunt.config.json': '{ "model": ["extractive", 3] }' }, /config\.json: model: .*a text, or a list/],
    ['a text for a switch', { 'tablehunt.config.json': '{ "dryRun": "yes" }' }, /config\.json: dryRun: 'yes': true or false/],
    ['a number that is too small', { 'tablehunt.config.json': '{ "trials": 0 }' }, /config\.json: trials: 0: more than 0/],
    ['an unknown name', { 'tablehunt.config.ts': typed("{ setting: ['offlin'] }") }, /config\.ts: setting: unknown setting 'offlin': did you mean 'offline'/],
    ['broken JSON', { 'tablehunt.config.json': '{ "trials": 3, }' }, /config\.json: no JSON: /],
    ['JSON that is no object', { 'tablehunt.config.json': '[]' }, /config\.json: an object of options/],
    ['a module that throws', { 'tablehunt.config.ts': 'throw new Error("no luck")' }, /config\.ts: can't be loaded: no luck/],
    ['a module that is no TypeScript', { 'tablehunt.config.ts': 'export default {' }, /config\.ts: can't be loaded: ParseError: Unexpected token \(line 1, column 17\)$/],
    ['a module that reads another that is none', { 'tablehunt.config.ts': 'import x from "./other.ts"\nexport default x', 'other.ts': 'const a = 1\na b' }, /config\.ts: can't be loaded: ParseError: .* \(other\.ts, line 2, column 2\)$/],
    ['a list without a model', { 'tablehunt.config.json': '{ "model": [] }' }, /config\.json: model: \[\]: a text, or a list of texts that is not empty$/],
    ['a text file', { 'tablehunt.config.json': 'hello\nworld\n' }, /config\.json: no JSON: .*world " is not valid JSON$/],
    ['a module without a default export', { 'tablehunt.config.ts': 'export const trials = 3' }, /config\.ts: `export default/],
  ])('refuse %s, with the file and the mend', async (_what, files, words) => {
    const folder = await folderWith(files)
    await expect(gatherOptions({ ...nothing, folder })).rejects.toThrow(words)
  })

  it('are checked in a file also where a flag overrides them', async () => {
    const folder = await folderWith({ 'tablehunt.config.json': '{ "trials": "many" }' })
    await expect(gatherOptions({ ...nothing, folder, flags: { trials: '2' } })).rejects.toThrow(/'many'/)
  })

  it('refuse a variable that does not fit by its name, and tell one that looks misspelt', async () => {
    const folder = await folderWith({})
    const gather = (env: NodeJS.ProcessEnv) => gatherOptions({ ...nothing, folder, env })
    await expect(gather({ TABLEHUNT_TRIALS: 'many' })).rejects.toThrow(/^TABLEHUNT_TRIALS: 'many'/)
    await expect(gather({ TABLEHUNT_DRY_RUN: 'yes' })).rejects.toThrow(/^TABLEHUNT_DRY_RUN: 'yes'/)
    const { notices } = await gather({
      TABLEHUNT_TRAILS: '3',
      TABLEHUNT_CHROMIUM: '/c',
      TABLEHUNT_HOME: '/h',
    })
    expect(notices).toEqual(['TABLEHUNT_TRAILS is not an option: did you mean TABLEHUNT_TRIALS?'])
  })

  it('refuse a file of another kind or none', async () => {
    const folder = await folderWith({ 'a.yaml': '' })
    const gather = (name: string) => gatherOptions({ ...nothing, folder, file: join(folder, name) })
    await expect(gather('a.yaml')).rejects.toThrow(/a\.yaml: one of \.ts/)
    await expect(gather('none.json')).rejects.toThrow(/none\.json: no such file/)
  })
})

describe('a new config file', () => {
  it('loads and validates as it is written, and sets no option to another value than the default but those it shows', async () => {
    const folder = await folderWith({ 'tablehunt.config.ts': starterFile() })
    const { options } = await gatherOptions({ ...nothing, folder })
    expect(resolveConfig(options)).toMatchObject({ tasks: 'tasks.jsonl', web: 'sealed', trials: 1 })
  })

  it('names every option, and holds with every comment taken away', async () => {
    const [head, body] = starterFile().split('defineConfig({\n')
    const bare = body!.replace(/^ {2}\/\/ (\w+: .*,)$/gm, '  $1')
    const folder = await folderWith({ 'tablehunt.config.ts': `${head}defineConfig({\n${bare}` })
    const { options } = await gatherOptions({ ...nothing, folder })
    expect(Object.keys(options).sort()).toEqual(Object.keys(runOptions).sort())
    const plain = resolveConfig({ tasks: 'tasks.jsonl', out: 'runs/first', docs: 'documents', web: 'sealed' })
    expect(resolveConfig(options)).toEqual(plain)
  })
})

it('flags and variables of all options differ from each other', () => {
  const names = Object.keys(runOptions) as OptionName[]
  expect(new Set(names.map(variableOf)).size).toBe(names.length)
  expect(variableOf('budgetWall')).toBe('TABLEHUNT_BUDGET_WALL')
  expect(flagOf('budgetWall')).toBe('--budget-wall')
})

it.each([
  ['seed', Number.NaN, '--seed: NaN: '],
  ['budgetUsd', Number.POSITIVE_INFINITY, '--budget-usd: Infinity: '],
  ['trials', 1n, '--trials: 1: '],
])('names the value of %s that is refused as a program wrote it', (name, value, words) => {
  expect(() => resolveConfig({ tasks: 'tasks.jsonl', out: 'run', [name]: value })).toThrow(words)
})
