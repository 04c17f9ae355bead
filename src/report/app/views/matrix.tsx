import { useMemo, useRef, useState } from 'preact/hooks'
import type { MetricDefinition } from '../../../core/metric.ts'
import { averageKnown } from '../../../score/statistics/clusters.ts'
import { rightFrom } from '../../model/metrics.ts'
import { attemptFlags, findAttemptBounds, type PageData } from '../../page/page-data.ts'
import { formatMetric, meanText } from '../../tables/value-text.ts'
import { formatAddress } from '../address.ts'
import {
  arrangeMatrix,
  arrangeRows,
  type MatrixCell,
  type MatrixColumn,
  type MatrixFilter,
  type MatrixGroup,
  type MatrixRows,
  noMatrixFilter,
  passesFilter,
  type ShownRow,
} from '../matrix-cells.ts'
import type { SortOrder } from '../sort-order.ts'
import { LongRows, mostRows } from './long-rows.tsx'
import { Choice, ScrollBox, SearchField, SortHead } from './parts.tsx'

const runOrder: SortOrder<MatrixColumn> = { column: 'run', isDown: false }

/** Tasks down, arms across, each cell coloured by a metric. A click opens the task. */
export function Matrix({ data }: { readonly data: PageData }) {
  const [filter, setFilter] = useState(noMatrixFilter)
  const [order, setOrder] = useState(runOrder)
  const [group, setGroup] = useState<MatrixGroup>('none')
  const [key, setKey] = useState(data.metrics[0]?.key ?? '')
  const metric = data.metrics.find(candidate => candidate.key === key)
  const rows = useMemo(() => (metric === undefined ? [] : arrangeMatrix(data, metric)), [data, metric])
  const matchingTasks = useMemo(
    () => rows.map((_, at) => at).filter(at => passesFilter(rows[at] ?? [], joinTaskWords(data, at), filter)),
    [data, rows, filter],
  )
  const shown = useMemo(
    () => arrangeRows(data, rows, matchingTasks, { order, group }),
    [data, rows, matchingTasks, order, group],
  )
  if (metric === undefined) return <p>No attempt has a score.</p>
  return (
    <>
      <search class="filters" aria-label="filter tasks">
        <FilterFields data={data} filter={filter} onChange={setFilter} />
        <Choice
          name="metric"
          value={key}
          options={data.metrics.map(option => [option.key, option.label])}
          onChange={setKey}
        />
        <Choice
          name="group by"
          value={group}
          options={[
            ['none', 'nothing'],
            ['domain', data.facet],
            ['outcome', 'outcome'],
          ]}
          onChange={choice => setGroup(choice)}
        />
        <button
          type="button"
          class="plain"
          onClick={() => {
            setFilter(noMatrixFilter)
            setOrder(runOrder)
            setGroup('none')
          }}
        >
          show all
        </button>
        <span class="count" id="task-count" role="status">
          {matchingTasks.length} of {data.tasks.length} tasks
        </span>
      </search>
      <MatrixTable
        data={data}
        metric={metric}
        shown={shown}
        matchingTasks={matchingTasks}
        rows={rows}
        order={order}
        onSort={setOrder}
      />
      <p class="remark">
        {metric.label}: {metric.description} Right: at least {formatMetric({ unit: 'share' }, rightFrom)}% of
        the best value. The means are over the shown tasks. Marks: B a budget ended an attempt, T tainted, ∅
        no readable answer.
      </p>
    </>
  )
}

const shows: readonly (readonly [MatrixFilter['show'], string])[] = [
  ['all', 'all tasks'],
  ['different', 'different between arms'],
  ['failed', 'failed or unanswered'],
  ['budget', 'ended by a budget'],
  ['tainted', 'tainted'],
]

interface FilterFieldsProps {
  readonly data: PageData
  readonly filter: MatrixFilter
  onChange(filter: MatrixFilter): void
}

function FilterFields({ data, filter, onChange }: FilterFieldsProps) {
  const armOptions = data.arms.map(({ name }, at) => [String(at), name] as const)
  return (
    <>
      <SearchField
        name="search"
        placeholder={`task, question, ${data.facet}`}
        value={filter.text}
        onChange={text => onChange({ ...filter, text })}
      />
      <Choice
        name="show"
        value={filter.show}
        options={shows}
        onChange={show => onChange({ ...filter, show })}
      />
      {(['right', 'wrong'] as const).map(name => (
        <Choice
          key={name}
          name={`${name} in`}
          value={filter[name] === null ? '' : String(filter[name])}
          options={[['', 'any arm'], ...armOptions]}
          onChange={value => onChange({ ...filter, [name]: value === '' ? null : Number(value) })}
        />
      ))}
    </>
  )
}

function joinTaskWords({ tasks, facet }: PageData, at: number): string {
  const task = tasks[at]
  return `${task?.id} ${facet} ${task?.domain} ${task?.question}`
}

interface MatrixTableProps {
  readonly data: PageData
  readonly metric: MetricDefinition
  readonly shown: readonly ShownRow[]
  /** Indexes of the tasks that pass the filter. */
  readonly matchingTasks: readonly number[]
  readonly rows: MatrixRows
  readonly order: SortOrder<MatrixColumn>
  onSort(order: SortOrder<MatrixColumn>): void
}

function MatrixTable({ data, metric, shown, matchingTasks, rows, order, onSort }: MatrixTableProps) {
  const box = useRef<HTMLDivElement>(null)
  const meanIn = (arm: number, tasks: readonly number[]): number | null =>
    averageKnown(tasks.map(task => rows[task]?.[arm]?.value ?? null))
  // The first click on a head sorts the worst tasks first.
  const sorting = { order, onSort, startsDown: false }
  return (
    <ScrollBox label="scores by task and arm" isTall box={box}>
      <table class={shown.length > mostRows ? 'matrix long' : 'matrix'} aria-rowcount={shown.length + 1}>
        <thead>
          <tr>
            <SortHead {...sorting} column="mean" title="sort by the mean of all arms">
              task
            </SortHead>
            {data.arms.map((arm, at) => (
              <SortHead {...sorting} key={arm.id} column={at} title={arm.name} isNumber>
                {arm.name}
                <small>{formatMetric(metric, meanIn(at, matchingTasks))}</small>
              </SortHead>
            ))}
          </tr>
        </thead>
        <LongRows
          box={box}
          count={shown.length}
          columns={data.arms.length + 1}
          row={at => {
            const row = shown[at]
            if (row === undefined) return null
            return typeof row === 'number' ? (
              <TaskRow key={data.tasks[row]?.id} data={data} metric={metric} task={row} cells={rows[row]} />
            ) : (
              <GroupRow key={`group ${row.group}`} {...{ data, metric, row, meanIn }} />
            )
          }}
        />
      </table>
      {shown.length === 0 && <p class="nothing">No task passes the filters.</p>}
    </ScrollBox>
  )
}

interface GroupRowProps {
  readonly data: PageData
  readonly metric: MetricDefinition
  readonly row: Exclude<ShownRow, number>
  meanIn(arm: number, tasks: readonly number[]): number | null
}

/** The head of a group, with the mean of each arm over its tasks. */
function GroupRow({ data, metric, row, meanIn }: GroupRowProps) {
  return (
    <tr class="group">
      <th scope="row">
        {row.group} ({row.tasks.length})
      </th>
      {data.arms.map((arm, at) => (
        <td key={arm.id} class="number">
          {formatMetric(metric, meanIn(at, row.tasks))}
        </td>
      ))}
    </tr>
  )
}

interface TaskRowProps {
  readonly data: PageData
  readonly metric: MetricDefinition
  readonly task: number
  readonly cells: readonly (MatrixCell | null)[] | undefined
}

function TaskRow({ data, metric, task, cells = [] }: TaskRowProps) {
  const { id = '', question = '', language } = data.tasks[task] ?? {}
  return (
    <tr>
      <th scope="row">
        <a href={formatAddress({ name: 'task', id, item: null, attempt: null })}>{id}</a>
        <span class="question" lang={language} title={question}>
          {question}
        </span>
      </th>
      {cells.map((cell, arm) => (
        <ScoreCell key={data.arms[arm]?.id} {...{ cell, metric, data }} taskId={id} />
      ))}
    </tr>
  )
}

interface ScoreCellProps {
  readonly cell: MatrixCell | null
  readonly metric: MetricDefinition
  readonly data: PageData
  readonly taskId: string
}

/** A cell with its value, coloured by how good it is. It links to the answer on the task's page. */
function ScoreCell({ cell, metric, data, taskId }: ScoreCellProps) {
  if (cell === null) return <td class="number empty">·</td>
  const { value, flags, attempts } = cell
  const marks = [
    (flags & attemptFlags.budget) !== 0 ? 'B' : '',
    (flags & attemptFlags.tainted) !== 0 ? 'T' : '',
    (flags & attemptFlags.unanswered) !== 0 ? '∅' : '',
  ].join('')
  const attempt = data.attempts.id[attempts[0] ?? -1] ?? null
  const bounds = attempts.length === 1 ? findAttemptBounds(data.attempts, attempts[0]!, metric) : null
  const ending = data.attempts.endings[data.attempts.ending[attempts[0] ?? -1] ?? -1] ?? ''
  return (
    <td
      style={cell.goodness === null ? undefined : { '--goodness': cell.goodness }}
      class={cell.goodness === null ? 'number' : 'number score'}
    >
      {marks !== '' && <small>{marks} </small>}
      <a href={formatAddress({ name: 'task', id: taskId, item: null, attempt })} title={ending}>
        {value === null ? 'unscored' : meanText(metric, { mean: value, bounds })}
      </a>
    </td>
  )
}
