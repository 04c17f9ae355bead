import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readLargeReportNote } from '../../src/run/report-run.ts'

it('says that a report over 25 MB is large, and what makes it smaller', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-large-'))
  const file = join(folder, 'report.html')
  await writeFile(file, '')
  await truncate(file, 25_000_000)
  expect(await readLargeReportNote(file, { folder, isSplit: false })).toBeNull()
  await truncate(file, 31_000_000)
  const whole = await readLargeReportNote(file, { folder, isSplit: false })
  expect(whole).toContain(`${file} has 31 MB, more than 25 MB`)
  expect(whole).toContain(`'tablehunt report ${folder} --split'`)
  expect(await readLargeReportNote(file, { folder, isSplit: true })).toContain(`'tablehunt view ${folder}'`)
  await rm(folder, { recursive: true })
})
