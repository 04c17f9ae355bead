import { createHash } from 'node:crypto'
import type { TraceEvent } from '../../../logs/events.ts'
import type { Attempt } from '../../core/attempt.ts'
import type { Score } from '../../core/score.ts'
import type { Task } from '../../core/task.ts'
import { escapeHtml, jsonForScript } from '../figures/escape-html.ts'
import { groupBy } from '../model/entries.ts'
import type { Report } from '../model/report.ts'
import type { TraceStep } from '../trace/trace-steps.ts'
import { type BlobText, longestTextChars, traceSteps } from '../trace/trace-steps.ts'
import { attemptPage } from './attempt-page.ts'
import { overviewHtml } from './overview.ts'
import { pageScript } from './page/script.ts'
import { pageStyle } from './page/style.ts'

/** Where the report gets traces from; an attempt without one has null. */
export interface TraceSource {
  eventsOf(attemptId: string): Promise<readonly TraceEvent[] | null>
  readonly blob: BlobText
}

/** What the page of one attempt is made of. */
export interface AttemptRecords {
  readonly attempt: Attempt
  readonly scores: readonly Score[]
}

export interface HtmlInput {
  readonly report: Report
  readonly records: { readonly attempts: readonly Attempt[]; readonly scores: readonly Score[] }
  /** An attempt's records with all that its page shows, where `records` are summaries. */
  readonly wholeOf?: (attemptId: string) => Promise<AttemptRecords>
  /** Questions and gold keys by task id, where the tasks are at hand. */
  readonly tasks?: ReadonlyMap<string, Task>
  readonly traces?: TraceSource
  /** Traces are inlined until they come to so many characters; the rest is shown by `view`. */
  readonly inlineTraceChars?: number
}

const defaultInlineTraceChars = 8_000_000

/** Gives attempts' traces in their order until they come to so many characters; then, and for one without, null. */
function inlinedTraces(input: HtmlInput): (attemptId: string) => Promise<readonly TraceStep[] | null> {
  let left = input.inlineTraceChars ?? defaultInlineTraceChars
  return async attemptId => {
    if (left <= 0 || input.traces === undefined) return null
    const events = await input.traces.eventsOf(attemptId)
    if (events === null) return null
    const steps = traceSteps(events, input.traces.blob, longestTextChars.inlined)
    left -= JSON.stringify(steps).length
    return left < 0 ? null : steps
  }
}

/** Scripts of the page's own text alone run, and nothing is loaded but from the server that `view` is. */
function contentPolicy(script: string): string {
  const hash = createHash('sha256').update(script).digest('base64')
  return `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'`
}

/** The report as one file that asks nothing of any network; all text from records, models and pages is escaped. */
export async function renderHtml(input: HtmlInput): Promise<string> {
  const pieces: string[] = []
  for await (const piece of htmlPieces(input)) pieces.push(piece)
  return pieces.join('')
}

/** The same file piece by piece, one attempt's page at a time, so that a run of any size can be written. */
export async function* htmlPieces(input: HtmlInput): AsyncGenerator<string> {
  const { records, report } = input
  const scoresOf = groupBy(records.scores, score => score.attemptId)
  const script = pageScript()
  yield `${[
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(contentPolicy(script))}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<link rel="icon" href="data:,">',
    `<title>${escapeHtml(`Tablehunt: ${report.run.runId}`)}</title>`,
    `<style>${pageStyle}</style></head><body>`,
    '<main id="overview">',
  ].join('\n')}`
  yield* overviewHtml(report, records.attempts, attempt => scoresOf.get(attempt.attemptId)?.[0] ?? null)
  yield `${[
    '</main>',
    '<main id="detail" hidden><nav class="bar" aria-label="attempts"><a href="#">All attempts</a>',
    '<button type="button" class="plain" data-step="-1">previous</button>',
    '<button type="button" class="plain" data-step="1">next</button></nav><div id="detail-content"></div></main>',
  ].join('\n')}\n`
  yield* attemptPages(input, scoresOf)
  yield `<script>${script}</script>\n</body></html>\n`
}

async function* attemptPages(
  input: HtmlInput,
  scoresOf: ReadonlyMap<string, Score[]>,
): AsyncGenerator<string> {
  const traceOf = inlinedTraces(input)
  for (const summary of input.records.attempts) {
    const { attemptId, taskId } = summary
    const known = { attempt: summary, scores: scoresOf.get(attemptId) ?? [] }
    const { attempt, scores } = (await input.wholeOf?.(attemptId)) ?? known
    const page = await attemptPage(
      { attempt, scores, scorers: input.report.scorers },
      input.tasks?.get(taskId) ?? null,
      await traceOf(attemptId),
    )
    yield `<script type="application/json" data-attempt="${escapeHtml(attemptId)}">${jsonForScript(page)}</script>\n`
  }
}
