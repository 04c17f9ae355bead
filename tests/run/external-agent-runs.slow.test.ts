import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { tablehunt } from '../cli/cli.ts'

const demo = [
  ...['--tasks', 'tasks/demo/tasks.jsonl', '--docs', 'tasks/demo/documents', '--limit', '2'],
  ...['--web', 'sealed', '--setting', 'online', '--browser', 'off'],
]
let folder = ''
let script = ''
const run = async (out: string, ...more: string[]) =>
  await tablehunt(
    ['run', ...demo, '--out', join(folder, out), '--agent', `command: node ${script}`, ...more],
    {
      env: { SECRET_API_KEY: 'not-for-agents' },
    },
  )

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'agent-runs-'))
  script = join(folder, 'guesser.mjs')
  await writeFile(
    script,
    `const guess = '\`\`\`csv\\nname,value\\na.pdf,1\\n\`\`\`'
     console.log(process.env.SECRET_API_KEY === undefined ? guess : 'a key leaked')`,
  )
})

it('shows an arm for each agent, and their difference', async () => {
  const { code, stdout } = await run('two', '--agent', 'tablehunt')
  expect(code).toBe(0)
  expect(stdout).toMatch(/agent=guesser minus online/)
  const report = JSON.parse((await tablehunt(['report', join(folder, 'two'), '--json'])).stdout)
  expect(report.arms.map(({ agent }: { agent: string }) => agent)).toEqual(['tablehunt', 'guesser'])
  const difference = report.differences.find(
    (row: { metric: string; domain: string }) => row.metric === 'cellF1' && row.domain === 'all',
  )
  expect(difference).toMatchObject({ from: 'online', to: 'online [agent=guesser]', n: 2, mean: -1 })
  const manifest = JSON.parse(await readFile(join(folder, 'two', 'manifest.json'), 'utf8'))
  expect(manifest.agents.guesser).toMatchObject({ command: ['node', 'guesser.mjs'] })
})

it('compares the agents of two runs', async () => {
  await run('guesser-alone')
  await tablehunt(['run', ...demo, '--out', join(folder, 'own-alone')])
  const both = ['compare', join(folder, 'own-alone'), join(folder, 'guesser-alone'), '--json']
  const { differences } = JSON.parse((await tablehunt(both)).stdout)
  expect(differences).toContainEqual(
    expect.objectContaining({
      from: 'online',
      to: 'online [agent=guesser]',
      metric: 'cellF1',
      domain: 'all',
      n: 2,
    }),
  )
})

it('is resumed with the same script from any path, and not with another script', async () => {
  await run('resumed')
  expect((await run('resumed')).code).toBe(0)
  await writeFile(script, `${await readFile(script, 'utf8')}\n// changed`)
  const { code, stderr } = await run('resumed')
  expect([code, stderr]).toEqual([2, expect.stringContaining('different-run')])
})

it('estimates the caps before a run, and no typical costs', async () => {
  const { stdout } = await run('dry', '--dry-run', '--json')
  expect(JSON.parse(stdout)).toMatchObject({
    attempts: 2,
    atMost: { tokens: 8_000_000, searchCalls: 120 },
    typical: { tokens: null, searchCalls: null },
  })
})
