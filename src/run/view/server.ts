import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { z } from 'zod/v4'
import { ConfigError, DataError } from '../../core/errors.ts'
import { writePageJson } from '../../report/figures/escape-html.ts'
import type { TraceSource } from '../../report/html/html.ts'
import type { AttemptData } from '../../report/page/attempt-data.ts'
import type { PageData } from '../../report/page/page-data.ts'
import type { ServedRun } from '../../report/page/served-data.ts'
import { makeShownTrace } from '../../report/trace/trace-steps.ts'
import { closeServer, listenOnLocalhost } from '../../system/listen.ts'
import { createSecretCheck } from '../../system/secret-check.ts'
import { traceSource } from '../records/trace-source.ts'
import { auditRun } from '../scores/audit.ts'
import { markSchema, readAuditData, setMark } from './audit-data.ts'
import { notesSchema, readNotes, writeNotes } from './notes.ts'
import { RefusedRequest, readBody, readPath, requireOwnPage, requireWrite } from './requests.ts'
import type { RunWatch } from './run-watch.ts'
import type { WatchedFolder } from './watched-folder.ts'

/** Makes the pages that the server shows. */
export interface ViewPages {
  /** The index of all runs in the folder. */
  index(): Promise<string>
  /** The report of a run, without the data of single attempts. */
  report(run: RunWatch, served: ServedRun): Promise<string>
  /** The data of the report of a run, for a page that is open while attempts end. */
  data(run: RunWatch): Promise<PageData>
  /** The data of an attempt's page. Null when the run does not have the attempt. */
  attempt(run: RunWatch, attemptId: string): Promise<AttemptData | null>
  /** The comparison of several runs, as they are now. */
  comparison(runs: readonly RunWatch[]): Promise<ViewComparison>
}

/** The page over several runs. The id of an attempt begins with the name of its run and `/`. */
export interface ViewComparison {
  page(): Promise<string>
  /** Null when no run has the attempt. */
  attempt(id: string): Promise<AttemptData | null>
  readonly traces: TraceSource
}

/** A running server that shows runs. */
export interface ViewServer {
  /** `http://127.0.0.1:PORT/` */
  readonly url: string
  /** The token that writes need. */
  readonly token: string
  close(): Promise<void>
}

/** The folder and pages that `serveView` serves. */
export interface ViewInput {
  readonly runs: WatchedFolder
  readonly pages: ViewPages
  /** 0 chooses a free port. */
  readonly port: number
}

/** What answers a request. */
interface Visit extends ViewInput {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly url: URL
  isToken(text: string): boolean
  /** Runs one write after the other. */
  inTurn<T>(write: () => Promise<T>): Promise<T>
}

/**
 * Serves the runs of a folder on 127.0.0.1, and what is added to them while they go on.
 *
 * @throws ConfigError [port-not-available] when the port is in use
 */
export async function serveView(input: ViewInput): Promise<ViewServer> {
  const token = randomBytes(24).toString('base64url')
  const isToken = createSecretCheck(token)
  let port = input.port
  let writing: Promise<unknown> = Promise.resolve()
  const inTurn = <T>(write: () => Promise<T>): Promise<T> => {
    const result = writing.then(write)
    writing = result.catch(() => undefined)
    return result
  }
  const server = createServer((request, response) => {
    const answerOwn = async (): Promise<void> => {
      const url = readPath(request)
      requireOwnPage(request, { port, isToken, url })
      await answer({ ...input, request, response, url, isToken, inTurn })
    }
    answerOwn().catch((error: unknown) => sendError(response, error))
  })
  port = await listenOnLocalhost(server, input.port)
  input.runs.start()
  return {
    url: `http://127.0.0.1:${port}/`,
    token,
    close: async () => {
      input.runs.close()
      await closeServer(server)
    },
  }
}

async function answer(visit: Visit): Promise<void> {
  const { runs, request, url } = visit
  const isWrite = request.method === 'POST'
  if (!isWrite && request.method !== 'GET') throw new RefusedRequest(405, 'Use GET or POST.')
  if (isWrite) requireWrite(request, visit.isToken)
  const [first = '', name = '', ...rest] = url.pathname.slice(1).split('/').map(decodePath)
  if (first === 'run') {
    const run = runs.get(name)
    if (run === undefined) throw notFound
    if (rest.length === 0) return redirect(visit, `/run/${encodeURIComponent(name)}/`)
    await runs.refresh(name)
    if (run.row?.state === 'broken') throw new RefusedRequest(409, run.row.problem)
    return isWrite ? await answerWrite(visit, run.watch, rest) : await answerRun(visit, run.watch, rest)
  }
  if (first === 'compare' && !isWrite) return await answerComparison(visit, name.split('/'), rest)
  if (isWrite || name !== '' || rest.length > 0) throw notFound
  if (first === 'events') return sendIndexEvents(visit)
  if (first !== '') throw notFound
  const [only] = runs.names
  if (runs.isRun && only !== undefined)
    return redirect(visit, `/run/${encodeURIComponent(only)}/${url.search}`)
  send(visit.response, 'text/html', await visit.pages.index())
}

const notFound = new RefusedRequest(404, 'This server has no such page.')

async function answerRun(
  visit: Visit,
  run: RunWatch,
  [what = '', file = '', ...rest]: string[],
): Promise<void> {
  const { response, runs, pages } = visit
  if (rest.length > 0) throw notFound
  if (what === '' && file === '') {
    const notes = await readNotes(run.folder)
    const served = {
      kind: 'run' as const,
      name: run.name,
      position: run.position,
      hasIndex: !runs.isRun,
      ...notes,
    }
    return send(response, 'text/html', await pages.report(run, served))
  }
  if (what === 'page.json' && file === '') return sendJson(response, await pages.data(run))
  if (what === 'events') return sendRunEvents(visit, run)
  if (what === 'audit.json') return sendJson(response, await readAuditData(run))
  const attemptId = readJsonName(file)
  if (!run.has(attemptId)) throw notFound
  if (what === 'attempt') return sendJson(response, await pages.attempt(run, attemptId))
  if (what !== 'trace') throw notFound
  await sendTrace(visit, traceSource(run.folder), attemptId)
}

/** Returns the id of an attempt in the name of a JSON file. */
function readJsonName(file: string): string {
  const id = /^(.+)\.json$/s.exec(file)?.[1]
  if (id === undefined) throw notFound
  return id
}

async function sendTrace(
  { response, url }: Visit,
  { eventsOf, blob }: TraceSource,
  attemptId: string,
): Promise<void> {
  const events = await eventsOf(attemptId)
  if (events === null) throw new RefusedRequest(404, 'This attempt has no trace.')
  // The line to which a cell leads, which may be far from the beginning of a long text.
  sendJson(response, makeShownTrace(events, blob, { lines: url.searchParams.getAll('line') }))
}

/** Answers with the page over the runs with these names, or with the data of one of its attempts. */
async function answerComparison(
  visit: Visit,
  names: readonly string[],
  [what = '', file = '', ...rest]: string[],
): Promise<void> {
  const { runs, pages, response } = visit
  const compared = [...new Set(names)].flatMap(name => runs.get(name) ?? [])
  if (compared.length < 2 || rest.length > 0) throw notFound
  for (const { watch, row } of compared) {
    await runs.refresh(watch.name)
    if (row?.state === 'broken') throw new RefusedRequest(409, row.problem)
  }
  const comparison = await pages.comparison(compared.map(({ watch }) => watch))
  if (what === '' && file === '') return send(response, 'text/html', await comparison.page())
  const attemptId = readJsonName(file)
  if (what === 'trace') return await sendTrace(visit, comparison.traces, attemptId)
  const attempt = what === 'attempt' ? await comparison.attempt(attemptId) : null
  if (attempt === null) throw notFound
  sendJson(response, attempt)
}

const sampleSchema = z.object({
  /** The number of items. */
  size: z.int().min(1).max(10_000),
})

async function answerWrite(
  { request, response, runs, inTurn }: Visit,
  run: RunWatch,
  [what, ...rest]: string[],
): Promise<void> {
  if (rest.length > 0) throw notFound
  if (what === 'notes') {
    const notes = await readBody(request, notesSchema)
    await inTurn(() => writeNotes(run.folder, notes))
    await runs.refresh(run.name)
    return sendJson(response, await readNotes(run.folder))
  }
  if (what === 'marks') {
    const mark = await readBody(request, markSchema)
    await inTurn(() => setMark(run, mark))
    return sendJson(response, await readAuditData(run))
  }
  if (what !== 'sample') throw notFound
  const { size } = await readBody(request, sampleSchema)
  const unset = { scorer: null, judge: null, sheet: null, secondSheet: null, anew: false }
  await inTurn(() => auditRun(run.folder, { ...unset, sample: size, seed: 0 }))
  sendJson(response, await readAuditData(run))
}

function sendIndexEvents({ response, runs }: Visit): void {
  const stream = openEvents(response)
  const tell = (name: string): void => {
    const row = runs.get(name)?.row
    if (row) stream.send('run', row)
  }
  for (const name of runs.names) tell(name)
  response.on('close', runs.onChange(tell))
}

function sendRunEvents({ request, response, runs, url }: Visit, run: RunWatch): void {
  const stream = openEvents(response)
  let sent = readLastEventId(request) ?? url.searchParams.get('after') ?? ''
  const tell = (name: string): void => {
    if (name !== run.name) return
    const update = run.updateSince(sent)
    sent = run.position
    stream.send('update', update, sent)
  }
  tell(run.name)
  response.on('close', runs.onChange(tell))
}

function decodePath(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw notFound
  }
}

function redirect({ response }: Visit, location: string): void {
  response.writeHead(303, { location, 'cache-control': 'no-store' }).end()
}

function sendJson(response: ServerResponse, value: unknown): void {
  send(response, 'application/json', writePageJson(value))
}

/** Pages must not be shown inside another page. Their own policy is part of the HTML. */
const headers = {
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "frame-ancestors 'none'",
}

function send(response: ServerResponse, type: string, body: string, status = 200): void {
  response.writeHead(status, { ...headers, 'content-type': `${type}; charset=utf-8` })
  response.end(body)
}

function sendError(response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy()
  const isExplained = error instanceof DataError || error instanceof ConfigError
  const status = error instanceof RefusedRequest ? error.status : isExplained ? 409 : 500
  if (status === 413) response.setHeader('connection', 'close')
  send(response, 'text/plain', error instanceof Error ? error.message : String(error), status)
}

/** A stream of server-sent events to one page. */
interface EventStream {
  /**
   * @param id what the browser names as the last event when it connects again
   */
  send(event: string, data: unknown, id?: string): void
}

/** Answers with a stream of events. */
function openEvents(response: ServerResponse): EventStream {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.flushHeaders()
  return {
    send(event, data, id) {
      const lines = [`event: ${event}`, ...(id === undefined ? [] : [`id: ${id}`])]
      response.write(`${[...lines, `data: ${writePageJson(data)}`].join('\n')}\n\n`)
    },
  }
}

/** Returns the id of the last event that a reconnecting page received. */
function readLastEventId({ headers }: IncomingMessage): string | null {
  const id = headers['last-event-id']
  return typeof id === 'string' && id !== '' ? id : null
}
