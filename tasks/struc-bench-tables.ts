import type { BenchmarkTables } from '../src/core/table-layout.ts'

/** The tables of the Struc-Bench paper. */
export const strucBenchTables: BenchmarkTables = {
  layouts: [
    {
      kind: 'arms',
      id: 'struc-bench-table2',
      title: 'Content and format by form of the table',
      source: 'Struc-Bench, Table 2',
      by: 'format',
      rows: { kind: 'arms' },
      columns: [
        { head: 'H content', metric: 'strucBenchContent' },
        { head: 'H format', metric: 'strucBenchFormat' },
        { head: 'P content', metric: 'pScoreContent' },
        { head: 'P structure', metric: 'pScoreStructure' },
      ],
      remark:
        'The published sums have different ranges by form: text 2 and 4, HTML 2 and 3, LaTeX 3 and 4 (at most 3 for a gold without a position). They cannot be compared between forms.',
    },
  ],
}
