import { armName, hasOptions, isSameArm, withoutOptions } from '../../src/core/arm.ts'
import type { Attempt } from '../../src/core/attempt.ts'
import type { Score } from '../../src/core/score.ts'
import {
  column,
  type MeasuredCell,
  makeTable,
  type PartCell,
  type ReadColumn,
  type Table,
} from '../../src/core/table.ts'
import {
  type ArmsLayout,
  type BenchmarkTables,
  groupByName,
  type NamedAttempts,
  type TableArm,
  type TableAttempt,
  type TableInput,
} from '../../src/core/table-layout.ts'
import { computeRatioInterval } from '../../src/score/statistics/intervals.ts'

const nameSchema = ({ facets, domain }: Attempt): string => facets?.schema ?? domain

type AttemptWithScore = TableAttempt & { readonly score: Score }

const selectScored = (attempts: readonly TableAttempt[]): AttemptWithScore[] =>
  attempts.filter((attempt): attempt is AttemptWithScore => attempt.score?.status === 'scored')

const selectAnswered = (attempts: readonly AttemptWithScore[]): AttemptWithScore[] =>
  attempts.filter(({ score }) => score.answered)

function sumCounts(attempts: readonly AttemptWithScore[], count: string): number {
  return attempts.reduce((sum, { score }) => sum + (score.counts[count] ?? 0), 0)
}

const computeRatio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole)

/** The share of passed fields of all fields, with its interval over groups of tasks that share documents. */
function computePassInterval(attempts: readonly AttemptWithScore[], whole: string) {
  return computeRatioInterval(
    attempts.map(attempt => ({
      component: attempt.component,
      part: sumCounts([attempt], 'passedNodes'),
      whole: sumCounts([attempt], whole),
    })),
  )
}

interface SchemaRow extends NamedAttempts {
  readonly scored: readonly AttemptWithScore[]
  readonly failures: readonly string[]
}

/** The columns that name a row. */
const rowNames: readonly ReadColumn<SchemaRow>[] = [
  column('schema', 'text', ({ name }) => name),
  column('model', 'model', ({ arm }) => arm.model),
  column('setting', 'arm', ({ arm: { setting, options } }) => ({ setting, options })),
]

const makeCountColumn = (name: string, count: string, detail?: true): ReadColumn<SchemaRow> =>
  column(name, 'count', ({ scored }) => sumCounts(scored, count), detail === undefined ? {} : { detail })

const makeRatioColumn = (name: string, part: string, whole: readonly string[]): ReadColumn<SchemaRow> =>
  column(name, 'share', ({ scored }) =>
    computeRatio(
      sumCounts(scored, part),
      whole.reduce((sum, count) => sum + sumCounts(scored, count), 0),
    ),
  )

/** Makes the tables of `report`. They pool all attempts. The denominators include the fields of invalid answers. */
function makeTablesBySchema({ scorer, arms }: TableInput): Table[] {
  if (scorer !== 'extract-bench') return []
  const rows = groupByName(arms, nameSchema).map((group): SchemaRow => {
    const scored = selectScored(group.attempts)
    return { ...group, scored, failures: scored.flatMap(({ score }) => score.extract?.failure ?? []) }
  })
  return [makeExtractionTable(rows), makeInvalidTable(rows.filter(({ failures }) => failures.length > 0))]
}

function makeExtractionTable(rows: readonly SchemaRow[]): Table {
  const unscored = rows
    .filter(({ name }) => name === 'all')
    .reduce((sum, { scored }) => sum + sumCounts(scored, 'unscoredNodes'), 0)
  return makeTable({
    title: 'Extraction by schema',
    rows,
    columns: column => [
      ...rowNames,
      column('n', 'count', ({ attempts }) => attempts.length),
      column('scored', 'count', ({ scored }) => scored.length),
      column('answered', 'share', ({ scored }) => computeRatio(selectAnswered(scored).length, scored.length)),
      column(
        'pass',
        'interval',
        ({ scored }): MeasuredCell => {
          const { mean = null, low = null, high = null } = computePassInterval(scored, 'nodes') ?? {}
          return { unit: 'share', mean, low, high }
        },
        { head: 'pass [95%]' },
      ),
      column('groups', 'count', ({ scored }) => computePassInterval(scored, 'nodes')?.components ?? 0),
      column('acc (answered)', 'share', ({ scored }) => {
        const answered = selectAnswered(scored)
        return computeRatio(sumCounts(answered, 'passedNodes'), sumCounts(answered, 'nodes'))
      }),
      makeRatioColumn('of keys', 'passedNodes', ['schemaKeys']),
      makeCountColumn('omitted', 'omissions'),
      makeCountColumn('invented', 'hallucinations'),
      makeCountColumn('wrong', 'wrongValues'),
      // Precision counts spurious items, which the published score leaves out.
      makeRatioColumn('items P', 'matchedItems', ['matchedItems', 'spuriousItems']),
      makeRatioColumn('items R', 'matchedItems', ['matchedItems', 'missedItems']),
      makeCountColumn('fields', 'nodes', true),
      makeCountColumn('passed fields', 'passedNodes', true),
      makeCountColumn('keys', 'schemaKeys', true),
      makeCountColumn('items matched', 'matchedItems', true),
      makeCountColumn('items missed', 'missedItems', true),
      makeCountColumn('items spurious', 'spuriousItems', true),
      makeCountColumn('unscored fields', 'unscoredNodes', true),
    ],
    remarks: [
      "Percent of the fields that the published package scores. Attempts are pooled, and those without JSON that fits the schema count with all their fields; 'acc (answered)' leaves them out. 'of keys' divides by the schema's keys, as the paper does.",
      "The other columns are not in the paper. 'omitted': fields that the gold has and the answer lacks; 'invented': the reverse; 'wrong': both have a value, and they differ. 'items P' and 'items R': precision and recall of list items.",
      ...(unscored === 0 ? [] : [`${unscored} fields have no score: the judge failed on them.`]),
    ],
  })
}

function makeInvalidTable(rows: readonly SchemaRow[]): Table {
  return makeTable({
    title: 'Invalid output by failure',
    rows,
    columns: column => [
      ...rowNames,
      column('invalid', 'count', row => row.failures.length),
      ...[...new Set(rows.flatMap(row => row.failures))]
        .sort()
        .map(failure => column(failure, 'count', (row: SchemaRow) => countName(row.failures, failure))),
    ],
    remarks: [failuresRemark],
  })
}

const failuresRemark = 'Attempts. schema-mismatch: JSON that the published package refuses by the schema.'

const countName = (names: readonly string[], name: string): number =>
  names.filter(candidate => candidate === name).length

const howToRead =
  "Passed fields of all fields, over all scored attempts; valid: attempts whose answer is JSON of the schema. An attempt that is not valid passes no field. 'of valid' leaves such attempts out. Brackets: 95% interval over groups of tasks that share documents."

/** An arm, or all arms, with its scored attempts. */
interface PassRow {
  readonly arm: Omit<TableArm, 'attempts'>
  readonly scored: readonly AttemptWithScore[]
}

/** Compares the passed fields of arms by schema. The paper divides by the keys of the schema, of which the published package scores a part. */
function makePassTable(
  rows: readonly PassRow[],
  whole: 'nodes' | 'schemaKeys',
  { id, title, remark }: { readonly id: string; readonly title: string; readonly remark: string },
): Table {
  const attempts = rows.flatMap(({ scored }) => scored)
  const schemas = [...new Set(attempts.map(({ attempt }) => nameSchema(attempt)))].sort()
  const passed = (attempts: readonly AttemptWithScore[]): PartCell => ({
    part: sumCounts(attempts, 'passedNodes'),
    whole: sumCounts(attempts, whole),
  })
  return makeTable({
    id,
    title,
    rows,
    columns: column => [
      column('model', 'model', ({ arm }) => arm.model),
      column('setting', 'arm', ({ arm: { setting, options } }) => ({ setting, options })),
      column('valid', 'parts', ({ scored }) => ({
        part: selectAnswered(scored).length,
        whole: scored.length,
      })),
      ...schemas.map(schema =>
        column(schema, 'parts', ({ scored }: PassRow) =>
          passed(scored.filter(({ attempt }) => nameSchema(attempt) === schema)),
        ),
      ),
      column('all', 'parts', ({ scored }) => {
        const { low = null, high = null } = computePassInterval(scored, whole) ?? {}
        return { ...passed(scored), low, high }
      }),
      column('of valid', 'parts', ({ scored }) => passed(selectAnswered(scored))),
    ],
    remarks: [`${howToRead} ${remark}`],
  })
}

/** Makes the tables of `compare` that pool attempts. */
function makeTablesByModel({ scorer, arms, shortModel }: TableInput): Table[] {
  if (scorer !== 'extract-bench') return []
  const rows = arms
    .map(({ attempts, ...arm }): PassRow => ({ arm, scored: selectScored(attempts) }))
    .filter(({ scored }) => scored.length > 0)
  const allArms: PassRow = {
    arm: { model: '', setting: 'all arms', options: {} },
    scored: rows.flatMap(({ scored }) => scored),
  }
  const withAll = rows.length > 1 ? [...rows, allArms] : rows
  const structured = rows.flatMap(row => {
    if (!hasOptions(row.arm, { 'structured-output': 'on' })) return []
    const plain = { ...row.arm, options: withoutOptions(row.arm.options, ['structured-output']) }
    const without = rows.find(({ arm }) => isSameArm(arm, plain))
    return without === undefined ? [] : [without, row]
  })
  const tables = [
    makePassTable(withAll, 'schemaKeys', {
      id: 'table5',
      title: 'Passed keys by schema (Table 5)',
      remark:
        'Fields are the keys of the schema, as in the paper. The published package scores fewer, so that a perfect answer does not reach 100%.',
    }),
    makePassTable(withAll, 'nodes', {
      id: 'table5-fields',
      title: 'Passed fields by schema (Table 5 over the scored fields)',
      remark: 'Fields are those that the published package scores.',
    }),
    makeFailureTable(rows, shortModel),
    makePassTable(structured, 'schemaKeys', {
      id: 'table8',
      title: 'Structured output against prompt (Table 8)',
      remark:
        'Each arm with --structured-output on follows the same arm without it. The table of differences has their intervals.',
    }),
  ]
  return tables.filter(table => table.rows.length > 0)
}

/** Counts the failures of invalid answers, the most frequent first, with a column for each arm. */
function makeFailureTable(rows: readonly PassRow[], shortModel: TableInput['shortModel']): Table {
  const failures = rows.map(({ scored }) => scored.flatMap(({ score }) => score.extract?.failure ?? []))
  const names = [...new Set(failures.flat())].toSorted(
    (a, b) => countName(failures.flat(), b) - countName(failures.flat(), a),
  )
  return makeTable({
    id: 'table7',
    title: 'Invalid answers by failure (Table 7)',
    rows: names.length === 0 ? [] : [...names, 'all'],
    columns: column => [
      column('failure', 'text', name => name),
      ...rows.map(({ arm }, at) =>
        column(armName({ ...arm, model: shortModel(arm.model) }), 'count', (name: string) =>
          name === 'all' ? failures[at]!.length : countName(failures[at]!, name),
        ),
      ),
    ],
    remarks: [failuresRemark],
  })
}

const columns = ['answered', 'fieldPassRate']

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
  layouts: comparisons,
  reportTables: makeTablesBySchema,
  compareTables: makeTablesByModel,
}
