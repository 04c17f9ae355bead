import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { compareFolders } from '../../src/run/compare-folders.ts'
import { exportRuns } from '../../src/run/export-runs.ts'
import { readManifest } from '../../src/run/records/run-folder.ts'
import { readReport } from '../../src/run/report-run.ts'
import { packageRoot } from '../../src/system/paths.ts'

/** A run with records of version 1, without the fields that later versions added. */
const older = join(packageRoot, 'tests', 'fixtures', 'run-version-1')

it('reads the manifest of version 1', async () => {
  expect(await readManifest(older)).toMatchObject({ source: 'run', recordVersion: 1 })
})

it('reports a run of version 1', async () => {
  const { report } = await readReport(older)
  expect(report.groups[0]).toMatchObject({ setting: 'offline', metrics: { cellF1: { mean: 0.75 } } })
})

it('compares a run of version 1', async () => {
  const comparison = await compareFolders([older, older], {})
  expect(JSON.stringify(comparison)).toContain('0.75')
})

it('exports a run of version 1', async () => {
  const to = await mkdtemp(join(tmpdir(), 'tablehunt-export-'))
  const { notices } = await exportRuns([older], { to, format: 'jsonl' })
  expect(notices).toEqual([expect.stringContaining('the tasks of 1 attempts are missing')])
  const rows = async (name: string) =>
    (await readFile(join(to, `${name}.jsonl`), 'utf8'))
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line) as Record<string, unknown>)
  expect(await rows('scores')).toMatchObject([
    { run: 'run-version-1', scorer: 'aoe', answered: true, success: false, 'metric.cellF1': 0.75 },
  ])
  expect(await rows('items')).toHaveLength(4)
  expect(await rows('calls')).toMatchObject([{ kind: 'model', failed: false }])
})
