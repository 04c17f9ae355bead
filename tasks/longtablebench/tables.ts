import { type ArmOptions, optionsText, settingLabel, withoutOptions } from '../../src/core/arm.ts'
import { type MeasuredCell, makeTable, type Table } from '../../src/core/table.ts'
import type { BenchmarkTables, TableAttempt, TableInput } from '../../src/core/table-layout.ts'
import { averageKnown, computeMean } from '../../src/score/statistics/clusters.ts'

/** An option of an arm, with the value of arms that do not name it. */
interface MatrixOption {
  readonly option: string
  readonly default: string
}

/** A block of columns, one for each value. Columns without any number are left out. */
interface MatrixBlock {
  readonly by: { readonly facet: string } | MatrixOption | { readonly setting: true }
  readonly values: readonly { readonly value: string; readonly head: string }[]
  /** The head of the column with the mean of the values' means. It is unknown when one of them is. */
  readonly mean?: string
  /** The head of the column with (maximum - minimum) / mean of the values' means. */
  readonly range?: string
}

/** A table with a row for each arm. A cell is the mean F1 over the answers with one value of a facet, an option or the setting. */
interface MatrixLayout {
  readonly id: string
  readonly title: string
  /** Uses only the attempts of these settings. */
  readonly settings?: readonly string[]
  /** Uses only the attempts of this length. */
  readonly tier?: string
  /** Adds a row for each value of an option. Otherwise, values of an option that is a dimension share a row. */
  readonly rowOption?: MatrixOption
  /** Puts rows of models that reason after rows of vanilla models, and adds a column with the group of each row. */
  readonly isGrouped?: true
  readonly blocks: readonly MatrixBlock[]
  /** Adds a column with the mean over all answers, and one with the mean over all tasks. */
  readonly hasTotals?: true
  readonly remark: string
}

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

const unit = 'Mean F1 in percent over answers; each question of a conversation is an answer.'

const table1: MatrixLayout = {
  id: 'ltb-table1',
  title: 'Tasks, formats and lengths (LongTableBench, Table 1)',
  settings: ['offline'],
  isGrouped: true,
  blocks: [byKind, byFormat, byLength],
  hasTotals: true,
  remark: `${unit} 'Avg. of tasks', 'of formats' and 'of lengths': mean of the columns before. The paper prints the mean of the lengths as the Avg. of its tasks. Range: (largest - smallest) / mean of the formats. 'All tasks': a conversation counts once. Group: from the reasoning tokens and options of the attempts, or --reasoning-models.`,
}

const table2: MatrixLayout = {
  id: 'ltb-table2',
  title: 'Systems, 32K (LongTableBench, Table 2)',
  tier: '32k',
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
  id: 'ltb-table3',
  title: 'With and without tables (LongTableBench, Table 3)',
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
  id: `ltb-table${4 + at}`,
  title: `Formats by task, ${head} (LongTableBench, Table ${4 + at})`,
  settings: ['offline'],
  tier: value,
  rowOption: format,
  blocks: [byKind],
  remark: `${unit} 'Avg. of tasks': mean of the six columns before.`,
}))

/** The attempts of a row, with what names it. */
interface MatrixRow {
  readonly model: string
  readonly label: string
  /** The value of `rowOption`; empty without one. */
  readonly rowValue: string
  readonly group: ReasoningGroup
  readonly attempts: readonly PlacedAttempt[]
}

interface PlacedAttempt extends TableAttempt {
  readonly setting: string
  readonly options: ArmOptions
}

function makeMatrixTable(layout: MatrixLayout, input: TableInput): Table[] {
  const { id, title, rowOption, isGrouped = false, hasTotals = false, blocks, remark } = layout
  const groups: readonly (ReasoningGroup | null)[] = isGrouped ? reasoningGroups : [null]
  const arms = makeMatrixRows(layout, input)
  const rows = groups.flatMap(group => arms.filter(row => group === null || row.group === group))
  const columns = [
    ...blocks.flatMap(makeBlockColumns),
    ...(hasTotals
      ? [makeMeanColumn('All answers', listF1Values), makeMeanColumn('All tasks', listTaskValues)]
      : []),
  ].filter(({ mean }) => rows.some(({ attempts }) => mean(attempts) !== null))
  if (rows.length === 0 || columns.length === 0) return []
  return [
    makeTable({
      id,
      title,
      rows,
      remarks: [remark],
      columns: column => [
        ...(isGrouped ? [column('group', 'text', ({ group }: MatrixRow) => group)] : []),
        column('model', 'model', ({ model }) => model),
        column('setting', 'text', ({ label }) => label),
        ...(rowOption === undefined
          ? []
          : [column(rowOption.option, 'text', ({ rowValue }: MatrixRow) => rowValue)]),
        ...columns.map(({ head, mean }) =>
          column(
            head,
            'mean',
            ({ attempts }: MatrixRow): MeasuredCell => ({ unit: 'share', mean: mean(attempts) }),
          ),
        ),
      ],
    }),
  ]
}

/** Makes a row of the attempts with the same model, setting and options, apart from those that are columns or rows of the table. */
function makeMatrixRows({ settings, tier, rowOption, blocks }: MatrixLayout, input: TableInput): MatrixRow[] {
  const isShown = ({ attempt, score }: TableAttempt): boolean =>
    score?.status === 'scored' &&
    (settings?.includes(attempt.setting) ?? true) &&
    (tier === undefined || attempt.facets?.tier === tier)
  const shownApart = [
    ...blocks.flatMap(({ by }) => ('option' in by ? [by] : [])),
    ...(rowOption === undefined ? [] : [rowOption]),
  ]
  const hasSettings = blocks.some(({ by }) => 'setting' in by)
  const rows = new Map<string, Omit<MatrixRow, 'group'> & { place: string; attempts: PlacedAttempt[] }>()
  for (const { setting, model, options, attempts } of input.arms) {
    const shownAttempts = attempts.filter(isShown).map(attempt => ({ ...attempt, setting, options }))
    if (shownAttempts.length === 0) continue
    const rest = { setting: hasSettings ? '' : setting, options: shownApart.reduce(withoutOption, options) }
    const rowValue = rowOption === undefined ? '' : readOptionValue(options, rowOption)
    const key = JSON.stringify([model, rest.setting, optionsText(rest.options), rowValue])
    const place = `${model} ${rest.setting}`
    const row = rows.get(key) ?? { model, place, label: settingLabel(rest).trim(), rowValue, attempts: [] }
    row.attempts.push(...shownAttempts)
    rows.set(key, row)
  }
  // The arms are in order, but without an option of theirs, rows with other options follow.
  const places = [...new Set([...rows.values()].map(({ place }) => place))]
  return [...rows.values()]
    .toSorted(
      (a, b) =>
        places.indexOf(a.place) - places.indexOf(b.place) ||
        (a.label < b.label ? -1 : Number(a.label > b.label)),
    )
    .map(row => ({ ...row, group: findReasoningGroup(row.attempts, input) }))
}

/** Removes an option. What follows a colon in its value, such as `published`, stays under its own name. */
function withoutOption(options: ArmOptions, { option }: MatrixOption): ArmOptions {
  const [, rest] = options[option]?.split(':') ?? []
  return { ...withoutOptions(options, [option]), ...(rest === undefined ? {} : { [option]: rest }) }
}

function readOptionValue(options: ArmOptions, { option, default: usual }: MatrixOption): string {
  return options[option]?.split(':')[0] ?? usual
}

function readBlockValue({ attempt, setting, options }: PlacedAttempt, { by }: MatrixBlock): string | null {
  if ('facet' in by) return attempt.facets?.[by.facet] ?? null
  return 'option' in by ? readOptionValue(options, by) : setting
}

interface MeanColumn {
  readonly head: string
  mean(attempts: readonly PlacedAttempt[]): number | null
}

const makeMeanColumn = (
  head: string,
  valuesIn: (attempts: readonly PlacedAttempt[]) => readonly number[],
): MeanColumn => ({ head, mean: attempts => averageKnown(valuesIn(attempts)) })

function makeBlockColumns(block: MatrixBlock): MeanColumn[] {
  const columns = block.values.map(({ value, head }) =>
    makeMeanColumn(head, attempts =>
      listF1Values(attempts.filter(attempt => readBlockValue(attempt, block) === value)),
    ),
  )
  const meanOfMeans = (attempts: readonly PlacedAttempt[]): number | null => {
    const means = columns.map(({ mean }) => mean(attempts))
    const numbers = means.filter(mean => mean !== null)
    return numbers.length < means.length ? null : computeMean(numbers)
  }
  const range = (attempts: readonly PlacedAttempt[]): number | null => {
    const mean = meanOfMeans(attempts)
    if (mean === null || mean === 0) return null
    const means = columns.map(column => column.mean(attempts) ?? 0)
    return (Math.max(...means) - Math.min(...means)) / mean
  }
  return [
    ...columns,
    ...(block.mean === undefined ? [] : [{ head: block.mean, mean: meanOfMeans }]),
    ...(block.range === undefined ? [] : [{ head: block.range, mean: range }]),
  ]
}

/** Returns the F1 of each answer. Each question of a conversation is an answer. */
function listF1Values(attempts: readonly PlacedAttempt[]): number[] {
  return attempts.flatMap(({ score }) => {
    const answers = score?.turns?.map(turn => turn.metrics) ?? [score?.metrics ?? {}]
    return answers.flatMap(({ longTableF1 }) => longTableF1 ?? [])
  })
}

function listTaskValues(attempts: readonly PlacedAttempt[]): number[] {
  const tasks = [...new Set(attempts.map(({ attempt }) => attempt.taskId))]
  return tasks.flatMap(
    task => averageKnown(listF1Values(attempts.filter(({ attempt }) => attempt.taskId === task))) ?? [],
  )
}

/** The groups of rows by reasoning, in the order of a table. */
const reasoningGroups = ['vanilla', 'reasoning', 'not known'] as const
type ReasoningGroup = (typeof reasoningGroups)[number]

/**
 * Returns the group of attempts of one arm. Reasoning tokens and options prove that a model reasons, whatever the user
 * says. Without them, the group is what the user says, or else `vanilla` when a provider reported 0 reasoning tokens.
 */
function findReasoningGroup(attempts: readonly PlacedAttempt[], { isReasoning }: TableInput): ReasoningGroup {
  const tokens = attempts.flatMap(({ attempt }) => attempt.usage.reasoningTokens ?? [])
  const efforts = attempts.flatMap(({ options }) => options['reasoning-effort'] ?? [])
  const isOn =
    efforts.some(effort => effort !== 'none') ||
    attempts.some(({ options }) => options['keep-reasoning'] === 'on')
  if (isOn || tokens.some(count => count > 0)) return 'reasoning'
  if (efforts.length > 0) return 'vanilla'
  if (isReasoning !== null)
    return attempts.some(({ attempt }) => isReasoning(attempt.model)) ? 'reasoning' : 'vanilla'
  return tokens.length > 0 ? 'vanilla' : 'not known'
}

/** The tables of the LongTableBench paper. */
export const longTableBenchTables: BenchmarkTables = {
  layouts: [],
  compareTables: input =>
    input.scorer === 'longtablebench'
      ? [table1, table2, table3, ...byTier].flatMap(layout => makeMatrixTable(layout, input))
      : [],
}
