import { type ColumnSource, fileWriter, ParquetWriter, schemaFromColumnData } from 'hyparquet-writer'
import { wellFormed } from '../../text/plain-text.ts'
import type { CellValue, ColumnType, OpenTable } from './table.ts'
import type { TableFile } from './table-file.ts'

/** A row group is written when it has so many rows, or texts of so many characters. */
const groupRows = 50_000
const groupChars = 4_000_000

const parquetTypes = {
  text: 'STRING',
  json: 'STRING',
  integer: 'INT64',
  number: 'DOUBLE',
  boolean: 'BOOLEAN',
  time: 'TIMESTAMP',
} as const satisfies Record<ColumnType, string>

type ParquetValue = string | number | bigint | boolean | Date | null

/** Creates a Parquet file. Only one row group of it is in memory. */
export function createParquetFile(path: string, columns: OpenTable['columns']): Promise<TableFile> {
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: schemaFromColumnData({ columnData: columnData(columns, []) }),
    createdBy: 'tablehunt',
  })
  let rows: (readonly CellValue[])[] = []
  let chars = 0
  const flush = async (): Promise<void> => {
    if (rows.length > 0)
      await writer.write({ columnData: columnData(columns, rows), rowGroupSize: rows.length })
    rows = []
    chars = 0
  }
  return Promise.resolve({
    async write(row) {
      rows.push(row)
      for (const value of row) if (typeof value === 'string') chars += value.length
      if (rows.length >= groupRows || chars >= groupChars) await flush()
    },
    async close() {
      await flush()
      await writer.finish()
    },
  })
}

function columnData(columns: OpenTable['columns'], rows: readonly (readonly CellValue[])[]): ColumnSource[] {
  return columns.map(({ name, type }, at) => ({
    name,
    type: parquetTypes[type],
    data: rows.map(row => parquetValue(type, row[at] ?? null)),
  }))
}

function parquetValue(type: ColumnType, value: CellValue): ParquetValue {
  if (value === null) return null
  if (type === 'integer') return BigInt(value)
  if (type === 'time') {
    const time = new Date(String(value))
    return Number.isNaN(time.getTime()) ? null : time
  }
  return typeof value === 'string' ? wellFormed(value) : value
}
