import type { BenchmarkTables } from '../src/core/table-layout.ts'

export const longTableBenchTables: BenchmarkTables = { layouts: [] }
