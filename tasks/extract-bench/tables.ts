import type {
  ArmsLayout,
  BenchmarkTables,
  PooledLayout,
  SharesLayout,
  TallyLayout,
} from '../../src/core/table-layout.ts'

const paper = 'ExtractBench'

/** Pools all attempts. The denominators include the fields of invalid answers. */
const bySchema: PooledLayout = {
  kind: 'pooled',
  id: 'extraction',
  scorers: ['extract-bench'],
  by: 'schema',
  values: [
    { key: 'valid', kind: 'answered' },
    { key: 'validRate', kind: 'answered-share' },
    { key: 'failures', kind: 'tally', of: ({ extract }) => extract?.failure ?? null },
    { key: 'fields', kind: 'sum', count: 'nodes' },
    { key: 'passedFields', kind: 'sum', count: 'passedNodes' },
    { key: 'passRate', kind: 'ratio', part: 'passedNodes', whole: ['nodes'], interval: true },
    { key: 'accuracyOfValid', kind: 'ratio', part: 'passedNodes', whole: ['nodes'], among: 'answered' },
    { key: 'keys', kind: 'sum', count: 'schemaKeys' },
    { key: 'passRateOfKeys', kind: 'ratio', part: 'passedNodes', whole: ['schemaKeys'] },
    { key: 'omissions', kind: 'sum', count: 'omissions' },
    { key: 'hallucinations', kind: 'sum', count: 'hallucinations' },
    { key: 'wrongValues', kind: 'sum', count: 'wrongValues' },
    // Precision counts spurious items, which the published score leaves out.
    { key: 'items.matched', kind: 'sum', count: 'matchedItems' },
    { key: 'items.missed', kind: 'sum', count: 'missedItems' },
    { key: 'items.spurious', kind: 'sum', count: 'spuriousItems' },
    { key: 'items.precision', kind: 'ratio', part: 'matchedItems', whole: ['matchedItems', 'spuriousItems'] },
    { key: 'items.recall', kind: 'ratio', part: 'matchedItems', whole: ['matchedItems', 'missedItems'] },
    { key: 'unscoredFields', kind: 'sum', count: 'unscoredNodes' },
  ],
  tables: [
    {
      title: 'Extraction by schema',
      source: `${paper}, Table 5`,
      columns: [
        { head: 'n', key: 'n' },
        { head: 'scored', key: 'scored' },
        { head: 'answered', key: 'validRate' },
        { head: 'pass [95%]', key: 'passRate' },
        { head: 'acc (answered)', key: 'accuracyOfValid' },
        { head: 'of keys', key: 'passRateOfKeys' },
        { head: 'omitted', key: 'omissions' },
        { head: 'invented', key: 'hallucinations' },
        { head: 'wrong', key: 'wrongValues' },
        { head: 'items P', key: 'items.precision' },
        { head: 'items R', key: 'items.recall' },
      ],
      remarks: [
        "Percent of the fields that the published package scores. Attempts are pooled, and those without JSON that fits the schema count with all their fields; 'acc (answered)' leaves them out. 'of keys' divides by the schema's keys, as the paper does.",
        "The other columns are not in the paper. 'omitted': fields that the gold has and the answer lacks; 'invented': the reverse; 'wrong': both have a value, and they differ. 'items P' and 'items R': precision and recall of list items.",
        { key: 'unscoredFields', text: '{n} fields have no score: the judge failed on them.' },
      ],
    },
    {
      title: 'Invalid output by failure',
      source: `${paper}, Table 7`,
      only: 'failures',
      columns: [{ head: 'invalid', tally: 'failures' }],
      remarks: ['Attempts. schema-mismatch: JSON that the published package refuses by the schema.'],
    },
  ],
}

const byModel = { kind: 'shares', scorers: ['extract-bench'], by: 'schema', part: 'passedNodes' } as const
const howToRead =
  "Passed fields of all fields, over all scored attempts; valid: attempts whose answer is JSON of the schema. An attempt that is not valid passes no field. 'of valid' leaves such attempts out. Brackets: 95% interval over groups of tasks that share documents."

/** Compares models and arms. The paper divides by the keys of the schema, of which the published package scores a part. */
const models: readonly (SharesLayout | TallyLayout)[] = [
  {
    ...byModel,
    id: 'table5',
    title: 'Passed keys by schema (Table 5)',
    source: `${paper}, Table 5`,
    whole: 'schemaKeys',
    remark: `${howToRead} Fields are the keys of the schema, as in the paper. The published package scores fewer, so that a perfect answer does not reach 100%.`,
  },
  {
    ...byModel,
    id: 'table5-fields',
    title: 'Passed fields by schema (Table 5 over the scored fields)',
    source: `${paper}, Table 5`,
    whole: 'nodes',
    remark: `${howToRead} Fields are those that the published package scores.`,
  },
  {
    kind: 'tally',
    id: 'table7',
    title: 'Invalid answers by failure (Table 7)',
    source: `${paper}, Table 7`,
    scorers: ['extract-bench'],
    of: ({ extract }) => extract?.failure ?? null,
    remark: 'Attempts. schema-mismatch: JSON that the published package refuses by the schema.',
  },
  {
    ...byModel,
    id: 'table8',
    title: 'Structured output against prompt (Table 8)',
    source: `${paper}, Table 8`,
    whole: 'schemaKeys',
    option: { 'structured-output': 'on' },
    remark: `${howToRead} Each arm with --structured-output on follows the same arm without it. The table of differences has their intervals.`,
  },
]

const columns = [
  { head: 'pass rate', metric: 'answered' },
  { head: 'fields passed', metric: 'fieldPassRate' },
]

/** Compares the settings, in the layouts of `compare`. */
const comparisons: readonly ArmsLayout[] = [
  {
    kind: 'arms',
    id: 'settings',
    title: 'Settings by domain',
    source: '',
    rows: { kind: 'arms' },
    columns,
  },
  {
    kind: 'arms',
    id: 'rag',
    title: 'Offline against RAG',
    source: '',
    rows: { kind: 'settings', base: 'offline', compared: 'rag', arrowsAbove: 2 },
    columns,
    remark: 'Arrows: a change of more than 2 points against offline, over the tasks scored in both.',
  },
  {
    kind: 'arms',
    id: 'cot',
    title: 'Chain of thought off and on',
    source: '',
    rows: { kind: 'option', option: { cot: 'off' }, label: 'with chain of thought', arrowsAbove: 0 },
    columns,
    remark: 'Arrows: any change against off, over the tasks scored in both.',
  },
  {
    kind: 'arms',
    id: 'task-types',
    title: 'Settings by task type',
    source: '',
    by: 'taskType',
    rows: { kind: 'arms' },
    columns,
  },
]

/** The tables of the ExtractBench paper, and comparisons of the settings. */
export const extractBenchTables: BenchmarkTables = {
  layouts: [bySchema, ...models, ...comparisons],
}
