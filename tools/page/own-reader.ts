import { BudgetRefusedError, CodedError, ToolError } from '../../src/core/errors.ts'
import { readInThread } from '../../src/system/read-thread.ts'
import { TooLargeError } from '../../src/system/reading-limits.ts'
import { untilAborted } from '../../src/system/retry.ts'
import { readFirstLine } from '../../src/text/plain-text.ts'
import { findAttemptStore } from './attempt-store.ts'
import type { PageBody } from './body-type.ts'
import type { HtmlPage, PageSource } from './html-page.ts'
import type { PageEnvironment, PageReader, ReadPage } from './page-reader.ts'
import type { PageRenderer } from './renderer.ts'

const scriptNote = 'JavaScript may write text of this page, and it was not run'

/**
 * Reads the HTML as received. A page that is empty without JavaScript is rendered first, when a browser is
 * available.
 */
export const ownReader: PageReader = {
  name: 'own',
  async read(body, environment) {
    const source = { source: body.bytes, contentType: body.contentTypeHeader, finalUrl: body.finalUrl }
    const page = await readBodyInThread<HtmlPage>('page', source, environment.signal)
    if (!page.needsScript || body.isRendered) return asReadPage(body.finalUrl, page)
    const renderer = environment.renderer ?? null
    if (renderer === null) {
      return asReadPage(body.finalUrl, page, `${scriptNote} because no browser is available`)
    }
    try {
      const rendered = await renderPage(body, environment, renderer)
      const isLost = /\S/.test(page.main.text) && !/\S/.test(rendered.text)
      return isLost ? asReadPage(body.finalUrl, page, 'a browser shows no text of this page') : rendered
    } catch (error) {
      if (!(error instanceof ToolError || error instanceof BudgetRefusedError)) throw error
      return asReadPage(body.finalUrl, page, `${scriptNote}: ${error.message}`)
    }
  },
}

/** Renders a page. This is charged as one fetch, whatever the page loads. */
async function renderPage(
  body: PageBody,
  environment: PageEnvironment,
  renderer: PageRenderer,
): Promise<ReadPage> {
  const { transport, signal } = environment
  environment.charge('fetchCalls', `render: ${body.finalUrl}`)
  const contentType = body.contentTypeHeader === '' ? 'text/html' : body.contentTypeHeader
  const page = {
    url: body.finalUrl,
    bytes: body.bytes,
    contentType,
    transport,
    signal,
    owner: findAttemptStore(environment),
  }
  const { html, finalUrl } = await renderer.render(page)
  return asReadPage(
    finalUrl,
    await readBodyInThread<HtmlPage>('page', { source: html, contentType: '', finalUrl }, signal),
  )
}

function asReadPage(
  url: string,
  { title, main, all, share, notices, links }: HtmlPage,
  scriptRemark: string | null = null,
): ReadPage {
  const emptyRemark = /\S/.test(main.text) ? null : 'the page contains no text'
  const note = [...notices, scriptRemark ?? emptyRemark].filter(remark => remark !== null).join('; ')
  return {
    ...{ url, title, ...main, links, note: note === '' ? null : note },
    ...(all !== null && { all: { ...all, mainShare: share } }),
  }
}

/**
 * Reads a body of the web in a thread of its own, so that no body can stop the other attempts.
 *
 * @param reader the name of a reader in `tools/read-worker.ts`
 * @throws ToolError `too-large` when the body exceeds a limit, `unreadable` when the reader failed
 */
export async function readBodyInThread<Result>(
  reader: 'page' | 'text',
  source: PageSource,
  signal: AbortSignal,
): Promise<Result> {
  try {
    return await untilAborted(readInThread<Result>(reader, source), signal)
  } catch (error) {
    if (signal.aborted || error instanceof CodedError) throw error
    const isTooLarge = error instanceof TooLargeError
    const what = isTooLarge ? error.what : `the page could not be read (${readFirstLine(error)})`
    throw new ToolError(isTooLarge ? 'too-large' : 'unreadable', `${source.finalUrl}: ${what}`, {
      cause: error,
    })
  }
}
