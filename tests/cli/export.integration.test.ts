import { mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { exportTables } from '../../src/run/export/write-tables.ts'
import { packageRoot } from '../../src/system/paths.ts'
import { tablehunt } from './cli.ts'

const kept = join(packageRoot, 'tests', 'fixtures', 'kept-run')
const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'tablehunt-export-'))

it.each(['parquet', 'csv', 'jsonl'])(
  'writes every table as %s and prints its path and rows',
  async format => {
    const to = join(await newFolder(), 'tables')
    const { code, stdout } = await tablehunt(['export', kept, '--to', to, '--format', format])
    expect(code).toBe(0)
    const names = exportTables.map(({ name }) => `${name}.${format}`)
    expect((await readdir(to)).sort()).toEqual(names.toSorted())
    expect(stdout).toContain(`${join(to, `scores.${format}`)}  1 rows\n`)
  },
)

it('ends with exit code 2 for a folder that is not empty, an unknown run and an unknown format', async () => {
  const to = await newFolder()
  await writeFile(join(to, 'mine.csv'), 'x')
  const full = await tablehunt(['export', kept, '--to', to])
  expect(full).toMatchObject({ code: 2, stderr: expect.stringContaining('[folder-not-empty]') })
  const unknown = await tablehunt(['export', join(to, 'none'), '--to', join(to, 'tables')])
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('[not-a-run]') })
  const format = await tablehunt(['export', kept, '--to', join(to, 'tables'), '--format', 'xlsx'])
  expect(format).toMatchObject({ code: 2, stderr: expect.stringContaining('--format') })
  expect(await readdir(to)).toEqual(['mine.csv'])
})
