import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readRun } from '../../src/index.ts'
import { packageRoot } from '../../src/system/paths.ts'
import { tablehunt } from '../cli/cli.ts'
import { stepsOf } from './shell-blocks.ts'

const page = readFileSync(join(packageRoot, 'docs', 'scripted-models.md'), 'utf8')
const rowsOf = (text: string): string[] => [...text.matchAll(/^\| `(\w+)` \|/gm)].map(hit => hit[1]!)

it('runs as printed, with the scores that the page names', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'tablehunt-page-'))
  const env = { XDG_CACHE_HOME: join(cwd, 'cache') }
  for (const step of stepsOf(page)) {
    if (step.kind === 'folder') await mkdir(join(cwd, step.path))
    else if (step.kind === 'file') await writeFile(join(cwd, step.path), step.text)
    else {
      const { code, stderr } = await tablehunt(step.args, { cwd, env })
      expect(code, stderr).toBe(0)
    }
  }
  const { attempts, scores } = await readRun(join(cwd, 'runs', 'scripted'))
  expect(scores.map(score => [score.setting, score.metrics.cellF1])).toEqual([
    ['offline', 1],
    ['online', 0.5],
  ])
  expect(attempts.map(({ usage }) => usage.modelCalls)).toEqual([2, 2])
  expect(attempts[1]?.usage.searchCalls).toBe(1)
})

it('has a row for every field of a line and of a turn', async () => {
  const { patternSchema, turnSchema } = await import('../../src/models/scripted.ts')
  expect(rowsOf(page).sort()).toEqual(
    [...Object.keys(patternSchema.shape), ...Object.keys(turnSchema.shape)].sort(),
  )
})

it('says how an attempt ends when no line fits', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'tablehunt-page-'))
  for (const step of stepsOf(page)) {
    if (step.kind === 'folder') await mkdir(join(cwd, step.path))
    if (step.kind === 'file') await writeFile(join(cwd, step.path), step.text)
  }
  await writeFile(join(cwd, 'script.jsonl'), '{ "taskId": "other", "turns": [{ "text": "x" }] }')
  const args = ['run', '--tasks', 'tasks.jsonl', '--docs', 'documents', '--setting', 'offline']
  await tablehunt([...args, '--model', 'scripted:script.jsonl', '--out', 'run'], { cwd })
  const { attempts } = await readRun(join(cwd, 'run'))
  expect(attempts[0]?.termination).toMatchObject({
    ...{ cause: 'harness', reason: 'crash' },
    detail: expect.stringContaining('has no line for task hotels'),
  })
})
