import type { BenchmarkTables, MatrixBlock, MatrixLayout } from '../../src/core/table-layout.ts'

const paper = 'LongTableBench'
const format = { option: 'table-format', default: 'markdown' }

const kinds = ['EM', 'BCF', 'FCM', 'FR', 'EKF', 'INI']
const byKind: MatrixBlock = {
  by: { facet: 'task' },
  values: kinds.map(kind => ({ value: kind, head: kind })),
  mean: 'Avg. of tasks',
}
const byFormat: MatrixBlock = {
  by: format,
  values: [
    { value: 'markdown', head: 'MD' },
    { value: 'html', head: 'HTML' },
    { value: 'json', head: 'JSON' },
    { value: 'sql', head: 'SQL' },
    { value: 'xml', head: 'XML' },
    { value: 'latex', head: 'LaTeX' },
    { value: 'csv', head: 'CSV' },
  ],
  mean: 'Avg. of formats',
  range: 'Range',
}
const byLength: MatrixBlock = {
  by: { facet: 'tier' },
  values: [
    { value: '8k', head: '8K' },
    { value: '32k', head: '32K' },
    { value: 'inf', head: '128K' },
  ],
  mean: 'Avg. of lengths',
}

const common = { kind: 'matrix', scorers: ['longtablebench'], metric: 'longTableF1' } as const
const unit = 'Mean F1 in percent over answers; each question of a conversation is an answer.'

const table1: MatrixLayout = {
  ...common,
  id: 'ltb-table1',
  title: 'Tasks, formats and lengths (LongTableBench, Table 1)',
  source: `${paper}, Table 1`,
  settings: ['offline'],
  groupRows: 'reasoning',
  blocks: [byKind, byFormat, byLength],
  totals: { answers: 'All answers', tasks: 'All tasks' },
  remark: `${unit} 'Avg. of tasks', 'of formats' and 'of lengths': mean of the columns before. The paper prints the mean of the lengths as the Avg. of its tasks. Range: (largest - smallest) / mean of the formats. 'All tasks': a conversation counts once.`,
}

const table2: MatrixLayout = {
  ...common,
  id: 'ltb-table2',
  title: 'Systems, 32K (LongTableBench, Table 2)',
  source: `${paper}, Table 2`,
  only: { facet: 'tier', value: '32k' },
  blocks: [
    {
      by: { setting: true },
      values: [
        { value: 'rag', head: 'RAG' },
        { value: 'table-rag', head: 'Table RAG' },
        { value: 'text-to-sql', head: 'Text-to-SQL' },
        { value: 'offline', head: 'End-to-end' },
      ],
    },
  ],
  remark: `${unit} The systems are Tablehunt's own: the paper does not give its settings.`,
}

const table3: MatrixLayout = {
  ...common,
  id: 'ltb-table3',
  title: 'With and without tables (LongTableBench, Table 3)',
  source: `${paper}, Table 3`,
  settings: ['offline', 'closed-book'],
  blocks: [
    {
      by: { setting: true },
      values: [
        { value: 'offline', head: 'with tables' },
        { value: 'closed-book', head: 'without tables' },
      ],
    },
  ],
  remark: `${unit} Without tables: the setting closed-book.`,
}

/** Tables 4 to 6: a table for each length, with a row for each format. */
const byTier: readonly MatrixLayout[] = byLength.values.map(({ value, head }, at) => ({
  ...common,
  id: `ltb-table${4 + at}`,
  title: `Formats by task, ${head} (LongTableBench, Table ${4 + at})`,
  source: `${paper}, Table ${4 + at}`,
  settings: ['offline'],
  only: { facet: 'tier', value },
  rowOption: format,
  blocks: [byKind],
  remark: `${unit} 'Avg. of tasks': mean of the six columns before.`,
}))

/** The tables of the LongTableBench paper. */
export const longTableBenchTables: BenchmarkTables = {
  layouts: [table1, table2, table3, ...byTier],
}
