import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { PlacedEvidence } from '../../../core/scored-item.ts'
import { formatCompactCount } from '../../tables/value-text.ts'
import type { ShownTrace, TraceStep } from '../../trace/trace-steps.ts'
import { formatAddress } from '../address.ts'
import { findEvidenceEvent, nameSought } from '../evidence-event.ts'
import { canLoadTraces, loadTrace } from '../read-page.ts'
import { findMatches, type Wanted } from './marked.tsx'
import { Timeline } from './timeline.tsx'
import { TraceText } from './trace-text.tsx'

interface TraceProps {
  readonly attemptId: string
  /** Null when the file does not contain the trace. Then a file beside it or the server of `view` has it. */
  readonly trace: ShownTrace | null
  /** The event to open. */
  readonly event: number | null
  /** The evidence to find and mark. Null: none. */
  readonly evidence: PlacedEvidence | null
  /** The address of the document of the evidence; null when unknown. */
  readonly address: string | null
}

/** The trace of an attempt, from the file, from a file beside it, or from the server of `view`. */
export function Trace({ attemptId, trace, event, evidence, address }: TraceProps) {
  const [loaded, setLoaded] = useState<ShownTrace | string | null>(trace)
  const line = evidence?.line ?? null
  useEffect(() => {
    if (trace === null && canLoadTraces())
      loadTrace(attemptId, line).then(setLoaded, (error: unknown) =>
        setLoaded(`The trace could not be loaded: ${error}`),
      )
  }, [attemptId, trace, line])
  if (loaded === null)
    return (
      <p>
        {canLoadTraces()
          ? 'Loading …'
          : 'This file does not contain the trace. `tablehunt view RUN` shows the report with all traces.'}
      </p>
    )
  if (typeof loaded === 'string') return <p>{loaded}</p>
  const evidenceEvent = evidence === null ? null : findEvidenceEvent(loaded.steps, evidence, address)
  return (
    <>
      <Timeline trace={loaded} attemptId={attemptId} chosen={event ?? evidenceEvent?.seq ?? null} />
      <TraceList
        attemptId={attemptId}
        trace={loaded}
        event={event ?? evidenceEvent?.seq ?? null}
        evidence={evidence}
        address={address}
      />
    </>
  )
}

interface TraceListProps extends Omit<TraceProps, 'trace'> {
  readonly trace: ShownTrace
}

/** The events as a list of folded steps with a search field. Matches are marked, and can be walked through. */
function TraceList({ attemptId, trace: { steps, tokenCap }, event, evidence, address }: TraceListProps) {
  const [text, setText] = useState('')
  const list = useRef<HTMLDivElement>(null)
  const matchingSteps = useMemo(() => {
    const lower = text.toLowerCase()
    return text === '' ? steps : steps.filter(step => joinStepText(step).includes(lower))
  }, [steps, text])
  const searchMatch = useMemo(
    (): Wanted | null => (text === '' ? null : { text, page: null, isExact: false }),
    [text],
  )
  const target = useMemo((): Wanted | null => {
    if (evidence === null) return null
    const { state, line, page } = evidence
    return state === 'missed'
      ? { text: nameSought(evidence, address), page: null, isExact: true }
      : { text: line, page: page ?? 0, isExact: true }
  }, [evidence, address])
  const spent = Math.max(1, tokenCap ?? 0, ...steps.map(({ tokens }) => tokens))
  // A call is charged after its answer, so the next event has the sum.
  const spentAfter = new Map(steps.map(({ seq }, at) => [seq, steps[at + 1]?.tokens ?? 0]))
  return (
    <div class="trace" ref={list}>
      <search class="filters">
        <input
          type="search"
          aria-label="search in the trace"
          placeholder="search in the trace"
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        {text !== '' && <Matches key={text} list={list} found={matchingSteps} text={text} />}
      </search>
      {matchingSteps.map(step => (
        <Step
          key={step.seq}
          attemptId={attemptId}
          step={step}
          isOpen={text !== ''}
          isTarget={step.seq === event}
          wanted={text === '' && step.seq === event ? target : searchMatch}
          spent={step.type === 'model-answered' ? (spentAfter.get(step.seq) ?? 0) : null}
          most={spent}
        />
      ))}
    </div>
  )
}

interface MatchesProps {
  readonly list: { readonly current: HTMLElement | null }
  readonly found: readonly TraceStep[]
  readonly text: string
}

/** How often the text was found, and buttons that scroll to the next and the previous match. */
function Matches({ list, found: steps, text }: MatchesProps) {
  const [at, setAt] = useState(0)
  const search = { text, page: null, isExact: false }
  const count = steps
    .flatMap(({ title, facts, blocks }) => [title, facts, ...blocks.map(block => block.text)])
    .reduce((sum, shownText) => sum + findMatches(shownText, search).length, 0)
  const show = (to: number): void => {
    const marks = [...(list.current?.querySelectorAll('mark') ?? [])]
    if (marks.length === 0) return
    const next = (to + marks.length) % marks.length
    for (const mark of marks) mark.classList.toggle('current', mark === marks[next])
    marks[next]?.scrollIntoView({ block: 'center' })
    setAt(next)
  }
  useEffect(() => show(0), [])
  return (
    <>
      <span role="status">
        {count === 0
          ? 'no match'
          : `${Math.min(at + 1, count)} of ${count} ${count === 1 ? 'match' : 'matches'}`}{' '}
        in {steps.length} {steps.length === 1 ? 'event' : 'events'}
      </span>
      {count > 1 && (
        <>
          <button type="button" class="plain" onClick={() => show(at - 1)}>
            previous match
          </button>
          <button type="button" class="plain" onClick={() => show(at + 1)}>
            next match
          </button>
        </>
      )}
    </>
  )
}

function joinStepText({ title, facts, blocks }: TraceStep): string {
  return [title, facts, ...blocks.map(({ label, text }) => `${label} ${text}`)].join(' ').toLowerCase()
}

interface StepProps {
  readonly attemptId: string
  readonly step: TraceStep
  readonly isOpen: boolean
  /** Whether the address names this event. */
  readonly isTarget: boolean
  /** What is marked in its texts. */
  readonly wanted: Wanted | null
  /** The tokens that were spent with this event; null where they are not shown. */
  readonly spent: number | null
  /** The tokens at which the bar is full. */
  readonly most: number
}

function Step({ attemptId, step, isOpen, isTarget, wanted: search, spent, most }: StepProps) {
  const fold = useRef<HTMLDetailsElement>(null)
  const [isUnfolded, setUnfolded] = useState(isOpen || isTarget)
  useEffect(() => setUnfolded(isOpen || isTarget), [isOpen, isTarget])
  useLayoutEffect(() => {
    if (!isTarget || !isUnfolded || fold.current === null) return
    fold.current.querySelector('summary')?.focus({ preventScroll: true })
    const place = fold.current.querySelector('mark') ?? fold.current
    place.scrollIntoView({ block: place === fold.current ? 'start' : 'center' })
  }, [isTarget, isUnfolded])
  return (
    <details
      ref={fold}
      open={isUnfolded}
      data-event={step.seq}
      class={isTarget ? `event kind-${step.kind} target` : `event kind-${step.kind}`}
      onToggle={({ currentTarget }) => setUnfolded(currentTarget.open)}
    >
      <summary>
        <span class="step">{step.step}</span> {step.title} <span class="remark">{step.facts}</span>
        {spent !== null && (
          <span class="spent" title={`${formatCompactCount(spent)} tokens so far`}>
            <span style={{ width: `${Math.min(100, (spent / most) * 100)}%` }} />
          </span>
        )}
      </summary>
      {isUnfolded && (
        <>
          <a class="remark" href={formatAddress({ name: 'attempt', id: attemptId, event: step.seq })}>
            link to this event
          </a>
          {step.blocks.map(({ label, text }, at) => (
            <TraceText key={at} label={label} text={text} wanted={search} />
          ))}
        </>
      )}
    </details>
  )
}
