import type { RefObject } from 'preact'
import { useMemo, useRef, useState } from 'preact/hooks'
import { type AttemptColumns, attemptFlags, findAttemptBounds, type PageData } from '../../page/page-data.ts'
import {
  formatCompactCount,
  formatDollars,
  formatMetricHead,
  formatPercent,
  formatSeconds,
  meanText,
} from '../../tables/value-text.ts'
import { formatAddress } from '../address.ts'
import { compareValues, type SortOrder } from '../sort-order.ts'
import { LongRows } from './long-rows.tsx'
import { Choice, ScrollBox, SearchField, SortHead } from './parts.tsx'

/** The filters of the list. An empty text is no filter. */
interface Filters {
  readonly text: string
  readonly arm: string
  readonly domain: string
  readonly ending: string
}

const noFilters: Filters = { text: '', arm: '', domain: '', ending: '' }

interface AttemptListProps {
  readonly data: PageData
  /** Receives the ids of the attempts that the list shows, in its order. */
  readonly listed: RefObject<readonly string[]>
}

/** All attempts as a list that a reader can filter and sort. */
export function AttemptList({ data, listed }: AttemptListProps) {
  const [filters, setFilters] = useState(noFilters)
  const [order, setOrder] = useState<SortOrder<string> | null>(null)
  const columns = useMemo(() => makeColumns(data), [data])
  const shown = useMemo(() => listShownRows(data, filters, order, columns), [data, filters, order, columns])
  const box = useRef<HTMLDivElement>(null)
  listed.current = shown.flatMap(at => data.attempts.id[at] ?? [])
  return (
    <>
      <FilterBar data={data} filters={filters} shown={shown.length} onChange={setFilters} />
      <ScrollBox label="attempts" isTall box={box}>
        <table class="sortable" id="attempts" aria-rowcount={shown.length + 1}>
          <caption>
            All attempts ({data.scoring}). Keys: / search, j next attempt, k previous attempt, Esc back
          </caption>
          <thead>
            <tr>
              {columns.map(({ name, isNumber }) => (
                <SortHead
                  key={name}
                  column={name}
                  order={order}
                  startsDown
                  isNumber={isNumber}
                  onSort={setOrder}
                >
                  {name}
                </SortHead>
              ))}
            </tr>
          </thead>
          <LongRows
            box={box}
            count={shown.length}
            columns={columns.length}
            row={at => <AttemptRow key={shown[at]} data={data} columns={columns} at={shown[at] ?? -1} />}
          />
        </table>
      </ScrollBox>
    </>
  )
}

interface AttemptRowProps {
  readonly data: PageData
  readonly columns: readonly ListColumn[]
  /** The index of the attempt. */
  readonly at: number
}

function AttemptRow({ data, columns, at }: AttemptRowProps) {
  return (
    <tr>
      {columns.map(({ name, isNumber, textOf }, place) => (
        <td key={name} class={isNumber ? 'number' : undefined}>
          {place === 0 ? (
            <a href={formatAddress({ name: 'attempt', id: data.attempts.id[at] ?? '', event: null })}>
              {textOf(at)}
            </a>
          ) : (
            textOf(at)
          )}
        </td>
      ))}
    </tr>
  )
}

/** A column of the list: its text and its value for sorting, by the index of the attempt. */
interface ListColumn {
  readonly name: string
  readonly isNumber: boolean
  textOf(at: number): string
  valueOf(at: number): number | string | null
}

/** Returns the columns. Those that tell attempts apart only when they differ are left out when they do not. */
function makeColumns({ attempts, tasks, arms, metrics, facet }: PageData): ListColumn[] {
  const text = (name: string, textOf: (at: number) => string): ListColumn => ({
    name,
    isNumber: false,
    textOf,
    valueOf: textOf,
  })
  const number = (
    name: string,
    values: readonly (number | null)[],
    show: (value: number | null, at: number) => string,
  ): ListColumn => ({
    name,
    isNumber: true,
    textOf: at => show(values[at] ?? null, at),
    valueOf: at => values[at] ?? null,
  })
  const columns = [
    text('task', at => tasks[attempts.task[at] ?? -1]?.id ?? ''),
    text(facet, at => tasks[attempts.task[at] ?? -1]?.domain ?? ''),
    text('arm', at => arms[attempts.arm[at] ?? -1]?.name ?? ''),
    number('trial', attempts.trial, value => String(value)),
    text('termination', at => attempts.endings[attempts.ending[at] ?? -1] ?? ''),
    ...metrics.map((metric, place) =>
      number(formatMetricHead(metric), attempts.values[metric.key] ?? [], (value, at) =>
        value === null && place === 0
          ? 'unscored'
          : meanText(metric, { mean: value, bounds: findAttemptBounds(attempts, at, metric) }),
      ),
    ),
    number('docs found', attempts.opened, formatPercent),
    number('tokens', attempts.tokens, formatCompactCount),
    number('US$', attempts.usd, formatDollars),
    number('seconds', attempts.wallMs, formatSeconds),
  ]
  const hiddenWhenEqual = new Set([facet, 'trial', 'termination', 'docs found', 'US$'])
  return columns.filter(column => {
    const first = column.valueOf(0)
    return !hiddenWhenEqual.has(column.name) || attempts.id.some((_, at) => column.valueOf(at) !== first)
  })
}

function listShownRows(
  data: PageData,
  filters: Filters,
  order: SortOrder<string> | null,
  columns: readonly ListColumn[],
): number[] {
  const rows = data.attempts.id.map((_, at) => at).filter(at => passes(data, filters, at))
  const column = columns.find(({ name }) => name === order?.column)
  if (order === null || column === undefined) return rows
  return rows.toSorted((a, b) => compareValues(column.valueOf(a), column.valueOf(b), order.isDown))
}

function passes({ attempts, arms, tasks }: PageData, filters: Filters, at: number): boolean {
  const arm = arms[attempts.arm[at] ?? -1]
  const task = tasks[attempts.task[at] ?? -1]
  const ending = attempts.endings[attempts.ending[at] ?? -1] ?? ''
  const words = `${task?.id} ${task?.domain} ${arm?.name} ${arm?.model} ${ending}`.toLowerCase()
  return (
    words.includes(filters.text.toLowerCase()) &&
    (filters.arm === '' || arm?.id === filters.arm) &&
    (filters.domain === '' || task?.domain === filters.domain) &&
    (filters.ending === '' || isEnding(attempts, filters.ending, at))
  )
}

/** Whether an attempt ended as the filter asks: by a cause and reason, or with a flag. */
function isEnding({ endings, ending, flags }: AttemptColumns, filter: string, at: number): boolean {
  const flag = Object.hasOwn(attemptFlags, filter) ? attemptFlags[filter as keyof typeof attemptFlags] : null
  return flag === null ? endings[ending[at] ?? -1] === filter : ((flags[at] ?? 0) & flag) !== 0
}

interface FilterBarProps {
  readonly data: PageData
  readonly filters: Filters
  readonly shown: number
  readonly onChange: (filters: Filters) => void
}

function FilterBar({ data, filters, shown, onChange }: FilterBarProps) {
  const choices: readonly (readonly [keyof Filters, string, readonly (readonly [string, string])[]])[] = [
    ['arm', 'arm', data.arms.map(({ id, name }) => [id, name])],
    [
      'domain',
      data.facet,
      [...new Set(data.tasks.map(({ domain }) => domain))].sort().map(name => [name, name]),
    ],
    ['ending', 'termination', data.attempts.endings.toSorted().map(name => [name, name])],
  ]
  return (
    <search class="filters" aria-label="filter attempts">
      <SearchField
        name="text"
        placeholder="task, model, …"
        value={filters.text}
        onChange={text => onChange({ ...filters, text })}
      />
      {choices.map(([name, label, options]) => (
        <Choice
          key={name}
          name={label}
          value={filters[name]}
          options={[['', 'all'], ...options]}
          onChange={value => onChange({ ...filters, [name]: value })}
        />
      ))}
      <button type="button" class="plain" onClick={() => onChange(noFilters)}>
        show all
      </button>
      <span class="count" id="attempt-count" role="status">
        {shown} of {data.attempts.id.length} attempts
      </span>
    </search>
  )
}
