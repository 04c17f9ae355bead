import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import type { TraceEvent } from '../../../logs/events.ts'
import type { Attempt } from '../../core/attempt.ts'
import { groupBy } from '../../core/group-by.ts'
import type { Registry } from '../../core/registry.ts'
import type { Score } from '../../core/score.ts'
import { listItems } from '../../core/score-items.ts'
import type { Task } from '../../core/task.ts'
import type { Scorer } from '../../score/contract/scorer.ts'
import { packageRoot } from '../../system/paths.ts'
import { escapeHtml } from '../../text/plain-text.ts'
import { escapeJson, writePageJson } from '../figures/escape-html.ts'
import type { Report } from '../model/report.ts'
import { type AttemptData, traceFileName } from '../page/attempt-data.ts'
import type { PageData, RunFacts } from '../page/page-data.ts'
import type { IndexData, ServedPage } from '../page/served-data.ts'
import { type BlobText, longestTextChars, makeShownTrace, type ShownTrace } from '../trace/trace-steps.ts'
import { makeAttemptPage } from './attempt-page.ts'
import { createForkLister } from './fork-tree.ts'
import { type ComparedPage, makePageData } from './page-data.ts'

/** Where the report reads traces and their stored texts. */
export interface TraceSource {
  /** Returns the trace of an attempt, or null when it has none. */
  eventsOf(attemptId: string): Promise<readonly TraceEvent[] | null>
  readonly blob: BlobText
}

/** The records that the page of one attempt shows. */
interface AttemptRecords {
  readonly attempt: Attempt
  readonly scores: readonly Score[]
}

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
  /** The tasks by id, for questions and gold keys. Absent when the tasks are not available. */
  readonly tasks?: ReadonlyMap<string, Task>
  readonly traces?: TraceSource
  /** Writes the script file of a trace to `traceFolder` beside the file. Present: the file itself contains no trace. */
  readonly writeTrace?: (name: string, script: string) => Promise<void>
  /** Traces are part of the file up to this many characters in total. `view` shows the others. */
  readonly inlineTraceChars?: number
  /** Scores tables a second time, by another scorer. Absent: pages of attempts show no such difference. */
  readonly registry?: Registry<Scorer>
  /** For the server of `view`: the page loads the data of attempts from it, and does not contain them. */
  readonly served?: ServedPage
}

/** The folder beside a report that contains its traces, when they are not part of the file. */
export const traceFolder = 'report'

const defaultInlineTraceChars = 40_000_000

/** Renders the report as one HTML file that needs no network. All text from records, models and web pages is escaped. */
export async function renderHtml(input: HtmlInput): Promise<string> {
  const pieces: string[] = []
  for await (const piece of writeHtml(input)) pieces.push(piece)
  return pieces.join('')
}

/** Renders the file of `renderHtml` in pieces, one attempt at a time, so that memory use does not grow with the run. */
export async function* writeHtml(input: HtmlInput): AsyncGenerator<string> {
  const data = collectPageData(input)
  const app = await readAppFiles()
  yield writePageHead(data.title, app, input.writeTrace !== undefined)
  yield writeDataElement('page-data', data)
  if (input.served === undefined) yield* writeAttemptPages(input)
  else yield writeDataElement('served-page', input.served)
  yield writePageEnd(app)
}

/** Collects the data of the page of `renderHtml`, except those of single attempts. */
export function collectPageData(input: HtmlInput): PageData {
  const { records, report, run, compared, tasks = new Map(), tainted = new Set() } = input
  const scoresOf = groupBy(records.scores, score => score.attemptId)
  return makePageData({
    ...{ report, run, compared, tasks, tainted, attempts: records.attempts },
    scoresOf: ({ attemptId }) => scoresOf.get(attemptId) ?? [],
  })
}

/** Renders the index of the runs that the server of `view` shows. */
export async function renderIndex(data: IndexData): Promise<string> {
  const app = await readAppFiles()
  return [writePageHead('Runs', app, false), writeDataElement('index-data', data), writePageEnd(app)].join('')
}

function writeDataElement(id: string, data: PageData | ServedPage | IndexData): string {
  return `<script type="application/json" id="${id}">${escapeJson(data)}</script>\n`
}

const writePageEnd = (app: AppFiles): string => `<script>${app.script}</script>\n</body></html>\n`

/** Renders the start of a page. */
function writePageHead(title: string, app: AppFiles, isSplit: boolean): string {
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${escapeHtml(writeContentPolicy(app, isSplit))}">`,
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
function writeContentPolicy({ script, style }: AppFiles, isSplit: boolean): string {
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

/**
 * Renders the data of each attempt, compressed: a page with thousands of attempts opens only those that are shown. Node's
 * threads read and compress several attempts at the same time.
 */
async function* writeAttemptPages(input: HtmlInput): AsyncGenerator<string> {
  const { writeTrace, records } = input
  const scoresOf = groupBy(records.scores, score => score.attemptId)
  const listForks = createForkLister({ ...records, ...(input.tasks && { tasks: input.tasks }) })
  if (writeTrace !== undefined) yield `<script type="text/plain" id="trace-folder">${traceFolder}/</script>\n`
  const traces = writeTrace === undefined ? inlineTraces(input) : traceFiles(input, writeTrace)
  const readAttempt = async (summary: Attempt) => {
    const { attemptId } = summary
    const summaryRecords = { attempt: summary, scores: scoresOf.get(attemptId) ?? [] }
    const whole = (await input.wholeOf?.(attemptId)) ?? summaryRecords
    return { ...whole, attemptId, events: traces.areFull() ? null : await traces.read(attemptId) }
  }
  const readBlock = (start: number) => {
    const reading = Promise.all(records.attempts.slice(start, start + attemptsAtOnce).map(readAttempt))
    // The block is awaited later. Until then, a failure would count as unhandled.
    reading.catch(() => undefined)
    return reading
  }
  let next = readBlock(0)
  for (let start = 0; start < records.attempts.length; start += attemptsAtOnce) {
    const block = await next
    // Read while the pages of this block are made and compressed.
    next = readBlock(start + attemptsAtOnce)
    const elements: Promise<string>[] = []
    for (const { attemptId, attempt, scores, events } of block) {
      const trace = events === null ? null : await traces.show(attemptId, events, listEvidenceLines(scores))
      const forks = listForks(attempt)
      const scored = { attempt, scores, scorers: input.report.scorers, registry: input.registry, forks }
      const page = await makeAttemptPage(scored, input.tasks?.get(attempt.taskId) ?? null, trace)
      // In a page over several runs, the id begins with the name of the run.
      elements.push(writeAttemptElement({ ...page, id: attemptId }))
    }
    yield (await Promise.all(elements)).join('')
  }
}

async function writeAttemptElement(data: AttemptData): Promise<string> {
  return `<script type="text/plain" data-attempt="${escapeHtml(data.id)}">${await packData(data)}</script>\n`
}

/** Where the traces of the attempts go. */
interface ShownTraces {
  /** Whether no more traces are shown. */
  areFull(): boolean
  read(attemptId: string): Promise<readonly TraceEvent[] | null>
  /** Returns the trace for the attempt's data, or null when it is not part of them. Called in the order of the attempts. */
  show(attemptId: string, events: readonly TraceEvent[], lines: readonly string[]): Promise<ShownTrace | null>
}

/** Shows the traces in the data of the attempts, until the limit of characters is reached. */
function inlineTraces({ inlineTraceChars = defaultInlineTraceChars, traces }: HtmlInput): ShownTraces {
  let left = inlineTraceChars
  return {
    areFull: () => left <= 0,
    read: async attemptId => (await traces?.eventsOf(attemptId)) ?? null,
    async show(_, events, lines) {
      if (left <= 0 || traces === undefined) return null
      const trace = makeShownTrace(events, traces.blob, { longest: longestTextChars.inlined, lines })
      left -= JSON.stringify(trace).length
      return left < 0 ? null : trace
    },
  }
}

/** Writes each trace to a file of its own. A page opened as a file can load only scripts. */
function traceFiles({ traces }: HtmlInput, write: NonNullable<HtmlInput['writeTrace']>): ShownTraces {
  return {
    areFull: () => false,
    read: async attemptId => (await traces?.eventsOf(attemptId)) ?? null,
    async show(attemptId, events, lines) {
      if (traces === undefined) return null
      const data = await packData(makeShownTrace(events, traces.blob, { lines }))
      await write(traceFileName(attemptId), `tablehuntTrace(${escapeJson(attemptId)}, '${data}')\n`)
      return null
    },
  }
}

/** The lines to which cells lead: the evidence of items that are not right. */
function listEvidenceLines(scores: readonly Score[]): string[] {
  const lines = scores
    .flatMap(listItems)
    .flatMap(({ score, evidence }) => (score === 1 || evidence === undefined ? [] : [evidence.line]))
  return [...new Set(lines)]
}

const deflate = promisify(deflateRaw)

/** Compresses data for the app: JSON, raw deflate, base64. The app unpacks it in the browser. */
async function packData(data: AttemptData | ShownTrace): Promise<string> {
  return (await deflate(writePageJson(data))).toString('base64')
}

/** The built app: its script and its style sheet. */
interface AppFiles {
  readonly script: string
  readonly style: string
}

let loaded: Promise<AppFiles> | null = null

/** Reads the app that `npm run build` made from src/report/app. */
export function readAppFiles(): Promise<AppFiles> {
  loaded ??= readBuilt()
  return loaded
}

async function readBuilt(): Promise<AppFiles> {
  const readAsset = async (name: string): Promise<string> =>
    await readFile(`${packageRoot}/dist/report-app/${name}`, 'utf8')
  const [script, style] = await Promise.all([readAsset('app.js'), readAsset('app.css')])
  // A script element ends at these characters, also within a string.
  return { script: script.replace(/<(?=\/script|!--)/gi, '\\x3c').trimEnd(), style }
}
