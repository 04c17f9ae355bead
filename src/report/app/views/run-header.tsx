import type { ArmResult, PageData } from '../../page/page-data.ts'
import { metricText } from '../../tables/metric-text.ts'
import { percent } from '../../tables/numbers.ts'

/** The largest number of cards. The tables show all arms. */
const maxCards = 12

/** What was run, its warnings, and the mean score of each arm. */
export function RunHeader({ data }: { readonly data: PageData }) {
  const shown = data.results.filter(({ arm, mean }) => mean !== null && data.arms[arm]?.isControl === false)
  return (
    <>
      <header>
        <h1>{data.title}</h1>
        <dl class="facts">
          {data.runs.flatMap(({ facts }) =>
            facts.map(([name, value]) => (
              <>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </>
            )),
          )}
        </dl>
      </header>
      {data.warnings.map(warning => (
        <p class="note" key={warning}>
          {warning}
        </p>
      ))}
      {data.remarks.map(remark => (
        <p class="remark" key={remark}>
          {remark}
        </p>
      ))}
      {shown.length > 0 && (
        <>
          <ul class="cards" aria-label="arms at a glance">
            {shown.slice(0, maxCards).map(result => (
              <ArmCard key={result.arm} data={data} result={result} />
            ))}
          </ul>
          <p class="remark">
            Means over all tasks with 95% intervals over groups of tasks that share documents ({data.scoring})
          </p>
        </>
      )}
    </>
  )
}

function ArmCard({ data, result }: { readonly data: PageData; readonly result: ArmResult }) {
  const [metric] = data.metrics
  if (metric === undefined) return null
  const { mean, low, high, answered, success, n, unscored } = result
  const interval =
    low === null || high === null ? [] : [`95%: ${metricText(metric, low)} to ${metricText(metric, high)}`]
  const shares = [`answered ${percent(answered)}`, `success ${percent(success)}`]
  const facts = [...interval, ...shares, `n ${n}${unscored === 0 ? '' : `, ${unscored} unscored`}`]
  return (
    <li>
      <span class="card-name">{data.arms[result.arm]?.name}</span>
      <span class="card-value">
        {metricText(metric, mean)}
        <small> {metric.label}</small>
      </span>
      <span class="card-facts">{facts.join(' · ')}</span>
    </li>
  )
}
