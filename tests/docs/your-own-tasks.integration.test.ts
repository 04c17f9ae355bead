import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { packageRoot } from '../../src/system/paths.ts'
import { spreadsheetMappingSchema } from '../../tasks/spreadsheet/mapping.ts'
import { tablehunt } from '../cli/cli.ts'
import { stepsOf } from './shell-blocks.ts'

const readPage = (name: string): string => readFileSync(join(packageRoot, 'docs', name), 'utf8')
const page = readPage('your-own-tasks.md')

it('runs as printed, from an empty folder to two runs with the printed figure', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'tablehunt-page-'))
  const env = { XDG_CACHE_HOME: join(cwd, 'cache') }
  for (const step of stepsOf(page)) {
    if (step.kind === 'folder') await mkdir(join(cwd, step.path))
    else if (step.kind === 'file') await writeFile(join(cwd, step.path), step.text)
    else {
      const { code, stdout, stderr } = await tablehunt(step.args, { cwd, env })
      expect(`${step.args.join(' ')}: ${code}${code === 0 ? '' : stderr}`).toBe(`${step.args.join(' ')}: 0`)
      if (step.output !== null) expect(stdout).toBe(step.output)
    }
  }
  for (const run of ['first', 'sheet']) {
    const [score] = (await readFile(join(cwd, 'runs', run, 'scores.jsonl'), 'utf8')).split('\n')
    expect(JSON.parse(score!).metrics.cellF1).toBe(0.75)
  }
})

it('explains every field of the mapping', () => {
  const rows = [...readPage('task-files.md').matchAll(/^\| `([\w-]+)` \|/gm)].map(hit => hit[1])
  expect(rows).toEqual(expect.arrayContaining(Object.keys(spreadsheetMappingSchema.shape)))
})
