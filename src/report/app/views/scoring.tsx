import type { AttemptData, CellData, DifferenceData, ScoringData } from '../../page/attempt-data.ts'
import { formatAddress } from '../address.ts'
import { nameCells } from '../cells.ts'
import { showText, showValue } from '../visible-text.ts'
import { PlainTable, ScrollingTable } from './parts.tsx'

/** The result of a scoring with the sentences that explain it. */
export function Explanation({ scoring }: { readonly scoring: ScoringData }) {
  if (scoring.explanation.length === 0) return null
  return (
    <>
      <p class="result">{scoring.result}</p>
      <ul class="explanation">
        {scoring.explanation.map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </>
  )
}

interface ScoringTableProps {
  readonly scoring: ScoringData
  readonly attempt: AttemptData
  /** Whether it is the first scoring, whose cells lead to their causes. */
  readonly isFirst: boolean
}

/** What a scoring compared: gold and answer, cell by cell. */
export function ScoringTable({ scoring, attempt, isFirst }: ScoringTableProps) {
  const { title, columns, rows, difference } = scoring
  const names = nameCells(scoring)
  return (
    <>
      <h2>{title}</h2>
      {rows.length === 0 ? (
        <p class="remark">There was nothing to compare.</p>
      ) : (
        <ScrollingTable header={columns}>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) =>
                typeof cell === 'string' ? (
                  <td key={column} class="key">
                    {showText(cell)}
                  </td>
                ) : (
                  <ComparedCell
                    key={column}
                    cell={cell}
                    cause={
                      isFirst
                        ? formatAddress({
                            name: 'task',
                            id: attempt.taskId,
                            item: names.get(cell)?.item ?? '',
                            attempt: attempt.id,
                          })
                        : null
                    }
                  />
                ),
              )}
            </tr>
          ))}
        </ScrollingTable>
      )}
      {difference !== null && <Difference difference={difference} />}
    </>
  )
}

/** A cell with gold above the answer, then class and rule as text, because colour alone is not accessible. */
function ComparedCell({ cell, cause }: { readonly cell: CellData; readonly cause: string | null }) {
  const { gold, predicted, score, rule, match } = cell
  const partial = score !== null && score > 0 && score < 1 ? ` · ${score.toFixed(2)}` : ''
  return (
    <td class={`cell class-${cell.class === '' ? 'none' : cell.class}`}>
      <div class="gold">{showValue(gold)}</div>
      {predicted !== gold && (
        <div class={predicted === null ? 'absent' : 'predicted'}>{showValue(predicted, 'empty')}</div>
      )}
      <div class="verdict">
        {cell.class === '' ? 'unknown class' : cell.class} · {rule}
        {partial}
        {cause !== null && cell.class !== 'correct' && (
          <>
            {' · '}
            <a href={cause}>why</a>
          </>
        )}
      </div>
      {match !== '' && <div class="verdict match">{match}</div>}
    </td>
  )
}

function Difference({ difference }: { readonly difference: DifferenceData }) {
  return (
    <>
      <h3>{difference.title}</h3>
      <p class="remark">{difference.remark}</p>
      <PlainTable header={difference.header} rows={difference.rows} />
    </>
  )
}
