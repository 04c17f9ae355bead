import type { TraceEvent } from '../../logs/events.ts'
import { harmless } from '../core/harmless.ts'
import { type BlobText, traceSteps } from './trace-steps.ts'

/** A text of a block is cut here; --json has it whole. */
const longestBlockChars = 600

/** A trace as text for a terminal: a line an event, its texts indented below, shortened. */
export function traceText(attemptId: string, events: readonly TraceEvent[], blob: BlobText): string {
  const lines = traceSteps(events, blob, longestBlockChars).flatMap(({ step, title, facts, blocks }) => [
    `${String(step).padStart(4)}  ${title}${facts === '' ? '' : `  (${facts})`}`,
    ...blocks.flatMap(({ label, text }) => [
      ...(label === '' ? [] : [`        ${label}:`]),
      ...text.split('\n').map(line => `          ${line}`),
    ]),
  ])
  return harmless(`${attemptId}\n${lines.join('\n')}\n`)
}
