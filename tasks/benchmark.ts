import type { BenchmarkTables } from '../src/core/table-layout.ts'
import type { LoadedTasks } from '../src/core/task.ts'
import type { SpreadsheetMapping } from './spreadsheet-mapping.ts'

/** A sheet's rows as a person reads them; rows without any value are left out. */
export interface Sheet {
  readonly name: string
  readonly rows: readonly { readonly number: number; readonly cells: readonly string[] }[]
}

/** What a benchmark may need besides the path. */
export interface LoadOptions {
  /** Option `spreadsheet` of the config file; null: not given. */
  readonly spreadsheet: SpreadsheetMapping | null
  /** Reads an Excel workbook. Throws Error for a damaged file. */
  readonly readWorkbook: (bytes: Uint8Array) => readonly Sheet[]
}

/** A benchmark: where its tasks come from. The file behind `load` is imported when it is asked for. */
export interface Benchmark {
  /** One line for help texts: what `--tasks` points at. */
  readonly summary: string
  /**
   * Reads the tasks at that path. Records that are not tasks come back as `skipped`.
   * Rejects with ConfigError when the path can't be read. `loadBenchmark` validates what it returns.
   */
  load(path: string, options: LoadOptions): Promise<LoadedTasks>
  /** The tables of its paper, as data. Absent: reports and comparisons have the general ones. */
  tables?(): Promise<BenchmarkTables>
}
