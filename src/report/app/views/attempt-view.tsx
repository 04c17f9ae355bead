import { useEffect, useRef, useState } from 'preact/hooks'
import type { AttemptData, CellData } from '../../page/attempt-data.ts'
import { formatAddress, type View } from '../address.ts'
import { listFirstScoringCells } from '../cells.ts'
import { readAttempt, readServedPage } from '../read-page.ts'
import { describeClass } from './cell-cause.tsx'
import { ForkTree } from './fork-tree.tsx'
import { ReadingMark } from './mark-buttons.tsx'
import { FactList, PlainTable, TextBox } from './parts.tsx'
import { Explanation, ScoringTable } from './scoring.tsx'
import { Trace } from './trace.tsx'

interface AttemptViewProps {
  /** The ids of the attempts that the list shows, for the links to the next and the previous. */
  readonly listed: readonly string[]
  readonly view: Extract<View, { name: 'attempt' }>
}

/** The page of one attempt: its scores, facts, question, answer, discovery and trace. */
export function AttemptView({ listed, view: { id, event, cause } }: AttemptViewProps) {
  const [attempt, setAttempt] = useState<AttemptData | 'missing' | null>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    void readAttempt(id).then(data => setAttempt(data ?? 'missing'))
  }, [id])
  useEffect(() => heading.current?.focus({ preventScroll: true }), [attempt])
  const cell =
    cause === undefined || attempt === null || attempt === 'missing'
      ? null
      : (listFirstScoringCells(attempt).get(cause)?.cell ?? null)
  const at = listed.indexOf(id)
  const [before, after] = [listed[at - 1], listed[at + 1]]
  return (
    <main id="detail">
      <nav class="bar" aria-label="attempts">
        {attempt !== null && attempt !== 'missing' && (
          <a href={formatAddress({ name: 'task', id: attempt.taskId, item: null, attempt: null })}>
            task {attempt.taskId}
          </a>
        )}
        {before !== undefined && (
          <a href={formatAddress({ name: 'attempt', id: before, event: null })}>previous</a>
        )}
        {after !== undefined && <a href={formatAddress({ name: 'attempt', id: after, event: null })}>next</a>}
      </nav>
      {attempt === null && <p>Loading …</p>}
      {attempt === 'missing' && <p>This report does not contain the attempt {id}.</p>}
      {attempt !== null && attempt !== 'missing' && (
        <>
          <h1 tabIndex={-1} ref={heading}>
            {attempt.title}
          </h1>
          {readServedPage() !== null && <ReadingMark attemptId={id} item={null} />}
          <AttemptBody attempt={attempt} />
          <h2 id="trace">Trace</h2>
          {cell !== null && cause !== undefined && <TracedCause item={cause} cell={cell} attempt={attempt} />}
          <Trace
            key={cause}
            attemptId={id}
            trace={attempt.trace}
            event={event}
            evidence={cell?.evidence ?? null}
            address={findAddress(attempt, cell?.evidence?.document ?? null)}
          />
        </>
      )}
    </main>
  )
}

/** The address at which an attempt found a document of its task; null when it did not. */
function findAddress({ discovery }: AttemptData, document: string | null): string | null {
  const address = discovery.find(([name]) => name === document)?.at(-1)
  return address === undefined || address === '–' ? null : address
}

interface TracedCauseProps {
  readonly item: string
  readonly cell: CellData
  readonly attempt: AttemptData
}

/** The item whose evidence is marked in the trace, with the way back to its cause. */
function TracedCause({ item, cell, attempt }: TracedCauseProps) {
  const { evidence } = cell
  return (
    <p class="note">
      {item}: gold “{cell.gold}”, answer {cell.predicted === null ? 'missing' : `“${cell.predicted}”`} (
      {describeClass(cell.class)}).{' '}
      {evidence !== undefined && (
        <>
          Evidence in {evidence.document}
          {evidence.page === null ? '' : `, page ${evidence.page}`}: <q>{evidence.line}</q>{' '}
          {evidence.state === 'missed' &&
            'The model never saw this line. The marked event is where the attempt came closest to it. '}
          {evidence.state === 'cut' && 'The marked event left this line out. '}
        </>
      )}
      <a href={formatAddress({ name: 'task', id: attempt.taskId, item, attempt: attempt.id })}>
        back to the cell
      </a>
    </p>
  )
}

function AttemptBody({ attempt }: { readonly attempt: AttemptData }) {
  const { scorings, facts, questions, documentNames, answer, discovery } = attempt
  return (
    <>
      {scorings.map(scoring => (
        <Explanation key={scoring.title} scoring={scoring} />
      ))}
      <FactList facts={facts} />
      {attempt.forks.length > 0 && <ForkTree attempt={attempt} />}
      {questions.map((question, at) => (
        <>
          <h2>{questions.length === 1 ? 'Question' : `Question ${at + 1}`}</h2>
          <p class="query">{question}</p>
        </>
      ))}
      {documentNames.length > 0 && <p class="remark">Documents: {documentNames.join(' · ')}</p>}
      {scorings.map((scoring, at) => (
        <ScoringTable key={scoring.title} scoring={scoring} attempt={attempt} isFirst={at === 0} />
      ))}
      <h2>Answer</h2>
      <p class="remark">{answer.note}</p>
      {answer.header.length > 0 && <PlainTable header={answer.header} rows={answer.rows} />}
      {answer.text !== null && <TextBox text={answer.text} />}
      {discovery.length > 0 && (
        <>
          <h2>Discovery</h2>
          <Funnel funnel={attempt.funnel} />
          <PlainTable header={discovery[0] ?? []} rows={discovery.slice(1)} />
        </>
      )}
    </>
  )
}

/** A bar for each stage of discovery, with its numbers as text. */
function Funnel({ funnel }: { readonly funnel: AttemptData['funnel'] }) {
  return (
    <ul class="funnel">
      {funnel.map(({ stage, reached, of }) => (
        <li key={stage}>
          <span class="stage">{stage}</span>
          <progress max={of} value={reached} aria-label={`${stage}: ${reached} of ${of} documents`} />{' '}
          {reached} of {of}
        </li>
      ))}
    </ul>
  )
}
