import type { Attempt } from '../core/attempt.ts'

/** What a run tells while it goes. */
export type RunEvent =
  | { readonly type: 'notice'; readonly text: string }
  | { readonly type: 'planned'; readonly folder: string; readonly planned: number; readonly finished: number }
  | { readonly type: 'attempt-started'; readonly attemptId: string; readonly label: string }
  | {
      readonly type: 'attempt-ended'
      readonly attempt: Attempt
      readonly label: string
      readonly cellF1: number | null
      /** The share of an extraction's fields that passed; null for a table. */
      readonly fieldsPassed: number | null
    }
  | { readonly type: 'stopping'; readonly graceMs: number }

export interface Progress {
  tell(event: RunEvent): void
  /** Ends the bar; nothing is written afterwards. */
  end(): void
}

interface Output {
  write(text: string): unknown
  readonly isTTY?: boolean
  readonly columns?: number
}

interface Tally {
  planned: number
  done: number
  failed: number
  running: Map<string, string>
}

const failedCauses = new Set(['provider', 'harness', 'operator'])

function count(tally: Tally, event: RunEvent): void {
  if (event.type === 'planned') {
    tally.planned = event.planned
    tally.done = event.finished
  } else if (event.type === 'attempt-started') {
    tally.running.set(event.attemptId, event.label)
  } else if (event.type === 'attempt-ended') {
    tally.running.delete(event.attempt.attemptId)
    tally.done++
    if (failedCauses.has(event.attempt.termination.cause)) tally.failed++
  }
}

const seconds = (ms: number): string =>
  ms < 60_000
    ? `${Math.round(ms / 1000)}s`
    : `${Math.floor(ms / 60_000)}m${Math.round((ms % 60_000) / 1000)}s`

function scoreText({ cellF1, fieldsPassed }: Extract<RunEvent, { type: 'attempt-ended' }>): string {
  if (cellF1 !== null) return `Cell F1 ${(100 * cellF1).toFixed(1)}`
  return fieldsPassed === null ? 'unscored' : `fields passed ${(100 * fieldsPassed).toFixed(1)}`
}

function endLine(tally: Tally, event: Extract<RunEvent, { type: 'attempt-ended' }>): string {
  const { termination, usage } = event.attempt
  const score = scoreText(event)
  const detail =
    failedCauses.has(termination.cause) && termination.detail !== null ? `: ${termination.detail}` : ''
  return `[${tally.done}/${tally.planned}] ${event.label}  ${termination.cause}/${termination.reason}${detail}  ${score}  ${seconds(usage.wallMs ?? 0)}`
}

function plainLine(tally: Tally, event: RunEvent): string | null {
  switch (event.type) {
    case 'notice':
      return event.text
    case 'planned':
      return `${event.planned} attempts -> ${event.folder}${event.finished > 0 ? ` (${event.finished} already finished)` : ''}`
    case 'attempt-started':
      return null
    case 'attempt-ended':
      return endLine(tally, event)
    case 'stopping':
      return `stopping: running attempts get ${event.graceMs / 1000} s; Ctrl-C again ends them now`
    default:
      return event satisfies never
  }
}

function bar(tally: Tally, elapsedMs: number, columns: number): string {
  const share = tally.planned === 0 ? 1 : tally.done / tally.planned
  const filled = Math.round(share * 20)
  const now = [...tally.running.values()].join(', ')
  const text = `${'█'.repeat(filled)}${'░'.repeat(20 - filled)} ${tally.done}/${tally.planned}  failed ${tally.failed}  ${seconds(elapsedMs)}  ${now}`
  return text.slice(0, Math.max(20, columns - 1))
}

/** A bar that redraws itself on a terminal, plain lines elsewhere, JSON lines when asked for. */
export function createProgress(output: Output, json: boolean, now: () => number): Progress {
  const tally: Tally = { planned: 0, done: 0, failed: 0, running: new Map() }
  const startedAt = now()
  if (json) {
    return {
      tell: event => void output.write(`${JSON.stringify(jsonEvent(event))}\n`),
      end: () => undefined,
    }
  }
  const draw = (): void => {
    output.write(`\r\x1b[2K${bar(tally, now() - startedAt, output.columns ?? 100)}`)
  }
  const isTerminal = output.isTTY === true
  const timer = isTerminal ? setInterval(draw, 500) : null
  timer?.unref()
  return {
    tell(event) {
      count(tally, event)
      const line =
        isTerminal && event.type === 'attempt-ended' && (event.cellF1 ?? event.fieldsPassed) !== null
          ? null
          : plainLine(tally, event)
      if (line !== null) output.write(isTerminal ? `\r\x1b[2K${line}\n` : `${line}\n`)
      if (isTerminal) draw()
    },
    end() {
      if (timer === null) return
      clearInterval(timer)
      output.write('\r\x1b[2K')
    },
  }
}

/** An attempt's whole record stands in attempts.jsonl; the event names it and says how it went. */
function jsonEvent(event: RunEvent): Record<string, unknown> {
  if (event.type !== 'attempt-ended') return event
  const { attemptId, taskId, setting, model, trial, termination } = event.attempt
  const { type, cellF1, fieldsPassed } = event
  const passed = fieldsPassed === null ? {} : { fieldsPassed }
  return { type, attemptId, taskId, setting, model, trial, termination, cellF1, ...passed }
}
