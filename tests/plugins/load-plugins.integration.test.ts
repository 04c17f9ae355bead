import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { gatherOptions } from '../../src/config/gather-options.ts'
import { resolveConfig } from '../../src/config.ts'
import { ConfigError } from '../../src/core/errors.ts'
import { hashPlugin, loadPlugins } from '../../src/plugins/load-plugins.ts'
import { searchServices } from '../../tools/search/registry.ts'

let plugins = 0

/** A name that no other test uses: registries belong to the process. */
const fresh = (): string => `p${process.pid}-${++plugins}`

/** A folder with these files; returns its path. */
async function folderWith(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-plugin-'))
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), text)
  }
  return folder
}

/** A plug-in's source with one search service, whose summary is an expression. */
const service = (name: string, summary = "'a shelf'"): string => `
  import { definePlugin } from 'tablehunt'
  export default definePlugin({
    searchServices: {
      '${name}': { summary: ${summary}, keyVariable: null, baseUrlVariable: null, create: () => { throw new Error('no shelf') } },
    },
  })`

const codeOf = async (given: string, folder: string): Promise<string | null> => {
  const error: unknown = await loadPlugins([given], folder).catch((refused: unknown) => refused)
  expect(error).toBeInstanceOf(ConfigError)
  const { message } = error as ConfigError
  expect(
    message.includes(given) || message.includes(basename(given, '.ts')) || message.includes('greedy'),
  ).toBe(true)
  return (error as ConfigError).code
}

describe('a plug-in', () => {
  it.each(['.ts', '.mts', '.js', '.mjs', '.cjs'])('is loaded from a file that ends in %s', async ending => {
    const name = fresh()
    const source = service(name)
    const text =
      ending === '.cjs'
        ? source
            .replace(
              "import { definePlugin } from 'tablehunt'",
              "const { definePlugin } = require('tablehunt')",
            )
            .replace('export default', 'module.exports =')
        : source
    const folder = await folderWith({ [`${name}-file${ending}`]: text })
    const [plugin] = await loadPlugins([`${name}-file${ending}`], folder)
    expect(plugin).toMatchObject({ name: `${name}-file`, hash: expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(searchServices.originOf(name)).toBe(`${name}-file`)
  })

  it('is loaded from a package that is installed in the folder, by its name', async () => {
    const name = fresh()
    const folder = await folderWith({
      [`node_modules/${name}/package.json`]: JSON.stringify({
        name,
        version: '1.2.0',
        type: 'module',
        exports: './main.js',
      }),
      [`node_modules/${name}/main.js`]: service(`${name}-shelf`),
    })
    const [plugin] = await loadPlugins([name], folder)
    expect(plugin?.name).toBe(name)
    expect(searchServices.has(`${name}-shelf`)).toBe(true)
  })

  it('uses its own name when it declares one', async () => {
    const name = fresh()
    const text = service(name).replace('definePlugin({', `definePlugin({ name: '${name}-own',`)
    const [plugin] = await loadPlugins(['./mine.ts'], await folderWith({ 'mine.ts': text }))
    expect(plugin?.name).toBe(`${name}-own`)
  })

  it('is loaded once in a process, however it is named', async () => {
    const name = fresh()
    const folder = await folderWith({ [`${name}.ts`]: service(name) })
    const [first, second] = await Promise.all([
      loadPlugins([`./${name}.ts`, join(folder, `${name}.ts`)], folder),
      loadPlugins([`${name}.ts`], folder),
    ])
    expect(first).toEqual(second)
    expect(first).toHaveLength(1)
  })

  it('has another hash when its file or a local file that it imports changes, and not when it moves', async () => {
    const hashOf = async (summary: string, unrelated = ''): Promise<string> => {
      const folder = await folderWith({
        'same.ts': `import { summary } from './words/summary.js'\n${service('same', 'summary')}`,
        'words/summary.ts': `export const summary = '${summary}'`,
        'unrelated.ts': unrelated,
      })
      return await hashPlugin({ file: join(folder, 'same.ts'), package: null, defaultName: 'same' })
    }
    expect(await hashOf('one')).toBe(await hashOf('one', 'changed'))
    expect(await hashOf('one')).not.toBe(await hashOf('two'))
  })
})

describe('a plug-in that cannot be used', () => {
  it.each([
    ['no such file', './nowhere.ts', {}, 'plugin-not-found'],
    ['a folder', './mine', { 'mine/index.ts': '' }, 'plugin-not-found'],
    ['a file of another kind', './mine.json', { 'mine.json': '{}' }, 'plugin-not-found'],
    ['a package that is not installed', 'nobody-has-this', {}, 'plugin-not-found'],
    ['no TypeScript', './mine.ts', { 'mine.ts': 'export default {' }, 'plugin-load-failed'],
    [
      'an error while it is loaded',
      './mine.ts',
      { 'mine.ts': 'throw new Error("no luck")' },
      'plugin-load-failed',
    ],
    ['an import that is missing', './mine.ts', { 'mine.ts': 'import "./gone.ts"' }, 'plugin-load-failed'],
    ['no default export', './mine.ts', { 'mine.ts': 'export const tools = {}' }, 'plugin-invalid'],
    [
      'a named export only',
      './mine.mjs',
      { 'mine.mjs': 'export const mine = { tools: {} }' },
      'plugin-invalid',
    ],
    ['nothing in it', './mine.ts', { 'mine.ts': 'export default { tools: {} }' }, 'plugin-invalid'],
    ['an unknown field', './mine.ts', { 'mine.ts': 'export default { tool: {} }' }, 'plugin-invalid'],
    ['a list of entries', './mine.ts', { 'mine.ts': 'export default { tools: [] }' }, 'plugin-invalid'],
    [
      'an entry that is no object',
      './mine.ts',
      { 'mine.ts': 'export default { tools: { a: 1 } }' },
      'plugin-invalid',
    ],
    [
      'a name with a comma',
      './mine.ts',
      { 'mine.ts': 'export default { retrievers: { "a,b": { summary: "s", load() {} } } }' },
      'plugin-invalid',
    ],
    [
      'an entry without what it must have',
      './mine.ts',
      { 'mine.ts': 'export default { retrievers: { a: { summary: "s" } } }' },
      'plugin-invalid',
    ],
    [
      'a member that is none of those known',
      './mine.ts',
      { 'mine.ts': 'export default { tools: { a: { summary: "s", kind: "serch", create() {} } } }' },
      'plugin-invalid',
    ],
    [
      'the name of a built-in entry',
      './mine.ts',
      { 'mine.ts': 'export default { name: "greedy", retrievers: { aoe: { summary: "s", load() {} } } }' },
      'plugin-name-taken',
    ],
  ])('is refused for %s, and named', async (_what, given, files, code) => {
    expect(await codeOf(given, await folderWith(files as Record<string, string>)).catch(error => error)).toBe(
      code,
    )
  })

  it.each(['mine.ts', 'mine.mjs', 'mine.cjs'])(
    'is refused with the advice to export the plug-in of %s as default',
    async file => {
      const text = `${file.endsWith('.cjs') ? 'exports.mine' : 'export const mine'} = { tools: {} }`
      const loading = loadPlugins([`./${file}`], await folderWith({ [file]: text }))
      await expect(loading).rejects.toThrow(/Export (?:it|the plug-in) as default/)
    },
  )

  it('leaves no entry behind, and can be loaded after it is fixed', async () => {
    const name = fresh()
    const folder = await folderWith({
      [`${name}.ts`]: service(name).replace(
        'definePlugin({',
        'definePlugin({ retrievers: { aoe: { summary: "s", load() {} } },',
      ),
    })
    expect(await codeOf(`${name}.ts`, folder)).toBe('plugin-name-taken')
    expect(searchServices.has(name)).toBe(false)
    await writeFile(join(folder, `${name}.ts`), service(name))
    await loadPlugins([`${name}.ts`], folder)
    expect(searchServices.has(name)).toBe(true)
  })

  it('says which member is wrong and where the file fails', async () => {
    const folder = await folderWith({
      'lacks.ts': 'export default { retrievers: { a: { summary: "s" } } }',
      'throws.ts': '\n\nthrow new Error("no luck")',
    })
    await expect(loadPlugins(['lacks.ts'], folder)).rejects.toThrow(
      'plug-in lacks.ts: retrievers.a.load is missing: a function is expected',
    )
    await expect(loadPlugins(['throws.ts'], folder)).rejects.toThrow(
      'plug-in throws.ts cannot be loaded: no luck (line 3). Correct the module, or leave the plug-in out.',
    )
  })

  it('is refused when another one has its name', async () => {
    const [first, second] = [fresh(), fresh()]
    const folder = await folderWith({ [`a/${first}.ts`]: service(first), [`b/${first}.ts`]: service(second) })
    await loadPlugins([`a/${first}.ts`], folder)
    expect(await codeOf(`b/${first}.ts`, folder)).toBe('plugin-name-taken')
    expect(searchServices.has(second)).toBe(false)
  })
})

describe('the options of a run', () => {
  it('may name what plug-ins of a config file add, whose paths are relative to that file', async () => {
    const name = fresh()
    const folder = await folderWith({
      [`conf/parts/${name}.ts`]: service(name),
      'conf/tablehunt.config.json': JSON.stringify({ plugins: [`./parts/${name}.ts`], search: name }),
    })
    const file = join(folder, 'conf/tablehunt.config.json')
    const { options } = await gatherOptions({ folder, file, flags: {}, env: {} })
    expect(options.plugins).toEqual([join(folder, `conf/parts/${name}.ts`)])
    expect(resolveConfig({ ...options, tasks: '-', out: '-' }).search).toEqual([name])
  })

  it('load the plug-ins of all sources', async () => {
    const [inFile, flag, variable] = [fresh(), fresh(), fresh()]
    const folder = await folderWith(
      Object.fromEntries([inFile, flag, variable].map(name => [`${name}.ts`, service(name)])),
    )
    await writeFile(join(folder, 'tablehunt.config.json'), JSON.stringify({ plugins: [`${inFile}.ts`] }))
    const { options } = await gatherOptions({
      folder,
      file: null,
      flags: { plugins: [join(folder, `${flag}.ts`)] },
      env: { TABLEHUNT_PLUGINS: join(folder, `${variable}.ts`) },
    })
    expect((options.plugins as string[]).map(path => basename(path, '.ts'))).toEqual([inFile, flag, variable])
    for (const name of [inFile, flag, variable]) expect(searchServices.has(name)).toBe(true)
  })

  it('refuse a plug-in that is not a text', async () => {
    const folder = await folderWith({ 'tablehunt.config.json': '{ "plugins": [3] }' })
    await expect(gatherOptions({ folder, file: null, flags: {}, env: {} })).rejects.toMatchObject({
      code: 'invalid-option',
      message: expect.stringContaining('config.json: plugins'),
    })
  })
})
