import { useRef } from 'preact/hooks'
import type { RunProgress, ServedRun } from '../../page/served-data.ts'

interface RunBarProps {
  readonly served: ServedRun
  readonly progress: RunProgress | null
  readonly isReplaced: boolean
}

/** Above a served report: the way back to the index, and how far the run is. */
export function RunBar({ served, progress, isReplaced }: RunBarProps) {
  const isUnderWay = progress !== null && progress.state !== 'done'
  const wasUnderWay = useRef(false)
  wasUnderWay.current ||= isUnderWay
  const hasEnded = wasUnderWay.current && progress?.state === 'done'
  return (
    <section class="bar run-bar" aria-label="the run">
      {served.hasIndex && <a href="/">All runs</a>}
      {progress !== null && (isUnderWay || hasEnded) && <Progress progress={progress} />}
      <span role="status">{formatStatus(progress, isReplaced)}</span>
      {(isReplaced || hasEnded) && (
        <button type="button" class="plain" onClick={() => location.reload()}>
          Load the final report
        </button>
      )}
    </section>
  )
}

function formatStatus(progress: RunProgress | null, isReplaced: boolean): string {
  if (isReplaced) return 'The records were written again.'
  if (progress?.state === 'running') return 'Live: all views change as attempts end.'
  return ''
}

/** A bar with the number of attempts that have ended. */
export function Progress({
  progress: { state, done: endedCount, planned, failed },
}: {
  readonly progress: RunProgress
}) {
  const failures = failed === 0 ? '' : `, ${failed} failed`
  return (
    <span class={`progress ${state}`}>
      {state === 'done' ? null : (
        <progress max={planned} value={endedCount} aria-label="attempts that have ended" />
      )}{' '}
      {state} · {endedCount} / {planned}
      {failures}
    </span>
  )
}
