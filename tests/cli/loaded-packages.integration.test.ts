import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { runProcess } from '../../bench/parts/process.ts'
import { packageRoot } from '../../src/system/paths.ts'

const demo = join(packageRoot, 'tasks', 'demo')
const documents = ['--docs', join(demo, 'documents')]
let folder: string

/** Runs a command of the built program. Returns the addresses of the modules that it loaded. */
async function modulesOf(command: readonly string[]): Promise<string> {
  const [hooks, register, list] = ['hooks.mjs', 'register.mjs', 'modules.txt'].map(name => join(folder, name))
  await writeFile(
    hooks!,
    `import { appendFileSync } from 'node:fs'
     export async function load(url, context, next) {
       appendFileSync(${JSON.stringify(list)}, url + '\\n')
       return await next(url, context)
     }`,
  )
  const address = JSON.stringify(pathToFileURL(hooks!).href)
  await writeFile(register!, `import { register } from 'node:module'\nregister(${address})`)
  await writeFile(list!, '')
  await runProcess([
    process.execPath,
    '--import',
    register!,
    join(packageRoot, 'bin/tablehunt.js'),
    ...command,
  ])
  return await readFile(list!, 'utf8')
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-modules-'))
  const run = [
    'run',
    '--tasks',
    join(demo, 'tasks.jsonl'),
    ...documents,
    '--limit',
    '1',
    '--setting',
    'offline',
  ]
  const command = [...run, '--model', 'extractive', '--out', join(folder, 'run')]
  expect(await modulesOf(command)).toContain('/@langchain/core/')
})

it.each([
  ['report', () => ['report', join(folder, 'run')]],
  ['compare', () => ['compare', join(folder, 'run')]],
  ['score', () => ['score', join(folder, 'run'), '--scorer', 'strict']],
  ['tasks stats', () => ['tasks', 'stats', join(demo, 'tasks.jsonl'), ...documents]],
  ['info config', () => ['info', 'config']],
])('%s asks no model, so it does not load LangChain', async (_, command) => {
  expect(await modulesOf(command())).not.toContain('/@langchain/')
})
