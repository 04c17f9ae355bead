import { cp, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { exportTables } from '../../../src/run/export/write-tables.ts'
import { exportRuns } from '../../../src/run/export-runs.ts'
import { packageRoot } from '../../../src/system/paths.ts'
import { readWrittenCsv } from '../../../src/text/csv.ts'

const kept = join(packageRoot, 'tests', 'fixtures', 'kept-run')
const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'tablehunt-export-'))

it('writes one file for each table, and the rows of several runs under their names', async () => {
  const base = await newFolder()
  await cp(kept, join(base, 'second'), { recursive: true })
  const to = join(base, 'tables')
  const { files } = await exportRuns([kept, join(base, 'second')], { to, format: 'csv' })
  expect((await readdir(to)).sort()).toEqual(exportTables.map(({ name }) => `${name}.csv`).sort())
  expect(files.find(({ path }) => path.endsWith('items.csv'))?.rows).toBe(8)
  const lines = (await readFile(join(to, 'terminations.csv'), 'utf8')).trimEnd().split('\n')
  expect(lines.slice(1).map(line => line.split(',')[0])).toEqual(['kept-run', 'second'])
})

it('writes nothing into a folder that is not empty', async () => {
  const to = await newFolder()
  await writeFile(join(to, 'mine.csv'), 'x')
  await expect(exportRuns([kept], { to, format: 'csv' })).rejects.toMatchObject({
    code: 'folder-not-empty',
    message: expect.stringMatching(/--to .*not empty\. Name a new or empty folder/),
  })
  expect(await readdir(to)).toEqual(['mine.csv'])
})

it('refuses a folder without a run, and a run that is named twice', async () => {
  const to = await newFolder()
  await expect(exportRuns([to], { to, format: 'csv' })).rejects.toMatchObject({ code: 'not-a-run' })
  await expect(exportRuns([kept, `${kept}/`], { to, format: 'csv' })).rejects.toMatchObject({
    code: 'run-twice',
  })
})

it('gives every column of a table its own name and a description', () => {
  for (const { columns } of exportTables) {
    expect(new Set(columns.map(({ name }) => name)).size).toBe(columns.length)
    for (const { description } of columns) expect(description).toMatch(/\.$/)
  }
})

it('writes JSON into no cell twice', async () => {
  const to = await newFolder()
  await exportRuns([kept], { to, format: 'csv' })
  for (const { name, columns } of exportTables) {
    const [header = [], ...rows] = readWrittenCsv(await readFile(join(to, `${name}.csv`), 'utf8'))
    for (const { name: column } of columns.filter(({ type }) => type === 'json'))
      for (const row of rows) {
        const cell = row[header.indexOf(column)]!
        if (cell !== '') expect(JSON.parse(cell), `${name}.${column}`).not.toBeTypeOf('string')
      }
  }
})
