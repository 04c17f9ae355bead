import type { CellData, DifferenceData, ScoringData } from '../../page/attempt-data.ts'
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

/** What a scoring compared: gold and answer, cell by cell. */
export function ScoringTable({ scoring }: { readonly scoring: ScoringData }) {
  const { title, columns, rows, difference } = scoring
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
                    {cell}
                  </td>
                ) : (
                  <ComparedCell key={column} cell={cell} />
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
function ComparedCell({ cell }: { readonly cell: CellData }) {
  const { gold, predicted, score, rule, match } = cell
  const partial = score !== null && score > 0 && score < 1 ? ` · ${score.toFixed(2)}` : ''
  const shown = predicted === null ? 'missing' : predicted === '' ? 'empty' : predicted
  return (
    <td class={`cell class-${cell.class === '' ? 'none' : cell.class}`}>
      <div class="gold">{gold === '' ? '(empty)' : gold}</div>
      {predicted !== gold && <div class={predicted === null ? 'absent' : 'predicted'}>{shown}</div>}
      <div class="verdict">
        {cell.class === '' ? 'unknown class' : cell.class} · {rule}
        {partial}
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
