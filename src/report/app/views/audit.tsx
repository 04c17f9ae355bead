import { useEffect, useState } from 'preact/hooks'
import type { AttemptData, CellData } from '../../page/attempt-data.ts'
import type { AuditedItem, AuditSheetData, Mark } from '../../page/served-data.ts'
import { formatAddress } from '../address.ts'
import { findMarkerPlace, type MarkChange, useAuditSheet, useMarkKeys } from '../audit-sheet.ts'
import { readAttempt } from '../read-page.ts'
import { canWrite, readMarkerName, readOnlyText } from '../server.ts'
import { showValue } from '../visible-text.ts'
import { listEvidenceFacts } from './cell-cause.tsx'
import { MarkButtons, MarkerField } from './mark-buttons.tsx'
import { FactList } from './parts.tsx'

/** Marks the items of the audit sheet, one after the other. Score and rule are not shown. */
export function Audit() {
  const { sheet, problem, change } = useAuditSheet()
  return (
    <>
      <h1>Audit</h1>
      <p class="remark">
        The marks are in the run's audit.csv. `tablehunt audit` compares them with the scores. Keys: r right,
        w wrong, u unsure, n or j next, p or k previous.
      </p>
      {problem !== '' && (
        <p class="note" role="alert">
          {problem}
        </p>
      )}
      {sheet === null && problem === '' && <p>Loading …</p>}
      {sheet?.items.length === 0 && <NewSheet onDraw={size => void change('sample', { size })} />}
      {sheet !== null && sheet.items.length > 0 && (
        <Marking sheet={sheet} onMark={mark => change('marks', mark)} />
      )}
    </>
  )
}

/** Offers to draw a sample when the run has no audit sheet. */
function NewSheet({ onDraw }: { onDraw(size: number): void }) {
  const [size, setSize] = useState(20)
  return (
    <form
      class="filters"
      onSubmit={event => {
        event.preventDefault()
        onDraw(size)
      }}
    >
      <div>
        <label for="sample-size">items in the sample</label>
        <input
          id="sample-size"
          type="number"
          min={1}
          max={10_000}
          value={size}
          onInput={event => setSize(Number(event.currentTarget.value))}
        />
      </div>
      <button type="submit" class="plain" disabled={!canWrite()}>
        Draw a sample
      </button>
      {!canWrite() && <span class="remark">{readOnlyText}</span>}
    </form>
  )
}

interface MarkingProps {
  readonly sheet: AuditSheetData
  /** Returns whether the mark was saved. */
  onMark(mark: MarkChange): Promise<boolean>
}

function Marking({ sheet, onMark }: MarkingProps) {
  const [name, setName] = useState(readMarkerName())
  const place = findMarkerPlace(sheet, name)
  const ownMark = (item: AuditedItem): string => (name === '' ? '' : item.marks[place])
  const [at, setAt] = useState(() =>
    Math.max(
      0,
      sheet.items.findIndex(item => ownMark(item) === ''),
    ),
  )
  const item = sheet.items[at]
  const step = (by: number): void =>
    setAt(before => Math.min(sheet.items.length - 1, Math.max(0, before + by)))
  const mark = async (value: Mark): Promise<void> => {
    if (item === undefined) return
    const { id, attemptId } = item
    if ((await onMark({ id, attemptId, item: null, mark: value, marker: name })) && value !== '') step(1)
  }
  useMarkKeys({ mark: value => void mark(value), step, isReady: name !== '' && canWrite() })
  const marked = sheet.items.filter(auditItem => ownMark(auditItem) !== '').length
  return (
    <>
      <div class="bar">
        <MarkerField onChange={setName} />
        <span role="status">
          item {at + 1} of {sheet.items.length} · {marked} marked by you
        </span>
        <progress max={sheet.items.length} value={marked} aria-label="marked items" />
        <span class="remark">
          {sheet.markers.some(marker => marker !== '') &&
            `markers: ${sheet.markers.filter(marker => marker !== '').join(' and ')}`}
        </span>
      </div>
      {item !== undefined && (
        <article class="audited" key={item.id}>
          <dl class="facts compared">
            <dt>gold</dt>
            <dd>{showValue(item.gold)}</dd>
            <dt>answer</dt>
            <dd>{showValue(item.answer)}</dd>
          </dl>
          {name === '' ? (
            <p class="note">Enter your name to mark.</p>
          ) : (
            <MarkButtons current={ownMark(item)} onMark={value => void mark(value)} />
          )}
          <div class="bar">
            <button type="button" class="plain" disabled={at === 0} onClick={() => step(-1)}>
              Previous <kbd>p</kbd>
            </button>
            <button
              type="button"
              class="plain"
              disabled={at === sheet.items.length - 1}
              onClick={() => step(1)}
            >
              Next <kbd>n</kbd>
            </button>
          </div>
          <ItemContext item={item} />
        </article>
      )}
    </>
  )
}

/** The question, the place of the item and where its evidence is, for a person to decide. */
function ItemContext({ item }: { readonly item: AuditedItem }) {
  const [attempt, setAttempt] = useState<AttemptData | null>(null)
  useEffect(() => void readAttempt(item.attemptId).then(setAttempt), [item.attemptId])
  const facts: readonly (readonly [string, string])[] = [
    ['task', item.taskId],
    ['place', item.place],
    ...(attempt === null ? [] : placeIn(attempt, item)),
    ['documents', attempt?.documentNames.join(' · ') ?? ''],
  ]
  return (
    <>
      {attempt?.questions.map(question => (
        <p class="query" key={question}>
          {question}
        </p>
      ))}
      <FactList facts={facts.filter(([, value]) => value !== '')} />
      <p>
        <a href={formatAddress({ name: 'attempt', id: item.attemptId, event: null })}>
          The attempt and its trace
        </a>
      </p>
    </>
  )
}

/** Returns the gold row that contains the item, and where its value is written. */
function placeIn({ scorings }: AttemptData, { item }: AuditedItem): readonly (readonly [string, string])[] {
  const isItem = (cell: string | CellData): cell is CellData => typeof cell !== 'string' && cell.item === item
  const row = scorings[0]?.rows.find(cells => cells.some(isItem)) ?? []
  const evidence = row.find(isItem)?.evidence
  return [
    ['gold row', row.filter(cell => typeof cell === 'string').join(' · ')],
    ...(evidence === undefined ? [] : listEvidenceFacts(evidence)),
  ]
}
