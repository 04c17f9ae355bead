import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/system/paths.ts'
import { tablehunt } from '../cli/cli.ts'
import { stepsOf } from './shell-blocks.ts'

const page = readFileSync(join(packageRoot, 'docs', 'benchmarks.md'), 'utf8')

it('runs as printed, and neither resumes nor scores again when rows of its input are deleted', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'tablehunt-page-'))
  const env = { XDG_CACHE_HOME: join(cwd, 'cache') }
  let run: readonly string[] = []
  for (const step of stepsOf(page)) {
    if (step.kind === 'file') await writeFile(join(cwd, step.path), step.text)
    if (step.kind !== 'command') continue
    const { code, stderr } = await tablehunt(step.args, { cwd, env })
    expect(`${step.args.join(' ')}: ${code}${code === 0 ? '' : stderr}`).toBe(`${step.args.join(' ')}: 0`)
    if (step.args.includes('runs/capitals')) run = step.args
  }
  const scores = (await readFile(join(cwd, 'runs/capitals/scores.jsonl'), 'utf8')).trim().split('\n')
  expect(scores.map(line => JSON.parse(line).metrics.answerF1)).toEqual([1, 0])

  await writeFile(join(cwd, 'capitals.tsv'), 'Norway\tOslo\n')
  const score = await tablehunt(['score', 'runs/capitals'], { cwd, env })
  expect(score).toMatchObject({ code: 2, stderr: expect.stringContaining('[tasks-changed]') })
  const resumed = await tablehunt(run, { cwd, env })
  expect(resumed).toMatchObject({ code: 2, stderr: expect.stringContaining('[different-run]') })
})
