import { useEffect, useState } from 'preact/hooks'
import type { AttemptData } from '../../page/attempt-data.ts'
import type { PageData } from '../../page/page-data.ts'
import { formatAddress, goTo, type View } from '../address.ts'
import { readAttempt, readServedPage } from '../read-page.ts'
import { listTaskItems } from '../task-items.ts'
import { AnswersTable } from './answers-table.tsx'
import { CellCause } from './cell-cause.tsx'
import { ReadingMark } from './mark-buttons.tsx'
import { Choice, PlainTable, TextBox } from './parts.tsx'

interface TaskViewProps {
  readonly data: PageData
  readonly view: Extract<View, { name: 'task' }>
}

/** One task: its question, and the gold beside the answer of every arm, cell by cell. */
export function TaskView({ data, view }: TaskViewProps) {
  const task = data.tasks.findIndex(({ id }) => id === view.id)
  const taskAttempts = data.attempts.id.map((_, at) => at).filter(at => data.attempts.task[at] === task)
  const trials = [...new Set(taskAttempts.map(at => data.attempts.trial[at] ?? 0))].sort((a, b) => a - b)
  const linked = data.attempts.trial[data.attempts.id.indexOf(view.attempt ?? '')]
  const [trial, setTrial] = useState(linked ?? trials[0] ?? 0)
  const [attempts, setAttempts] = useState<readonly AttemptData[] | null>(null)
  useEffect(() => {
    const ids = taskAttempts
      .filter(at => data.attempts.trial[at] === trial)
      .map(at => data.attempts.id[at] ?? '')
    void Promise.all(ids.map(readAttempt)).then(list => setAttempts(list.filter(attempt => attempt !== null)))
  }, [view.id, trial])
  if (task === -1) return <p>This report does not contain the task {view.id}.</p>
  const [first] = attempts ?? []
  const language = data.tasks[task]?.language
  return (
    <>
      <nav class="bar" aria-label="tasks">
        <a href={formatAddress({ name: 'matrix' })}>all tasks</a>
        <TaskLink id={data.tasks[task - 1]?.id} text="previous" />
        <TaskLink id={data.tasks[task + 1]?.id} text="next" />
      </nav>
      <h1>{view.id}</h1>
      <p class="remark">
        {data.facet}: {data.tasks[task]?.domain}
      </p>
      {first?.questions.map(question => (
        <p class="query" key={question} lang={language}>
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
          options={trials.map(trialNumber => [String(trialNumber), String(trialNumber)])}
          onChange={value => setTrial(Number(value))}
        />
      )}
      {attempts === null ? (
        <p>Loading …</p>
      ) : (
        <>
          <ArmChoice data={data} attempts={attempts} view={view} />
          <Answers
            data={data}
            attempts={attempts.filter(({ id }) => isArmShown(view, findArm(data, id)))}
            view={view}
            language={language}
          />
        </>
      )}
    </>
  )
}

/** Returns the index of the arm of an attempt. */
function findArm({ attempts }: PageData, id: string): number {
  return attempts.arm[attempts.id.indexOf(id)] ?? -1
}

function isArmShown({ arms }: TaskViewProps['view'], arm: number): boolean {
  return arms === undefined || arms.includes(arm)
}

interface ArmChoiceProps extends TaskViewProps {
  readonly attempts: readonly AttemptData[]
}

/** Chooses the answers that are beside each other. The address keeps the choice. */
function ArmChoice({ data, attempts, view }: ArmChoiceProps) {
  const arms = attempts.map(({ id }) => findArm(data, id))
  if (arms.length < 3) return null
  const shown = arms.filter(arm => isArmShown(view, arm))
  const toggle = (arm: number): void => {
    const chosen = arms.filter(other => (other === arm) !== shown.includes(other))
    const { arms: _, ...all } = view
    goTo(chosen.length === 0 || chosen.length === arms.length ? all : { ...view, arms: chosen })
  }
  return (
    <fieldset class="arm-choice">
      <legend>Answers beside each other</legend>
      {arms.map(arm => (
        <label key={arm}>
          <input type="checkbox" checked={shown.includes(arm)} onChange={() => toggle(arm)} />{' '}
          {data.arms[arm]?.name}
        </label>
      ))}
    </fieldset>
  )
}

function TaskLink({ id, text }: { readonly id: string | undefined; readonly text: string }) {
  return id === undefined ? null : (
    <a href={formatAddress({ name: 'task', id, item: null, attempt: null })}>{text}</a>
  )
}

interface AnswersProps extends TaskViewProps {
  readonly attempts: readonly AttemptData[]
  readonly language: string | undefined
}

function Answers({ data, attempts, view, language }: AnswersProps) {
  const armOf = (id: string): string => data.arms[findArm(data, id)]?.name ?? ''
  const items = listTaskItems(attempts)
  const chosen = attempts.findIndex(({ id }) => id === view.attempt)
  const cell = items.find(({ id }) => id === view.item)?.cells[chosen]
  const attempt = attempts[chosen]
  return (
    <>
      <div class={cell === undefined ? undefined : 'with-cause'}>
        <AnswersTable data={data} attempts={attempts} items={items} view={view} language={language} />
        {cell !== undefined && attempt !== undefined && (
          <div class="cell-side">
            <CellCause item={view.item ?? ''} cell={cell} attempt={attempt} arm={armOf(attempt.id)} />
            {readServedPage() !== null && (
              <ReadingMark key={`${attempt.id} ${cell.item}`} attemptId={attempt.id} item={cell.item} />
            )}
          </div>
        )}
      </div>
      <h2>Complete answers</h2>
      {attempts.map(({ id, answer }) => (
        <details key={id}>
          <summary>
            {armOf(id)} <span class="remark">{answer.note}</span>
          </summary>
          <div lang={language}>
            {answer.header.length > 0 && <PlainTable header={answer.header} rows={answer.rows} />}
            {answer.text !== null && <TextBox text={answer.text} />}
          </div>
        </details>
      ))}
    </>
  )
}
