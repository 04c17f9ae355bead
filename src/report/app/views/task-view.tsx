import { useEffect, useState } from 'preact/hooks'
import type { AttemptData, CellData } from '../../page/attempt-data.ts'
import type { PageData } from '../../page/page-data.ts'
import { addressOf, type View } from '../address.ts'
import { type Cells, cellsOf } from '../cells.ts'
import { readAttempt, readServedRun } from '../read-page.ts'
import { CellCause } from './cell-cause.tsx'
import { CellMark } from './cell-mark.tsx'
import { Choice, PlainTable } from './parts.tsx'

interface TaskViewProps {
  readonly data: PageData
  readonly view: Extract<View, { name: 'task' }>
}

/** One task: its question, and the gold beside the answer of every arm, cell by cell. */
export function TaskView({ data, view }: TaskViewProps) {
  const task = data.tasks.findIndex(({ id }) => id === view.id)
  const own = data.attempts.id.map((_, at) => at).filter(at => data.attempts.task[at] === task)
  const trials = [...new Set(own.map(at => data.attempts.trial[at] ?? 0))].sort((a, b) => a - b)
  const [trial, setTrial] = useState(trials[0] ?? 0)
  const [attempts, setAttempts] = useState<readonly AttemptData[] | null>(null)
  useEffect(() => {
    const ids = own.filter(at => data.attempts.trial[at] === trial).map(at => data.attempts.id[at] ?? '')
    void Promise.all(ids.map(readAttempt)).then(all => setAttempts(all.filter(one => one !== null)))
  }, [view.id, trial])
  if (task === -1) return <p>This report does not contain the task {view.id}.</p>
  const [first] = attempts ?? []
  return (
    <>
      <h1>{view.id}</h1>
      <p class="remark">
        {data.facet}: {data.tasks[task]?.domain}
      </p>
      {first?.questions.map(question => (
        <p class="query" key={question}>
          {question}
        </p>
      ))}
      {first !== undefined && first.documentNames.length > 0 && (
        <p class="remark">Documents: {first.documentNames.join(' · ')}</p>
      )}
      {trials.length > 1 && (
        <Choice
          name="trial"
          value={String(trial)}
          options={trials.map(one => [String(one), String(one)])}
          onChange={value => setTrial(Number(value))}
        />
      )}
      {attempts === null ? <p>Loading …</p> : <Answers data={data} attempts={attempts} view={view} />}
    </>
  )
}

interface AnswersProps extends TaskViewProps {
  readonly attempts: readonly AttemptData[]
}

function Answers({ data, attempts, view }: AnswersProps) {
  const armOf = (id: string): string =>
    data.arms[data.attempts.arm[data.attempts.id.indexOf(id)] ?? -1]?.name ?? ''
  const columns = attempts.map(attempt => ({ attempt, cells: cellsOf(attempt) }))
  const items = [...new Set(columns.flatMap(({ cells }) => [...cells.keys()]))]
  const chosen = columns.find(({ attempt }) => attempt.id === view.attempt)
  const cell = view.item === null ? undefined : chosen?.cells.get(view.item)
  return (
    <>
      <div class="scroll" tabIndex={0} role="group" aria-label="gold beside the answers">
        <table class="answers">
          <thead>
            <tr>
              <th scope="col">gold item</th>
              <th scope="col">gold</th>
              {columns.map(({ attempt }) => (
                <th scope="col" key={attempt.id}>
                  <a href={addressOf({ name: 'attempt', id: attempt.id, event: null })}>
                    {armOf(attempt.id)}
                  </a>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {items.map(item => (
              <tr key={item}>
                <th scope="row">{item}</th>
                <td>{goldOf(columns, item)}</td>
                {columns.map(({ attempt, cells }) => (
                  <AnswerCell
                    key={attempt.id}
                    cell={cells.get(item)}
                    view={{ ...view, item, attempt: attempt.id }}
                  />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {cell !== undefined && chosen !== undefined && (
        <CellCause
          item={view.item ?? ''}
          cell={cell}
          attempt={chosen.attempt}
          arm={armOf(chosen.attempt.id)}
        />
      )}
      {cell !== undefined && chosen !== undefined && readServedRun() !== null && (
        <CellMark key={`${chosen.attempt.id} ${cell.item}`} attemptId={chosen.attempt.id} item={cell.item} />
      )}
      {columns.map(({ attempt }) => (
        <section key={attempt.id}>
          <h2>Answer of {armOf(attempt.id)}</h2>
          <p class="remark">{attempt.answer.note}</p>
          {attempt.answer.header.length > 0 && (
            <PlainTable header={attempt.answer.header} rows={attempt.answer.rows} />
          )}
        </section>
      ))}
    </>
  )
}

function goldOf(columns: readonly { readonly cells: Cells }[], item: string): string {
  const gold = columns.map(({ cells }) => cells.get(item)?.gold).find(one => one !== undefined)
  return gold === undefined || gold === '' ? '(empty)' : gold
}

/** The answer to one item. A click shows its cause. */
function AnswerCell({
  cell,
  view,
}: {
  readonly cell: CellData | undefined
  readonly view: TaskViewProps['view']
}) {
  if (cell === undefined) return <td class="empty">·</td>
  const { predicted } = cell
  return (
    <td class={`cell class-${cell.class === '' ? 'none' : cell.class}`}>
      <a href={addressOf(view)}>{predicted === null ? 'missing' : predicted === '' ? 'empty' : predicted}</a>
      <div class="verdict">{cell.class === '' ? 'unknown class' : cell.class}</div>
    </td>
  )
}
