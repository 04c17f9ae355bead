import type { AttemptData, CellData } from '../../page/attempt-data.ts'
import { addressOf } from '../address.ts'

interface CellCauseProps {
  readonly item: string
  readonly cell: CellData
  readonly attempt: AttemptData
  /** The name of the arm. */
  readonly arm: string
}

/** Why an item is right or wrong: gold, answer, rule, the row that it was matched with and its class. */
export function CellCause({ item, cell, attempt, arm }: CellCauseProps) {
  const facts: readonly (readonly [string, string])[] = [
    ['gold', cell.gold === '' ? '(empty)' : cell.gold],
    ['answer', cell.predicted ?? 'missing'],
    ['score', cell.score === null ? 'unscored' : cell.score.toFixed(2)],
    ['rule', cell.rule],
    ['compared with', cell.match === '' ? 'no row of the answer' : cell.match],
    ['class', cell.class === '' ? 'unknown' : cell.class],
  ]
  return (
    <aside class="cause" aria-label="why">
      <h2>
        {item} · {arm}
      </h2>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
      <p>
        <a href={addressOf({ name: 'attempt', id: attempt.id, event: null })}>The attempt and its trace</a>
      </p>
    </aside>
  )
}
