import { deflateRawSync } from 'node:zlib'
import type { TraceEvent } from '../../../logs/events.ts'
import type { Attempt } from '../../core/attempt.ts'
import { itemsOf, type Score } from '../../core/score.ts'
import type { Task } from '../../core/task.ts'
import { escapeHtml, pageJson } from '../figures/escape-html.ts'
import type { RunScorers } from '../model/metrics.ts'
import type { AttemptData } from '../page/attempt-data.ts'
import { type BlobText, longestTextChars, type ShownTrace, shownTrace } from '../trace/trace-steps.ts'
import { attemptPage } from './attempt-page.ts'

/** Where the report reads traces and their stored texts. */
export interface TraceSource {
  /** Returns the trace of an attempt, or null when it has none. */
  eventsOf(attemptId: string): Promise<readonly TraceEvent[] | null>
  readonly blob: BlobText
}

/** The records that the page of one attempt shows. */
export interface AttemptRecords {
  readonly attempt: Attempt
  readonly scores: readonly Score[]
}

/** All that the element of one attempt is made from, except its trace. */
export interface ElementInput extends AttemptRecords {
  /** In a page over several runs, the id begins with the name of the run. */
  readonly attemptId: string
  readonly task: Task | null
  readonly scorers: RunScorers
}

/** The data of one attempt as an element of the page. */
export interface AttemptElement {
  readonly text: string
  /** The characters of the trace in it, before they are compressed. 0 without a trace. */
  readonly traceChars: number
}

/** Makes the elements of attempts, in the same order. */
export type MakeElements = (
  attemptIds: readonly string[],
  withTrace: boolean,
) => Promise<readonly AttemptElement[]>

/** Makes the element of an attempt. Without `traces`, its trace is not part of it. */
export async function attemptElement(
  { attemptId, attempt, scores, task, scorers }: ElementInput,
  traces: TraceSource | undefined,
): Promise<AttemptElement> {
  const events = (await traces?.eventsOf(attemptId)) ?? null
  const kept = { longest: longestTextChars.inlined, lines: evidenceLines(scores) }
  const trace = events === null || traces === undefined ? null : shownTrace(events, traces.blob, kept)
  const page = await attemptPage({ attempt, scores, scorers }, task, trace)
  const data = packed({ ...page, id: attemptId })
  return {
    text: `<script type="text/plain" data-attempt="${escapeHtml(attemptId)}">${data}</script>\n`,
    traceChars: trace === null ? 0 : JSON.stringify(trace).length,
  }
}

/** The lines to which cells lead: the evidence of items that are not right. */
export function evidenceLines(scores: readonly Score[]): string[] {
  const lines = scores
    .flatMap(itemsOf)
    .flatMap(({ score, evidence }) => (score === 1 || evidence === undefined ? [] : [evidence.line]))
  return [...new Set(lines)]
}

/** Compresses data for the app: JSON, raw deflate, base64. The app unpacks it in the browser. */
export function packed(data: AttemptData | ShownTrace): string {
  return deflateRawSync(pageJson(data)).toString('base64')
}
