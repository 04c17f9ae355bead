import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { AttemptData, CellData } from '../../page/attempt-data.ts'
import type { PageData } from '../../page/page-data.ts'
import { formatMetric } from '../../tables/value-text.ts'
import { formatAddress, type View } from '../address.ts'
import { hasDifferentAnswers, type ItemFilter, passesItemFilter, type TaskItem } from '../task-items.ts'
import { showValue } from '../visible-text.ts'
import { Choice, ScrollBox } from './parts.tsx'

interface AnswersTableProps {
  readonly data: PageData
  /** One attempt for each arm. */
  readonly attempts: readonly AttemptData[]
  readonly items: readonly TaskItem[]
  readonly view: Extract<View, { name: 'task' }>
  readonly language: string | undefined
}

/** Gold and every arm's answer side by side, item by item. */
export function AnswersTable({ data, attempts, items, view, language }: AnswersTableProps) {
  const [filter, setFilter] = useState<ItemFilter>('all')
  const shown = items.filter(item => passesItemFilter(item, filter))
  const isNewRow = (at: number): boolean => shown[at]?.row !== '' && shown[at]?.row !== shown[at - 1]?.row
  return (
    <div class="answers-side">
      <div class="filters">
        <Choice
          name="show"
          value={filter}
          options={[
            ['all', 'all items'],
            ['wrong', 'wrong in an arm'],
            ['different', 'right in some arms only'],
            ['answers', 'different answers'],
          ]}
          onChange={show => setFilter(show)}
        />
        <span class="count" role="status">
          {shown.length} of {items.length} items
        </span>
      </div>
      <ScrollBox label="gold beside the answers" isTall>
        <table class="answers">
          <thead>
            <tr>
              <th scope="col">item</th>
              <th scope="col">gold</th>
              {attempts.map((attempt, at) => (
                <ArmHead key={attempt.id} {...{ data, attempt, items, at }} />
              ))}
            </tr>
          </thead>
          <tbody lang={language}>
            {shown.map((item, at) => (
              <>
                {isNewRow(at) && (
                  <tr class="group" key={`row ${item.row}`}>
                    <th scope="colgroup" colSpan={attempts.length + 2}>
                      <span class="stay">{item.row}</span>
                    </th>
                  </tr>
                )}
                <tr key={item.id} class={item.id === view.item ? 'chosen' : undefined}>
                  <th scope="row">{item.name}</th>
                  <td class="gold">
                    <div>{showValue(item.gold)}</div>
                  </td>
                  {attempts.map((attempt, arm) => (
                    <AnswerCell
                      key={attempt.id}
                      cell={item.cells[arm]}
                      isDifferent={attempts.length === 2 && hasDifferentAnswers(item)}
                      view={{ ...view, item: item.id, attempt: attempt.id }}
                      isChosen={item.id === view.item && attempt.id === view.attempt}
                    />
                  ))}
                </tr>
              </>
            ))}
          </tbody>
        </table>
        {shown.length === 0 && <p class="nothing">No item to show.</p>}
      </ScrollBox>
    </div>
  )
}

interface ArmHeadProps {
  readonly data: PageData
  readonly attempt: AttemptData
  readonly items: readonly TaskItem[]
  /** The place of the attempt in the items' cells. */
  readonly at: number
}

/** The arm with its score and its count of correct items. It links to the attempt. */
function ArmHead({ data, attempt, items, at }: ArmHeadProps) {
  const index = data.attempts.id.indexOf(attempt.id)
  const [metric] = data.metrics
  const value = metric === undefined ? null : (data.attempts.values[metric.key]?.[index] ?? null)
  const right = items.filter(({ cells }) => cells[at]?.class === 'correct').length
  return (
    <th scope="col">
      <a href={formatAddress({ name: 'attempt', id: attempt.id, event: null })}>
        {data.arms[data.attempts.arm[index] ?? -1]?.name}
      </a>
      <small>
        {metric !== undefined && value !== null && `${metric.label} ${formatMetric(metric, value)} · `}
        {right} of {items.length} correct
      </small>
    </th>
  )
}

interface AnswerCellProps {
  readonly cell: CellData | undefined
  readonly view: AnswersTableProps['view']
  readonly isChosen: boolean
  /** Whether the item has one other answer beside it, and that is different. */
  readonly isDifferent: boolean
}

/** The answer to one item. A click shows its cause. */
function AnswerCell({ cell, view, isChosen, isDifferent }: AnswerCellProps) {
  const place = useRef<HTMLTableCellElement>(null)
  // The panel with the cause may lie over the cell.
  useLayoutEffect(() => {
    if (isChosen) place.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [isChosen])
  if (cell === undefined) return <td class="empty">·</td>
  return (
    <td
      ref={place}
      class={`cell class-${cell.class === '' ? 'none' : cell.class}${isDifferent ? ' differs' : ''}`}
    >
      <a href={formatAddress(view)} aria-current={isChosen ? 'true' : undefined}>
        {showValue(cell.predicted, 'empty')}
      </a>
      <div class="verdict">
        {cell.class === '' ? 'unknown class' : cell.class}
        {isDifferent && (
          <span class="differs-mark" title="the answers differ">
            {' '}
            ≠<span class="hidden"> the answers differ</span>
          </span>
        )}
      </div>
    </td>
  )
}
