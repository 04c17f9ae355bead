import { useLayoutEffect, useRef } from 'preact/hooks'
import type { LossClass } from '../../model/report-rows.ts'
import { lossMeanings } from '../../model/waterfall.ts'
import type { AttemptData, CellData } from '../../page/attempt-data.ts'
import { formatAddress } from '../address.ts'
import { showText, showValue } from '../visible-text.ts'
import { FactList } from './parts.tsx'

interface CellCauseProps {
  readonly item: string
  readonly cell: CellData
  readonly attempt: AttemptData
  /** The name of the arm. */
  readonly arm: string
}

/** Why an item is right or wrong: gold, answer, rule, the row that it was matched with, its class and its evidence. */
export function CellCause({ item, cell, attempt, arm }: CellCauseProps) {
  const { evidence } = cell
  const panel = useRef<HTMLElement>(null)
  useLayoutEffect(() => panel.current?.focus({ preventScroll: true }), [item, attempt.id])
  const facts: readonly (readonly [string, string])[] = [
    ['gold', showValue(cell.gold)],
    ['answer', showValue(cell.predicted)],
    ['score', cell.score === null ? 'unscored' : cell.score.toFixed(2)],
    ['rule', cell.rule],
    ...(attempt.answer.rows.length === 0 && cell.match === ''
      ? []
      : ([['compared with', matchText(cell.match)]] as const)),
    ['class', describeClass(cell.class)],
    ...(evidence === undefined
      ? []
      : ([
          ...listEvidenceFacts(evidence),
          ['in the attempt', `${states[evidence.state]}${stepText(cell)}`],
        ] as const)),
  ]
  const answerRow = attempt.answer.rows[cell.row ?? -1]
  return (
    <aside class="cause" aria-label="why" ref={panel} tabIndex={-1}>
      <a class="close" href={formatAddress({ name: 'task', id: attempt.taskId, item: null, attempt: null })}>
        close
      </a>
      <h2>
        {item} · {arm}
      </h2>
      <FactList facts={facts} />
      {evidence === undefined && (
        <p class="remark">
          No line of a document is known for this value: no document contains it, the documents are unknown,
          or the run is of a version that did not record it.
        </p>
      )}
      <p>
        <a href={formatAddress({ name: 'attempt', id: attempt.id, event: null, cause: item })}>
          {evidence === undefined ? 'The attempt and its trace' : 'Show it in the trace'}
        </a>
      </p>
      {answerRow !== undefined && (
        <details>
          <summary>The whole row of the answer</summary>
          <FactList
            facts={answerRow.map((value, at) => [attempt.answer.header[at] ?? '', showText(value)])}
          />
        </details>
      )}
    </aside>
  )
}

const states = {
  shown: 'the model was shown this line',
  cut: 'this line was left out of the prompt or removed from the context window',
  missed: 'this line never reached the model',
} as const

function stepText({ evidence }: CellData): string {
  if (evidence === undefined || evidence.step === null) return ''
  return evidence.state === 'missed'
    ? `; the attempt came closest to it in turn ${evidence.step}`
    : ` (turn ${evidence.step})`
}

/** Where the value of an item is written. */
export function listEvidenceFacts({
  document,
  page,
  line,
}: NonNullable<CellData['evidence']>): readonly (readonly [string, string])[] {
  return [
    ['document', `${document}${page === null ? '' : `, page ${page}`}`],
    ['evidence', line],
  ]
}

/** The name of a class with its meaning. */
export function describeClass(name: string): string {
  if (name === 'correct') return 'correct: the answer has the gold value'
  return `${name === '' ? 'unknown' : name}: ${lossMeanings[(name === '' ? 'unknown' : name) as LossClass]}`
}

function matchText(match: string): string {
  return match === '' ? 'no row of the answer' : match.replace(/^row \d+/, '$& of the answer')
}
