import { type BenchmarkRoom, defineBenchmark } from '../benchmark.ts'

/** The benchmark for your own tasks with true values in a spreadsheet. */
const spreadsheet = defineBenchmark({
  summary:
    'a CSV or Excel file of true values; option `spreadsheet` of the config file says what its columns are',
  inputs: async path => [path],
  tables: async () => (await import('../aoe/tables.ts')).aoeTables,
  load: async (path, options) => (await import('./load.ts')).loadSpreadsheet(path, options),
})

/** The room of spreadsheets. */
export const spreadsheetRoom: BenchmarkRoom = { benchmarks: { spreadsheet } }
