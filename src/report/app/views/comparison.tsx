import { useMemo, useState } from 'preact/hooks'
import type { MetricDefinition } from '../../../core/metric.ts'
import { rightFrom } from '../../model/metrics.ts'
import type { PageData, RunFacts } from '../../page/page-data.ts'
import { countText, formatMetric, formatSigned } from '../../tables/value-text.ts'
import { formatAddress } from '../address.ts'
import { compareOptions, listChanges, pairArms, type TaskChange } from '../run-changes.ts'
import { ScrollingTable, useFirstItems } from './parts.tsx'

/** What only a comparison of runs has: the tasks whose result flipped, and the options in which the runs differ. */
export function Comparison({ data }: { readonly data: PageData }) {
  return (
    <>
      <Changes data={data} />
      <Options runs={data.runs} />
    </>
  )
}

/** More tasks are shown when a reader asks for them. */
const mostChanges = 8

/** The tasks that changed between the runs, or between the arms of one run. Those whose result flipped come first. */
export function Changes({ data }: { readonly data: PageData }) {
  const changes = useMemo(() => listChanges(data), [data])
  const { shown, button } = useFirstItems(changes, mostChanges, 'changes')
  const [metric] = data.metrics
  if (metric === undefined || pairArms(data).length === 0) return null
  const flips = changes.filter(({ flip }) => flip !== null).length
  return (
    <section aria-label="tasks that changed">
      <h2 class="minor">
        {flips === 0 ? 'No result flipped' : `${countText(flips, 'result')} flipped`}
        {changes.length > flips && `, ${changes.length - flips} changed otherwise`}
      </h2>
      {changes.length > 0 && (
        <ScrollingTable header={['task', 'result', metric.label, 'change', 'arms']}>
          {shown.map(change => (
            <ChangeRow
              key={`${change.before} ${change.after} ${change.task}`}
              {...{ data, metric, change }}
            />
          ))}
        </ScrollingTable>
      )}
      {button}
      <p class="remark">
        A result is right from {formatMetric({ unit: 'share' }, rightFrom)}% of the best value.{' '}
        {data.runs.length === 1
          ? 'Each arm is compared with its baseline.'
          : 'Arms of one setting are compared, the first run with each other one.'}{' '}
        A task opens with both answers beside each other.
      </p>
    </section>
  )
}

interface ChangeRowProps {
  readonly data: PageData
  readonly metric: MetricDefinition
  readonly change: TaskChange
}

const flipTexts = { gained: 'wrong → right', lost: 'right → wrong' } as const

function ChangeRow({ data: { arms, tasks }, metric, change }: ChangeRowProps) {
  const { before, after, task, valueBefore, valueAfter, flip } = change
  const id = tasks[task]?.id ?? ''
  const address = formatAddress({ name: 'task', id, item: null, attempt: null, arms: [before, after] })
  return (
    <tr>
      <th scope="row" class="changed-task">
        <a href={address}>{id}</a>
      </th>
      <td class={flip === null ? undefined : `flip-${flip}`}>{flip === null ? '' : flipTexts[flip]}</td>
      <td class="number">
        {formatMetric(metric, valueBefore)} → {formatMetric(metric, valueAfter)}
      </td>
      <td class="number">{formatSigned(metric, valueAfter - valueBefore)}</td>
      <td>
        {arms[before]?.name} → {arms[after]?.name}
      </td>
    </tr>
  )
}

/** The options of the runs beside each other, at first only those that differ. */
function Options({ runs }: { readonly runs: readonly RunFacts[] }) {
  const [isWhole, setWhole] = useState(false)
  const rows = compareOptions(runs)
  const differing = rows.filter(({ differs }) => differs)
  if (rows.length === 0) return null
  return (
    <section aria-label="options of the runs">
      <h2 class="minor">
        {differing.length === 0 ? 'The runs have the same options' : 'What differs between the runs'}{' '}
        <label class="only-differing">
          <input type="checkbox" checked={!isWhole} onChange={() => setWhole(!isWhole)} /> only what differs
        </label>
      </h2>
      {(isWhole || differing.length > 0) && (
        <ScrollingTable header={['option', ...runs.map(({ name }) => name)]}>
          {(isWhole ? rows : differing).map(({ name, values, differs }) => (
            <tr key={name} class={differs && isWhole ? 'chosen' : undefined}>
              <th scope="row">{name}</th>
              {values.map((value, at) => (
                <td key={at} class="text">
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </ScrollingTable>
      )}
    </section>
  )
}
