import { useEffect, useMemo, useState } from 'preact/hooks'
import type { IndexData, IndexRow } from '../../page/served-data.ts'
import { formatMetric } from '../../tables/value-text.ts'
import { describeScores, type IndexColumn, orderRows, searchText } from '../index-rows.ts'
import { canWrite } from '../server.ts'
import type { SortOrder } from '../sort-order.ts'
import { Tags } from './notes.tsx'
import { ScrollBox, SearchField, SortHead } from './parts.tsx'
import { Progress } from './run-bar.tsx'
import { ThemeSwitch } from './theme-switch.tsx'

const columns: readonly (readonly [IndexColumn, string])[] = [
  ['name', 'run'],
  ['startedAt', 'started'],
  ['progress', 'progress'],
  ['score', 'arms and metric'],
  ['tags', 'tags and note'],
]

/** All runs of a folder. Rows change while runs go on. */
export function RunIndex({ data }: { readonly data: IndexData }) {
  const rows = useRows()
  const [text, setText] = useState('')
  const [order, setOrder] = useState<SortOrder<IndexColumn>>({ column: 'startedAt', isDown: true })
  const [chosen, setChosen] = useState<readonly string[]>([])
  const choose = (name: string): void =>
    setChosen(before => (before.includes(name) ? before.filter(other => other !== name) : [...before, name]))
  const shown = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/)
    return orderRows([...rows.values()], order).filter(row => {
      const content = searchText(row)
      return words.every(word => content.includes(word))
    })
  }, [rows, text, order])
  return (
    <main id="runs">
      <div class="bar">
        <h1>Runs in {data.folder}</h1>
        <ThemeSwitch />
      </div>
      <search class="filters" aria-label="search runs">
        <SearchField
          name="search"
          placeholder="name, arm, model, tag, state"
          value={text}
          onChange={setText}
        />
        <span role="status" class="remark">
          {shown.length} of {rows.size} runs
        </span>
        <CompareLink names={chosen} />
      </search>
      <ScrollBox label="runs">
        <table class="runs">
          <thead>
            <tr>
              <th scope="col">
                <span class="hidden">compare</span>
              </th>
              {columns.map(([column, name]) => (
                <SortHead
                  key={column}
                  column={column}
                  order={order}
                  startsDown={column !== 'name'}
                  onSort={setOrder}
                >
                  {name}
                </SortHead>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(row => (
              <RunLine
                key={row.name}
                row={row}
                isChosen={chosen.includes(row.name)}
                onChoose={() => choose(row.name)}
              />
            ))}
          </tbody>
        </table>
      </ScrollBox>
    </main>
  )
}

/** Returns the rows by name as the server sends them. */
function useRows(): ReadonlyMap<string, IndexRow> {
  const [rows, setRows] = useState<ReadonlyMap<string, IndexRow>>(new Map())
  useEffect(() => {
    // Keeps the token of the address before a link is followed.
    canWrite()
    const events = new EventSource('/events')
    events.addEventListener('run', ({ data }: MessageEvent<string>) => {
      const row = JSON.parse(data) as IndexRow
      setRows(before => new Map([...before, [row.name, row]]))
    })
    return () => events.close()
  }, [])
  return rows
}

/** The way to the comparison of the chosen runs, in the order in which they were chosen. */
function CompareLink({ names }: { readonly names: readonly string[] }) {
  if (names.length < 2)
    return (
      <span class="remark">
        {names.length === 0 ? 'Tick two or more runs to compare them.' : 'Tick another run.'}
      </span>
    )
  return (
    <a class="plain compare-link" href={`/compare/${encodeURIComponent(names.join('/'))}/`}>
      Compare {names.length} runs
    </a>
  )
}

interface RunLineProps {
  readonly row: IndexRow
  readonly isChosen: boolean
  onChoose(): void
}

function RunLine({ row, isChosen, onChoose }: RunLineProps) {
  if (row.state === 'broken')
    return (
      <tr>
        <td />
        <th scope="row">{row.name}</th>
        <td colSpan={columns.length - 1}>
          <p class="note">{row.problem}</p>
        </td>
      </tr>
    )
  return (
    <tr>
      <td>
        <input type="checkbox" checked={isChosen} onChange={onChoose} aria-label={`compare ${row.name}`} />
      </td>
      <th scope="row">
        <a href={`/run/${encodeURIComponent(row.name)}/`}>{row.name}</a>
      </th>
      <td>
        <time dateTime={row.startedAt}>{row.startedAt.slice(0, 16).replace('T', ' ')}</time>
      </td>
      <td>
        <Progress progress={row} />
      </td>
      <td>
        <div class="remark">{describeScores(row)}</div>
        <ArmList row={row} />
      </td>
      <td>
        <Tags tags={row.tags} />
        <div class="note-text">{row.note}</div>
      </td>
    </tr>
  )
}

/** More arms are counted, so that a sweep does not fill the screen. */
const shownArms = 4

function ArmList({
  row: { arms, metric },
}: {
  readonly row: Exclude<IndexRow, { readonly state: 'broken' }>
}) {
  const rest = arms.length - shownArms
  return (
    <ul class="arm-list">
      {arms.slice(0, shownArms).map(({ name, mean }) => (
        <li key={name}>
          <span>{name}</span> <b>{metric === null || mean === null ? '–' : formatMetric(metric, mean)}</b>
        </li>
      ))}
      {rest > 0 && <li class="remark">and {rest} more</li>}
    </ul>
  )
}
