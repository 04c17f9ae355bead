import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { PageData } from '../../src/report/page/page-data.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'
import { tablehunt } from './cli.ts'

it("score prints the new scorer first, while report.html keeps leading with the run's own scorer", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-score-page-'))
  const run = join(folder, 'run')
  const { tasks, documents } = demoPaths
  const what = ['--tasks', tasks, '--docs', documents, '--setting', 'offline', '--limit', '2']
  await tablehunt(['run', ...what, '--out', run, '--cache', join(folder, 'cache')])
  const { code, stdout } = await tablehunt(['score', run, '--scorer', 'strict', '--judge', 'rules'])
  expect(code).toBe(0)
  expect(stdout).toMatch(/scorer strict/)
  const html = await readFile(join(run, 'report.html'), 'utf8')
  const page = JSON.parse(/id="page-data">(.*)<\/script>/.exec(html)?.[1] ?? 'null') as PageData
  expect(page.scoring).toBe('scorer aoe, judge rules')
  expect(page.results).toHaveLength(1)
  expect(page.metrics[0]?.key).toBe('cellF1')
  await rm(folder, { recursive: true })
})
