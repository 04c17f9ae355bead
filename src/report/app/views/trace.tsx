import { useEffect, useRef, useState } from 'preact/hooks'
import type { ShownTrace, TraceStep } from '../../trace/trace-steps.ts'
import { addressOf } from '../address.ts'
import { canLoadTraces, loadTrace } from '../read-page.ts'
import { TextBox } from './parts.tsx'
import { Timeline } from './timeline.tsx'

interface TraceProps {
  readonly attemptId: string
  /** Null when the file does not contain the trace. Then a file beside it or the server of `view` has it. */
  readonly trace: ShownTrace | null
  /** The event to open. */
  readonly event: number | null
}

/** The trace of an attempt, from the file, from a file beside it, or from the server of `view`. */
export function Trace({ attemptId, trace, event }: TraceProps) {
  const [loaded, setLoaded] = useState<ShownTrace | string | null>(trace)
  useEffect(() => {
    if (trace === null && canLoadTraces())
      loadTrace(attemptId).then(setLoaded, (error: unknown) =>
        setLoaded(`The trace could not be loaded: ${error}`),
      )
  }, [attemptId, trace])
  if (loaded === null)
    return (
      <p>
        {canLoadTraces()
          ? 'Loading …'
          : 'This file does not contain the trace. `tablehunt view RUN` shows the report with all traces.'}
      </p>
    )
  if (typeof loaded === 'string') return <p>{loaded}</p>
  return (
    <>
      <Timeline trace={loaded} attemptId={attemptId} />
      <TraceList attemptId={attemptId} steps={loaded.steps} event={event} />
    </>
  )
}

interface TraceListProps extends Omit<TraceProps, 'trace'> {
  readonly steps: readonly TraceStep[]
}

/** The events as a list of folded steps with a search field. */
function TraceList({ attemptId, steps, event }: TraceListProps) {
  const [wanted, setWanted] = useState('')
  const found = steps.filter(step => wanted === '' || textOf(step).includes(wanted.toLowerCase()))
  return (
    <div class="trace">
      <input
        type="search"
        aria-label="search in the trace"
        placeholder="search in the trace"
        onInput={({ currentTarget }) => setWanted(currentTarget.value)}
      />
      {found.map(step => (
        <Step
          key={step.seq}
          attemptId={attemptId}
          step={step}
          isOpen={wanted !== ''}
          isTarget={step.seq === event}
        />
      ))}
    </div>
  )
}

function textOf({ title, facts, blocks }: TraceStep): string {
  return [title, facts, ...blocks.map(({ label, text }) => `${label} ${text}`)].join(' ').toLowerCase()
}

interface StepProps {
  readonly attemptId: string
  readonly step: TraceStep
  readonly isOpen: boolean
  /** Whether the address names this event. */
  readonly isTarget: boolean
}

function Step({ attemptId, step, isOpen, isTarget }: StepProps) {
  const fold = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    if (!isTarget || fold.current === null) return
    fold.current.querySelector('summary')?.focus()
    fold.current.scrollIntoView()
  }, [isTarget])
  return (
    <details ref={fold} open={isOpen || isTarget} data-event={step.seq}>
      <summary>
        <span class="step">{step.step}</span> {step.title} <span class="remark">{step.facts}</span>
      </summary>
      <a class="remark" href={addressOf({ name: 'attempt', id: attemptId, event: step.seq })}>
        link to this event
      </a>
      {step.blocks.map(({ label, text }, at) => (
        <>
          {label !== '' && <h3>{label}</h3>}
          <TextBox key={at} text={text} />
        </>
      ))}
    </details>
  )
}
