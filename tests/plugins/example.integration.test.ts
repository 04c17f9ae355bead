import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readRun } from '../../src/run/records/read-records.ts'
import { packageRoot } from '../../src/system/paths.ts'
import { testPlugin } from '../../src/testing/index.ts'
import { tablehunt } from '../cli/cli.ts'
import { stepsOf } from '../docs/shell-blocks.ts'

const example = join(packageRoot, 'examples', 'plugin')
const cwd = join(await mkdtemp(join(tmpdir(), 'tablehunt-example-')), 'plugin')
await cp(example, cwd, { recursive: true })
const plugin = join(cwd, 'mountains.ts')

describe('the example of a plug-in', () => {
  const printed: string[] = []

  beforeAll(async () => {
    for (const step of stepsOf(await readFile(join(example, 'README.md'), 'utf8'))) {
      if (step.kind !== 'command') continue
      const { code, stdout, stderr } = await tablehunt(step.args, { cwd })
      expect(code, stderr).toBe(0)
      printed.push(stdout)
    }
  })

  it('has fewer than 120 lines', () => {
    const source = readFileSync(join(example, 'mountains.ts'), 'utf8')
    expect(source.trimEnd().split('\n').length).toBeLessThan(120)
  })

  it('runs as its page prints, in every setting, and its tool is called', async () => {
    const { attempts, scores } = await readRun(join(cwd, 'runs', 'scripted'))
    expect(attempts.map(({ termination }) => termination.reason)).toEqual(Array(12).fill('answered'))
    const online = scores.filter(score => score.setting === 'online')
    const nearness = online.map(({ metrics }) => Number(metrics.nearness).toFixed(3))
    expect(nearness.sort()).toEqual(['0.000', '0.305', '1.000'])
    const kenya = attempts.find(({ taskId, setting }) => taskId === 'Mount Kenya' && setting === 'online')!
    const trace = await readFile(join(cwd, 'runs/scripted/traces', `${kenya.attemptId}.jsonl`), 'utf8')
    expect(trace).toContain('17057 feet')
  })

  it('has its metric in the short summary, the full tables and the comparison', async () => {
    const full = await tablehunt(['report', 'runs/scripted', '--full'], { cwd })
    const compared = await tablehunt(['compare', 'runs/scripted', 'runs/extractive', '--force'], { cwd })
    for (const text of [printed[1]!, full.stdout, compared.stdout]) expect(text).toContain('nearness')
    const json = await tablehunt(['report', 'runs/scripted', '--json'], { cwd })
    const { groups } = JSON.parse(json.stdout)
    expect(groups[0].metrics.nearness.mean).toBeCloseTo((1 + 4806 / 15766) / 3, 6)
  })

  it('has its metric in the page of the report and in the files of the comparison', async () => {
    expect(await readFile(join(cwd, 'runs/scripted/report.html'), 'utf8')).toContain('nearness')
    for (const folder of ['runs/csv', 'runs/latex']) {
      const files = await readdir(join(cwd, folder))
      const texts = await Promise.all(files.map(file => readFile(join(cwd, folder, file), 'utf8')))
      expect(texts.some(text => text.includes('nearness'))).toBe(true)
    }
    expect(existsSync(join(cwd, 'runs/extractive/report.html'))).toBe(true)
  })
})

await testPlugin(
  plugin,
  {
    benchmarks: { mountains: { tasks: join(example, 'tasks.tsv') } },
    scorers: { height: { gold: { kind: 'text', references: ['17057'] }, wrongAnswer: '5199' } },
    tools: { to_feet: { input: { metres: 5199 }, answer: /^17057 feet$/ } },
  },
  { describe, it },
)

describe('testPlugin', () => {
  it('refuses a part without a sample, and a sample without a part', async () => {
    const framework = { describe, it }
    await expect(testPlugin(plugin, {}, framework)).rejects.toMatchObject({ code: 'sample-missing' })
    const stray = { benchmarks: { other: { tasks: 'tasks.tsv' } } }
    await expect(testPlugin(plugin, stray, framework)).rejects.toMatchObject({ code: 'sample-unknown' })
  })
})
