import { formatCompactCount, formatFineSeconds } from '../../tables/value-text.ts'
import type { ShownTrace, TraceStep } from '../../trace/trace-steps.ts'
import { formatAddress } from '../address.ts'

interface TimelineProps {
  readonly attemptId: string
  readonly trace: ShownTrace
  /** The event that is open; null for none. */
  readonly chosen: number | null
}

const lanes: readonly (readonly [TraceStep['kind'], string])[] = [
  ['model', 'model'],
  ['search', 'search'],
  ['fetch', 'pages'],
  ['wait', 'waits'],
]
const [laneHeight, labelWidth, width, tokenHeight] = [20, 60, 1000, 60]
/** Shorter events are drawn this wide, so that they can be seen and clicked. */
const leastWidth = 3

/** When the model, searches and page reads took place, and how many tokens were spent, against the budget. */
export function Timeline({ attemptId, trace: { steps, tokenCap }, chosen }: TimelineProps) {
  const timed = steps.filter(({ kind }) => kind !== 'other')
  const lastMs = Math.max(1, ...steps.map(({ endMs }) => endMs))
  if (timed.length < 2) return null
  const shown = lanes.filter(([kind]) => timed.some(step => step.kind === kind))
  const place = (ms: number): number => labelWidth + ((width - labelWidth) * ms) / lastMs
  const height = shown.length * laneHeight + tokenHeight + 24
  const spent = Math.max(0, ...steps.map(({ tokens }) => tokens))
  const budget = tokenCap === null ? '' : ` of ${formatCompactCount(tokenCap)}`
  const name = `Timeline over ${formatFineSeconds(lastMs)} seconds: ${formatCompactCount(spent)}${budget} tokens`
  return (
    <figure class="timeline">
      <figcaption>{name}</figcaption>
      {tokenCap !== null && <BudgetBar spent={spent} cap={tokenCap} />}
      <div class="chart" tabIndex={0} role="group" aria-label="timeline">
        <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} aria-label={name}>
          <title>{name}</title>
          {shown.map(([kind, label], lane) => (
            <g key={kind} class={`lane-${kind}`}>
              <text x={0} y={lane * laneHeight + 14}>
                {label}
              </text>
              {timed
                .filter(step => step.kind === kind)
                .map(step => (
                  <a key={step.seq} href={formatAddress({ name: 'attempt', id: attemptId, event: step.seq })}>
                    <rect
                      class={step.seq === chosen ? 'chosen' : undefined}
                      x={place(step.startMs)}
                      y={lane * laneHeight + 3}
                      width={Math.max(leastWidth, place(step.endMs) - place(step.startMs))}
                      height={laneHeight - 6}
                    >
                      <title>{`${step.title} ${step.facts}`}</title>
                    </rect>
                  </a>
                ))}
            </g>
          ))}
          <TokenLine steps={steps} cap={tokenCap} place={place} top={shown.length * laneHeight + 8} />
          <text x={labelWidth} y={height - 2}>
            0 s
          </text>
          <text x={width} y={height - 2} text-anchor="end">
            {formatFineSeconds(lastMs)} s
          </text>
        </svg>
      </div>
    </figure>
  )
}

/** The share of the token budget that the attempt used. */
function BudgetBar({ spent, cap }: { readonly spent: number; readonly cap: number }) {
  const share = (100 * spent) / cap
  const text = share > 0 && share < 1 ? 'less than 1%' : `${Math.round(share)}%`
  return (
    <p class="budget">
      <progress max={cap} value={Math.min(spent, cap)} aria-label="share of the token budget" /> {text} of the
      token budget used
    </p>
  )
}

interface TokenLineProps {
  readonly steps: readonly TraceStep[]
  readonly cap: number | null
  readonly place: (ms: number) => number
  readonly top: number
}

/** The tokens spent so far as a step line, with the budget as a dashed line if the attempt came near it. */
function TokenLine({ steps, cap, place, top }: TokenLineProps) {
  const spent = Math.max(1, ...steps.map(({ tokens }) => tokens))
  const isNear = cap !== null && spent > cap / 4
  const most = isNear ? Math.max(spent, cap) : spent
  const y = (tokens: number): number => top + tokenHeight - 8 - ((tokenHeight - 12) * tokens) / most
  const points = steps.map(({ endMs, tokens }) => `${place(endMs)},${y(tokens)}`)
  return (
    <g class="tokens">
      <text x={0} y={top + tokenHeight / 2}>
        tokens
      </text>
      <polyline points={points.join(' ')} />
      {isNear && <line x1={labelWidth} x2={width} y1={y(cap)} y2={y(cap)} />}
    </g>
  )
}
