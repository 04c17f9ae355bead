import { createHash } from 'node:crypto'
import type { Attempt } from '../../core/attempt.ts'
import type { Score } from '../../core/score.ts'
import type { Task } from '../../core/task.ts'
import { escapeHtml, jsonForScript } from '../figures/escape-html.ts'
import { groupBy } from '../model/entries.ts'
import type { Report } from '../model/report.ts'
import type { PageData, RunFacts } from '../page/page-data.ts'
import type { IndexData, ServedRun } from '../page/served-data.ts'
import { shownTrace } from '../trace/trace-steps.ts'
import { type AppFiles, appFiles } from './app-files.ts'
import {
  type AttemptElement,
  type AttemptRecords,
  attemptElement,
  evidenceLines,
  type MakeElements,
  packed,
  type TraceSource,
} from './attempt-element.ts'
import { type ComparedPage, pageData } from './page-data.ts'

/** The report, records and traces of an HTML report. */
export interface HtmlInput {
  readonly report: Report
  readonly records: { readonly attempts: readonly Attempt[]; readonly scores: readonly Score[] }
  /** What was run. */
  readonly run: RunFacts
  /** Present for a page over several runs. */
  readonly compared?: ComparedPage
  /** The attempts in the leak ledger. */
  readonly tainted?: ReadonlySet<string>
  /** Loads the complete records of an attempt. Needed when `records` contains summaries. */
  readonly wholeOf?: (attemptId: string) => Promise<AttemptRecords>
  /** Makes the elements of attempts elsewhere, such as in other threads. The default makes them in this thread. */
  readonly makeElements?: MakeElements
  /** The tasks by id, for questions and gold keys. Absent when the tasks are not available. */
  readonly tasks?: ReadonlyMap<string, Task>
  readonly traces?: TraceSource
  /** Writes the script file of a trace to `traceFolder` beside the file. Present: the file itself contains no trace. */
  readonly writeTrace?: (name: string, script: string) => Promise<void>
  /** Traces are part of the file up to this many characters in total. `view` shows the others. */
  readonly inlineTraceChars?: number
  /** For the server of `view`: the page loads the data of attempts from it, and does not contain them. */
  readonly served?: ServedRun
}

/** The folder beside a report that contains its traces, when they are not part of the file. */
export const traceFolder = 'report'

const defaultInlineTraceChars = 40_000_000

/** Renders the report as one HTML file that needs no network. All text from records, models and web pages is escaped. */
export async function renderHtml(input: HtmlInput): Promise<string> {
  const pieces: string[] = []
  for await (const piece of htmlPieces(input)) pieces.push(piece)
  return pieces.join('')
}

/** Renders the file of `renderHtml` in pieces, one attempt at a time, so that memory use does not grow with the run. */
export async function* htmlPieces(input: HtmlInput): AsyncGenerator<string> {
  const { records, report } = input
  const scoresOf = groupBy(records.scores, score => score.attemptId)
  const data = pageData({
    report,
    attempts: records.attempts,
    scoreOf: ({ attemptId }) => scoresOf.get(attemptId)?.[0] ?? null,
    tasks: input.tasks ?? new Map(),
    run: input.run,
    compared: input.compared,
    tainted: input.tainted ?? new Set(),
  })
  const app = await appFiles()
  yield pageHead(data.title, app, input.writeTrace !== undefined)
  yield dataElement('page-data', data)
  if (input.served === undefined) yield* attemptPages(input, scoresOf)
  else yield dataElement('served-run', input.served)
  yield pageEnd(app)
}

/** Renders the index of the runs that the server of `view` shows. */
export async function renderIndex(data: IndexData): Promise<string> {
  const app = await appFiles()
  return [pageHead('Runs', app, false), dataElement('index-data', data), pageEnd(app)].join('')
}

function dataElement(id: string, data: PageData | ServedRun | IndexData): string {
  return `<script type="application/json" id="${id}">${jsonForScript(data)}</script>\n`
}

const pageEnd = (app: AppFiles): string => `<script>${app.script}</script>\n</body></html>\n`

/** Renders the start of a page. */
function pageHead(title: string, app: AppFiles, isSplit: boolean): string {
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(contentPolicy(app, isSplit))}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<link rel="icon" href="data:,">',
    `<title>${escapeHtml(`${title} · Tablehunt`)}</title>`,
    `<style>${app.style}</style></head><body>`,
    '<div id="app"></div>',
    '<noscript>This page needs JavaScript. `tablehunt report RUN --full` prints the tables of a report.</noscript>',
    '',
  ].join('\n')
}

/**
 * Allows only the app's own script and styles, no HTML made from texts, and requests only to the server of `view`. A file
 * that is opened from a disk has no server: it makes no requests. With traces in `traceFolder`, `strict-dynamic` allows
 * the scripts that the app adds itself, and nothing that the data contains.
 */
function contentPolicy({ script, style }: AppFiles, isSplit: boolean): string {
  const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
  return [
    "default-src 'none'",
    `script-src ${hashOf(script)}${isSplit ? " 'strict-dynamic'" : ''}`,
    `style-src ${hashOf(style)}`,
    "connect-src 'self'",
    'img-src data: blob:',
    "base-uri 'none'",
    "form-action 'none'",
    // The address of a script is among what trusted types forbid.
    ...(isSplit ? [] : ["require-trusted-types-for 'script'", "trusted-types 'none'"]),
  ].join('; ')
}

/** So many attempts are read and compressed at the same time. Their data are in memory together. */
const attemptsAtOnce = 32
/** So many groups of attempts are made before the first of them is written. */
const groupsAtOnce = 4

/**
 * Renders the data of each attempt, compressed: a page with thousands of attempts opens only those that are shown. Several
 * groups of attempts are made at the same time; their order is that of the records.
 */
async function* attemptPages(
  input: HtmlInput,
  scoresOf: ReadonlyMap<string, Score[]>,
): AsyncGenerator<string> {
  const { writeTrace, records, inlineTraceChars = defaultInlineTraceChars } = input
  if (writeTrace !== undefined) yield `<script type="text/plain" id="trace-folder">${traceFolder}/</script>\n`
  const makeElements = input.makeElements ?? elementMaker(input, scoresOf)
  let left = writeTrace === undefined ? inlineTraceChars : 0
  const inOrder = async (
    ids: readonly string[],
    made: Promise<readonly AttemptElement[]>,
  ): Promise<string> => {
    const elements: string[] = []
    for (const [at, { text, traceChars }] of (await made).entries()) {
      left -= traceChars
      const isTooMuch = traceChars > 0 && left < 0
      elements.push(isTooMuch ? (await makeElements([ids[at]!], false))[0]!.text : text)
    }
    return elements.join('')
  }
  const waiting: { ids: readonly string[]; made: Promise<readonly AttemptElement[]> }[] = []
  for (let start = 0; start < records.attempts.length; start += attemptsAtOnce) {
    const ids = records.attempts.slice(start, start + attemptsAtOnce).map(({ attemptId }) => attemptId)
    const made = makeElements(ids, left > 0)
    // An error is thrown when the group's turn comes.
    made.catch(() => {})
    waiting.push({ ids, made })
    const next = waiting.length < groupsAtOnce ? undefined : waiting.shift()
    if (next !== undefined) yield await inOrder(next.ids, next.made)
  }
  for (const { ids, made } of waiting) yield await inOrder(ids, made)
}

/** Makes the elements in this thread. With `writeTrace`, it writes the traces to their files. */
function elementMaker(input: HtmlInput, scoresOf: ReadonlyMap<string, Score[]>): MakeElements {
  const { traces, writeTrace, records, report } = input
  const attempts = new Map(records.attempts.map(attempt => [attempt.attemptId, attempt]))
  const known = (attemptId: string): AttemptRecords => ({
    attempt: attempts.get(attemptId)!,
    scores: scoresOf.get(attemptId) ?? [],
  })
  return async (ids, withTrace) =>
    await Promise.all(
      ids.map(async attemptId => {
        const whole = (await input.wholeOf?.(attemptId)) ?? known(attemptId)
        const task = input.tasks?.get(whole.attempt.taskId) ?? null
        if (writeTrace !== undefined && traces !== undefined)
          await writeTraceFile(attemptId, whole.scores, traces, writeTrace)
        const own = { ...whole, attemptId, task, scorers: report.scorers }
        return await attemptElement(own, withTrace ? traces : undefined)
      }),
    )
}

/** Writes a trace to a file of its own. A page opened as a file can load only scripts. */
async function writeTraceFile(
  attemptId: string,
  scores: readonly Score[],
  traces: TraceSource,
  write: NonNullable<HtmlInput['writeTrace']>,
): Promise<void> {
  const events = await traces.eventsOf(attemptId)
  if (events === null) return
  const data = packed(shownTrace(events, traces.blob, { lines: evidenceLines(scores) }))
  await write(`${attemptId}.js`, `tablehuntTrace(${jsonForScript(attemptId)}, '${data}')\n`)
}
