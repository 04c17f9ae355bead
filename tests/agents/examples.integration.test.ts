import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readRun, run } from '../../src/index.ts'
import { packageRoot } from '../../src/system/paths.ts'

const demo = join(packageRoot, 'tasks', 'demo')
const examples = join(packageRoot, 'examples', 'agents')
const hasPython = spawnSync('python3', ['--version']).status === 0
let folder = ''

/** Runs one demo task online over the sealed web. */
async function runOnline(name: string, options: { agent?: string[]; model?: string[] }): Promise<string> {
  const out = join(folder, name)
  await run({
    tasks: join(demo, 'tasks.jsonl'),
    docs: join(demo, 'documents'),
    setting: 'online',
    web: 'sealed',
    limit: 1,
    out,
    ...options,
  })
  return out
}

/** What an attempt achieved, apart from the agent that made it. */
async function outcomesOf(out: string) {
  const { attempts, scores } = await readRun(out)
  return attempts.map(({ attemptId, agent, termination, usage }) => ({
    agent,
    reason: termination.reason,
    searches: usage.searchCalls,
    fetches: usage.fetchCalls,
    f1: scores.find(score => score.attemptId === attemptId)?.metrics.cellF1,
  }))
}

describe('an example of an agent', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tablehunt-examples-'))
    await runOnline('own', {})
  })

  it.skipIf(!hasPython)('in plain Python (needs python3) does what our own loop does', async () => {
    const program = join(examples, 'plain-python', 'plain_python.py')
    const [own] = await outcomesOf(join(folder, 'own'))
    const out = await runOnline('python', { agent: [`command: python3 '${program}'`] })
    expect(await outcomesOf(out)).toEqual([{ ...own, agent: 'plain_python' }])
  })

  it('in plain Node plays the script of a run, by the APIs of Serper and Jina Reader', async () => {
    const program = join(examples, 'plain-node', 'plain_node.mjs')
    const writer = join(examples, 'script-from-run.mjs')
    const { stdout } = spawnSync(process.execPath, [writer, join(folder, 'own'), 'plain-node'])
    const script = join(folder, 'script.jsonl')
    await writeFile(script, stdout)
    const [own] = await outcomesOf(join(folder, 'own'))
    const agent = [`command: '${process.execPath}' '${program}'`]
    const out = await runOnline('node', { agent, model: [`scripted:${script}`] })
    expect(await outcomesOf(out)).toEqual([{ ...own, agent: 'plain_node' }])
  })
})

const folders = readdirSync(examples, { withFileTypes: true }).filter(entry => entry.isDirectory())

it.each(folders.map(({ name }) => name))('%s has a README that runs its program', name => {
  const readme = readFileSync(join(examples, name, 'README.md'), 'utf8')
  const program = /--agent 'command: \w+ (examples\/agents\/[^ ']+)/.exec(readme)?.[1] ?? ''
  expect(program).toContain(`examples/agents/${name}/`)
  expect(existsSync(join(packageRoot, program))).toBe(true)
  expect(readFileSync(join(packageRoot, program), 'utf8').split('\n').length).toBeLessThan(80)
})
