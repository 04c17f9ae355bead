import { useState } from 'preact/hooks'
import type { MetricDefinition } from '../../../core/metric.ts'
import type { ArmResult, PageData } from '../../page/page-data.ts'
import {
  countText,
  formatCompactCount,
  formatDollars,
  formatFineSeconds,
  formatMetric,
  formatP,
  formatPercent,
  formatSigned,
  meanText,
  narrowMark,
  sampleText,
  unknown,
} from '../../tables/value-text.ts'
import { pickLossColour } from '../figures/loss-colours.ts'
import { ArmName, fitArmNames } from './arm-name.tsx'
import { ScrollBox } from './parts.tsx'

/** Each arm with its mean score, its interval as a bar, and where its items were lost. */
export function ArmResults({ data }: { readonly data: PageData }) {
  const [wantsAll, setWantsAll] = useState(false)
  const [metric] = data.metrics
  if (metric === undefined || data.results.every(({ mean }) => mean === null)) return null
  const isWhole = wantsAll || data.results.length <= mostArms
  return (
    <section aria-label="arms at a glance">
      <ArmTable data={data} metric={metric} isWhole={isWhole} />
      {data.results.length > mostArms && (
        <button
          type="button"
          class="plain"
          aria-expanded={isWhole}
          onClick={() => setWantsAll(before => !before)}
        >
          {isWhole ? 'Show the best and the worst arms' : `Show all ${data.results.length} arms`}
        </button>
      )}
      <p class="remark">{explainColumns(data).join(' ')}</p>
      <LossLegend results={data.results} />
    </section>
  )
}

/** Says what the columns of the table are over. */
function explainColumns({ results, scoring }: PageData): string[] {
  const has = (key: keyof ArmResult): boolean => results.some(result => result[key] !== undefined)
  const hasOwnTasks = has('ownTasks')
  const baselines = listBaselines(results)
  const floor = has('floor') ? 'the right keys with empty cells get, and what ' : ''
  return [
    `Means over ${hasOwnTasks ? 'the tasks that all arms scored' : 'all tasks'} (${scoring}).`,
    hasOwnTasks ? 'own tasks: mean over all scored tasks of the arm, which differ between arms.' : '',
    'Intervals are over groups of tasks that share documents.',
    baselines.length > 0
      ? 'minus: over the tasks that both scored, with the interval and p corrected for all arms.'
      : '',
    baselines.length > 1
      ? 'Forks are compared with those of the same cause that change nothing (fork=none).'
      : '',
    has('ceiling') ? `Brackets: what ${floor}the gold itself gets.` : '',
  ].filter(sentence => sentence !== '')
}

/** The arms with which others are compared. Only forks have several. */
const listBaselines = (results: readonly ArmResult[]): ArmResult[] =>
  results.filter(({ difference }) => difference === 'baseline')

/** The colours of the loss classes that the arms have. */
function LossLegend({ results }: { readonly results: readonly ArmResult[] }) {
  const classes = [...new Set(results.flatMap(({ losses }) => losses.map(([name]) => name)))]
  if (classes.length === 0) return null
  return (
    <ul class="legend">
      {['correct', ...classes].map(name => (
        <li key={name}>
          <span class="swatch" style={{ background: pickLossColour(name) ?? undefined }} />
          {name}
        </li>
      ))}
    </ul>
  )
}

interface ArmTableProps {
  readonly data: PageData
  readonly metric: MetricDefinition
  /** Whether all arms are shown, not only the best and the worst. */
  readonly isWhole: boolean
}

function ArmTable({ data, metric, isWhole }: ArmTableProps) {
  const isControl = ({ arm }: ArmResult): boolean => data.arms[arm]?.isControl === true
  const arms = data.results.filter(result => !isControl(result))
  const controls = isWhole ? data.results.filter(isControl) : []
  const shownNames = fitArmNames(
    data.results.map(({ arm }) => findArmName(data, arm)),
    document.documentElement.clientWidth,
  )
  const hasOwnTasks = data.results.some(({ ownTasks }) => ownTasks !== undefined)
  const [baseline, ...furtherBaselines] = listBaselines(data.results)
  const row = { data, metric, shownNames, hasOwnTasks, isCompared: baseline !== undefined }
  const heads: readonly (readonly [text: string, isNumber: boolean])[] = [
    ['arm', false],
    [metric.label, true],
    ['95% interval', false],
    ...(hasOwnTasks ? ([['own tasks (n)', true]] as const) : []),
    ['correct and lost items', false],
    ['answered', true],
    ...(baseline === undefined
      ? []
      : ([
          [`minus ${furtherBaselines.length > 0 ? 'baseline' : findArmName(data, baseline.arm)}`, true],
        ] as const)),
    ['cost of an attempt', true],
    ['n', false],
  ]
  return (
    <ScrollBox label="arms at a glance">
      <table class="arms">
        <thead>
          <tr>
            {heads.map(([text, isNumber]) => (
              <th key={text} scope="col" class={isNumber ? 'number' : undefined}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {(isWhole ? arms : pickBestAndWorst(arms, metric)).map(result => (
            <ArmRow key={result.arm} {...row} result={result} />
          ))}
          {controls.length > 0 && (
            <tr class="group">
              <th scope="rowgroup" colSpan={heads.length}>
                controls
              </th>
            </tr>
          )}
          {controls.map(result => (
            <ArmRow key={result.arm} {...row} result={result} />
          ))}
        </tbody>
      </table>
    </ScrollBox>
  )
}

/** With more arms, the first screen shows the best and the worst. */
const mostArms = 12

/** Returns the best and the worst arms, in their order. */
function pickBestAndWorst(results: readonly ArmResult[], metric: MetricDefinition): readonly ArmResult[] {
  if (results.length <= mostArms) return results
  const ranked = results.toSorted((a, b) => rankResult(metric, b) - rankResult(metric, a))
  const half = mostArms / 2
  const extremes = new Set([...ranked.slice(0, half), ...ranked.slice(-half)])
  return results.filter(result => extremes.has(result))
}

/** Arms without a mean come last. */
function rankResult({ better }: MetricDefinition, { mean }: ArmResult): number {
  if (mean === null) return Number.NEGATIVE_INFINITY
  return better === 'higher' ? mean : -mean
}

function findArmName({ arms }: PageData, arm: number): string {
  return arms[arm]?.name ?? ''
}

interface ResultProps {
  readonly data: PageData
  readonly metric: MetricDefinition
  readonly result: ArmResult
}

interface ArmRowProps extends ResultProps {
  /** The names as they fit, by whole name. */
  readonly shownNames: ReadonlyMap<string, string>
  readonly hasOwnTasks: boolean
  /** Whether arms are compared with a baseline. */
  readonly isCompared: boolean
}

function ArmRow({ data, metric, result, shownNames, hasOwnTasks, isCompared }: ArmRowProps) {
  const name = findArmName(data, result.arm)
  const { mean, bounds, answered, success, ownTasks } = result
  return (
    <tr>
      <ArmName name={name} shown={shownNames.get(name) ?? name} />
      <td class="number value" data-metric={metric.label}>
        {meanText(metric, { mean, bounds })}
      </td>
      <td class="wide-cell">
        <IntervalBar metric={metric} result={result} data={data} />
      </td>
      {hasOwnTasks && (
        <td class="number" data-label="own tasks">
          {ownTasks === undefined ? '' : `${formatMetric(metric, ownTasks.mean)} (${ownTasks.n})`}
        </td>
      )}
      <td class="wide-cell">
        <LossBar result={result} />
      </td>
      <td class="number" data-label="answered">
        {formatPercent(answered)}
        <small>success {formatPercent(success)}</small>
      </td>
      {isCompared && (
        <td class="number" data-label={result.difference === 'baseline' ? '' : 'minus baseline'}>
          <Difference metric={metric} result={result} />
        </td>
      )}
      <td class="number cost" data-label="cost of an attempt">
        <Cost {...{ data, metric, result }} />
      </td>
      <td class="sample">
        <Sample result={result} />
      </td>
    </tr>
  )
}

/** The difference to the baseline, with its interval and corrected p-value. */
function Difference({ metric, result: { difference } }: Pick<ResultProps, 'metric' | 'result'>) {
  if (difference === null || difference === 'baseline') return <>{difference ?? unknown}</>
  const { mean, low, high, pValue } = difference
  return (
    <>
      {formatSigned(metric, mean)}
      {low !== null && (
        <small>
          [{formatSigned(metric, low)}, {formatSigned(metric, high)}] p {formatP(pValue)}
        </small>
      )}
    </>
  )
}

/** What an attempt and a correct item cost on average: money when any was paid, tokens and time. */
function Cost({ result: { usd, tokens, wallMs, usdPerItem, wallMsPerItem } }: ResultProps) {
  const perItem = [
    ...(usdPerItem === null || usdPerItem === 0 ? [] : [`US$\u00a0${formatDollars(usdPerItem)}`]),
    ...(wallMsPerItem === null ? [] : [`${formatFineSeconds(wallMsPerItem)} s`]),
  ]
  const amounts = [
    ...(tokens === null ? [] : [`${formatCompactCount(tokens)} tokens`]),
    ...(wallMs === null ? [] : [`${formatFineSeconds(wallMs)} s`]),
  ]
  if (usd === null && amounts.length === 0) return <>{unknown}</>
  return (
    <>
      {usd === null ? '' : `US$ ${formatDollars(usd)} `}
      <small>{amounts.join(' · ')}</small>
      {perItem.length > 0 && <small>a correct item: {perItem.join(' · ')}</small>}
    </>
  )
}

/** What the mean is over: `16 tasks, 6 groups`, and below it what is special about its attempts. */
function Sample({ result }: { readonly result: ArmResult }) {
  const { n, unscored, tasks, unratedItems, components } = result
  const parts = [
    ...(n === tasks ? [] : [countText(n, 'attempt')]),
    ...(unscored === 0 ? [] : [`${unscored} unscored`]),
    ...(unratedItems === 0 ? [] : [`${countText(unratedItems, 'item')} not rated`]),
  ]
  return (
    <>
      {components === null ? countText(tasks, 'task') : sampleText(tasks, components)}
      {parts.length > 0 && <small>{parts.join(', ')}</small>}
    </>
  )
}

/** The mean and its interval on the scale of the metric, with the interval as text. */
function IntervalBar({ metric, result: { mean, low, high, isNarrow, floor, ceiling }, data }: ResultProps) {
  if (mean === null) return null
  const ends = data.results.flatMap(arm => [arm.mean ?? 0, arm.low ?? 0, arm.high ?? 0])
  const [least, most] = [metric.range[0] ?? Math.min(0, ...ends), metric.range[1] ?? Math.max(0, ...ends)]
  const place = (value: number): number => (100 * (value - least)) / (most - least || 1)
  const text =
    low === null || high === null
      ? 'no interval'
      : `${formatMetric(metric, low)} to ${formatMetric(metric, high)}${isNarrow === true ? narrowMark : ''}`
  return (
    <div class="interval">
      <span class="track" aria-hidden="true">
        {low !== null && high !== null && (
          <span class="range" style={{ left: `${place(low)}%`, width: `${place(high) - place(low)}%` }} />
        )}
        {[floor, ceiling].map(
          (limit, at) =>
            limit !== undefined && (
              <span
                key={at}
                class={at === 0 ? 'limit floor' : 'limit ceiling'}
                style={{ left: `${place(limit)}%` }}
              />
            ),
        )}
        <span class="mean" style={{ left: `${place(mean)}%` }} />
      </span>
      <small>{text}</small>
    </div>
  )
}

/** The shares of correct and lost items as one bar. The text has the same numbers. */
function LossBar({ result: { recall, losses } }: { readonly result: ArmResult }) {
  if (recall === null) return null
  const parts: readonly (readonly [string, number])[] = [['correct', recall], ...losses]
  const text = parts.map(([name, share]) => `${name} ${formatPercent(share)}%`).join(', ')
  return (
    <div class="losses" role="img" aria-label={text} title={text}>
      {parts.map(([name, share]) => (
        <span
          key={name}
          style={{ width: `${100 * share}%`, background: pickLossColour(name) ?? undefined }}
        />
      ))}
    </div>
  )
}
