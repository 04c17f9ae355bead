import { decodeText } from '../../retrieval/text/decode.ts'
import { BudgetRefusedError, ToolError } from '../../src/core/errors.ts'
import { storeOf } from './attempt-store.ts'
import type { PageBody } from './body-type.ts'
import type { HtmlPage } from './html-page.ts'
import type { PageEnvironment, PageReader, ReadPage } from './page-reader.ts'
import type { PageRenderer } from './renderer.ts'

const scriptNote = 'JavaScript writes the text of this page, and it was not run'

/**
 * Reads the HTML as received. A page that is empty without JavaScript is rendered first, when a browser is
 * available.
 */
export const ownReader: PageReader = {
  name: 'own',
  async read(body, environment) {
    const { readHtml } = await import('./html-page.ts')
    const page = readHtml(decodeText(body.bytes, body.contentTypeHeader), body.finalUrl)
    if (!page.needsScript || body.isRendered) return asReadPage(body.finalUrl, page)
    const renderer = environment.renderer ?? null
    if (renderer === null) {
      return { ...asReadPage(body.finalUrl, page), note: `${scriptNote} because no browser is available` }
    }
    try {
      return await renderPage(body, environment, renderer, readHtml)
    } catch (error) {
      if (!(error instanceof ToolError || error instanceof BudgetRefusedError)) throw error
      return { ...asReadPage(body.finalUrl, page), note: `${scriptNote}: ${error.message}` }
    }
  },
}

/** Renders a page. This is charged as one fetch, whatever the page loads. */
async function renderPage(
  body: PageBody,
  environment: PageEnvironment,
  renderer: PageRenderer,
  readHtml: (html: string, finalUrl: string) => HtmlPage,
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
    owner: storeOf(environment),
  }
  const { html, finalUrl } = await renderer.render(page)
  return asReadPage(finalUrl, readHtml(html, finalUrl))
}

function asReadPage(url: string, page: HtmlPage): ReadPage {
  const { title, marked, text, links } = page
  return { url, title, marked, text, links, note: /\S/.test(text) ? null : 'the page contains no text' }
}
