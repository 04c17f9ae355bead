import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { expect, it } from 'vitest'
import type { ExportValue } from '../../../src/run/export/table.ts'
import { createCsvFile, createJsonlFile, createParquetFile } from '../../../src/run/export/table-files.ts'

const columns = [
  { name: '=text', type: 'text' },
  { name: 'count', type: 'integer' },
  { name: 'share', type: 'number' },
  { name: 'isRight', type: 'boolean' },
  { name: 'at', type: 'time' },
] as const
const hostile = '=1+1\0"\ud800\n'
const rows: ExportValue[][] = [
  [hostile, 3, 0.5, true, '2026-01-01T00:00:00.000Z'],
  ['', null, null, null, null],
  [null, 0, 0, false, null],
]

async function written(create: typeof createCsvFile, some: readonly ExportValue[][] = rows): Promise<string> {
  const path = join(await mkdtemp(join(tmpdir(), 'tablehunt-tables-')), 'table')
  const file = await create(path, columns)
  for (const row of some) await file.write(row)
  await file.close()
  return path
}

it('writes CSV that a spreadsheet reads as text, with NUL and broken UTF-16 replaced', async () => {
  expect(await readFile(await written(createCsvFile), 'utf8')).toBe(
    `'=text,count,share,isRight,at\n"'=1+1\ufffd""\ufffd\n",3,0.5,true,2026-01-01T00:00:00.000Z\n"",,,,\n,0,0,false,\n`,
  )
})

it('writes JSON lines with texts as recorded, and broken UTF-16 replaced', async () => {
  const lines = (await readFile(await written(createJsonlFile), 'utf8')).trimEnd().split('\n')
  expect(lines.map(line => JSON.parse(line) as unknown)).toEqual([
    {
      '=text': '=1+1\0"\ufffd\n',
      count: 3,
      share: 0.5,
      isRight: true,
      at: '2026-01-01T00:00:00.000Z',
    },
    { '=text': '', count: null, share: null, isRight: null, at: null },
    { '=text': null, count: 0, share: 0, isRight: false, at: null },
  ])
})

it('writes Parquet with types, missing values and texts as recorded', async () => {
  const file = await asyncBufferFromFile(await written(createParquetFile))
  expect(await parquetReadObjects({ file })).toEqual([
    { '=text': '=1+1\0"\ufffd\n', count: 3n, share: 0.5, isRight: true, at: new Date('2026-01-01') },
    { '=text': '', count: null, share: null, isRight: null, at: null },
    { '=text': null, count: 0n, share: 0, isRight: false, at: null },
  ])
})

it('writes long Parquet tables in several row groups, and empty ones with their columns', async () => {
  const long = Array.from({ length: 3 }, (): ExportValue[] => ['x'.repeat(2_500_000), 1, 1, true, null])
  const metadata = await parquetMetadataAsync(
    await asyncBufferFromFile(await written(createParquetFile, long)),
  )
  expect(metadata.row_groups.map(group => Number(group.num_rows))).toEqual([2, 1])
  const empty = await parquetMetadataAsync(await asyncBufferFromFile(await written(createParquetFile, [])))
  expect(empty.schema.map(({ name }) => name)).toEqual(['root', ...columns.map(({ name }) => name)])
})
