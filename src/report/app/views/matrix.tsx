import { useMemo, useState } from 'preact/hooks'
import type { MetricDefinition } from '../../../core/metric.ts'
import { attemptFlags, type PageData } from '../../page/page-data.ts'
import { metricText } from '../../tables/metric-text.ts'
import { addressOf } from '../address.ts'
import {
  type MatrixCell,
  type MatrixFilter,
  type MatrixOrder,
  matrixRows,
  noMatrixFilter,
  orderedTasks,
  passesFilter,
  rightFrom,
} from '../matrix-cells.ts'
import { Choice } from './parts.tsx'

/** Tasks down, arms across, each cell coloured by a metric. A click opens the task. */
export function Matrix({ data }: { readonly data: PageData }) {
  const [filter, setFilter] = useState(noMatrixFilter)
  const [order, setOrder] = useState<MatrixOrder>('run')
  const [key, setKey] = useState(data.metrics[0]?.key ?? '')
  const metric = data.metrics.find(one => one.key === key)
  const rows = useMemo(() => (metric === undefined ? [] : matrixRows(data, metric)), [data, metric])
  if (metric === undefined) return <p>No attempt has a score.</p>
  const kept = rows.map((_, at) => at).filter(at => passesFilter(rows[at] ?? [], wordsOf(data, at), filter))
  const tasks = orderedTasks(data, rows, kept, order)
  return (
    <>
      <search class="filters" aria-label="filter tasks">
        <div>
          <label for="matrix-text">text</label>
          <input
            id="matrix-text"
            type="search"
            placeholder={`task, question, ${data.facet}`}
            onInput={event => setFilter({ ...filter, text: event.currentTarget.value })}
          />
        </div>
        <Choice
          name="metric"
          value={key}
          options={data.metrics.map(one => [one.key, one.label])}
          onChange={setKey}
        />
        <Choice
          name="show"
          value={filter.show}
          options={shows}
          onChange={show => setFilter({ ...filter, show })}
        />
        {(['right', 'wrong'] as const).map(name => (
          <Choice
            key={name}
            name={`${name} in`}
            value={filter[name] === null ? '' : String(filter[name])}
            options={[
              ['', 'any arm'],
              ...data.arms.map((arm, at): [string, string] => [String(at), arm.name]),
            ]}
            onChange={value => setFilter({ ...filter, [name]: value === '' ? null : Number(value) })}
          />
        ))}
        <Choice
          name="order"
          value={String(order)}
          options={[
            ['run', 'as in the run'],
            ['domain', `by ${data.facet}`],
            ['outcome', 'worst first'],
            ...data.arms.map((arm, at): [string, string] => [String(at), `by ${arm.name}`]),
          ]}
          onChange={value => setOrder(/^\d+$/.test(value) ? Number(value) : (value as MatrixOrder))}
        />
        <span id="task-count" role="status">
          {tasks.length} of {data.tasks.length} tasks
        </span>
      </search>
      <p class="remark">
        {metric.label}: {metric.description} Right: at least {metricText({ unit: 'share' }, rightFrom)}% of
        the best value. Marks: B a budget ended an attempt, T tainted, ∅ no readable answer.
      </p>
      <MatrixTable data={data} metric={metric} tasks={tasks} rows={rows} hasGroups={order === 'domain'} />
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

function wordsOf({ tasks, facet }: PageData, at: number): string {
  const task = tasks[at]
  return `${task?.id} ${facet} ${task?.domain} ${task?.question}`
}

interface MatrixTableProps {
  readonly data: PageData
  readonly metric: MetricDefinition
  /** Indexes of tasks, in order. */
  readonly tasks: readonly number[]
  readonly rows: readonly (readonly (MatrixCell | null)[])[]
  /** Whether a row with the name of the domain comes before the tasks of each domain. */
  readonly hasGroups: boolean
}

function MatrixTable({ data, metric, tasks, rows, hasGroups }: MatrixTableProps) {
  const isFirst = (place: number): boolean =>
    hasGroups && data.tasks[tasks[place] ?? -1]?.domain !== data.tasks[tasks[place - 1] ?? -1]?.domain
  return (
    <div class="scroll" tabIndex={0} role="group" aria-label="scores by task and arm">
      <table class="matrix">
        <thead>
          <tr>
            <th scope="col">task</th>
            {data.arms.map(arm => (
              <th scope="col" key={arm.id} title={arm.name}>
                <span>{arm.name}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tasks.map((task, place) => (
            <>
              {isFirst(place) && (
                <tr class="group">
                  <th scope="rowgroup" colSpan={data.arms.length + 1}>
                    {data.tasks[task]?.domain}
                  </th>
                </tr>
              )}
              <tr key={data.tasks[task]?.id}>
                <th scope="row">
                  <a
                    href={addressOf({
                      name: 'task',
                      id: data.tasks[task]?.id ?? '',
                      item: null,
                      attempt: null,
                    })}
                  >
                    {data.tasks[task]?.id}
                  </a>
                </th>
                {(rows[task] ?? []).map((cell, arm) => (
                  <ScoreCell key={data.arms[arm]?.id} cell={cell} metric={metric} data={data} />
                ))}
              </tr>
            </>
          ))}
        </tbody>
      </table>
    </div>
  )
}

interface ScoreCellProps {
  readonly cell: MatrixCell | null
  readonly metric: MetricDefinition
  readonly data: PageData
}

/** A cell with its value, coloured by how good it is. It links to its first attempt. */
function ScoreCell({ cell, metric, data }: ScoreCellProps) {
  if (cell === null) return <td class="empty">·</td>
  const { value, flags, attempts } = cell
  const marks = [
    (flags & attemptFlags.budget) !== 0 ? 'B' : '',
    (flags & attemptFlags.tainted) !== 0 ? 'T' : '',
    (flags & attemptFlags.unanswered) !== 0 ? '∅' : '',
  ].join('')
  const id = data.attempts.id[attempts[0] ?? -1] ?? ''
  const ending = data.attempts.endings[data.attempts.ending[attempts[0] ?? -1] ?? -1] ?? ''
  return (
    <td
      style={cell.goodness === null ? undefined : { '--goodness': cell.goodness }}
      class={cell.goodness === null ? 'number' : 'number score'}
    >
      <a href={addressOf({ name: 'attempt', id, event: null })} title={ending}>
        {value === null ? 'unscored' : metricText(metric, value)}
      </a>
      {marks !== '' && <small> {marks}</small>}
    </td>
  )
}
