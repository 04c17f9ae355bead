import { joinPages } from '../../../src/core/document.ts'
import { ToolError } from '../../../src/core/errors.ts'
import { computeOnce, findAttemptStore } from '../../../tools/page/attempt-store.ts'
import { makeBodyArtifact, type ShownBody } from '../../../tools/page/body-observation.ts'
import { createBody, type PageBody } from '../../../tools/page/body-type.ts'
import { findLastPage, readDocument } from '../../../tools/page/document-answer.ts'
import { readPageAddress } from '../../../tools/page/fetch-body.ts'
import { ownReader } from '../../../tools/page/own-reader.ts'
import { contentTypes, maxRecordedLinks, readTextPage } from '../../../tools/page/page-answer.ts'
import type { ToolArtifact, ToolEnvironment } from '../../../tools/tool.ts'
import type { WebResponse } from '../../../tools/web/transport.ts'
import { makePageRequest } from '../../../tools/web/transport.ts'

/** A page as the attempt's web answers it. Bodies of successful answers are kept for the attempt. */
type PageAnswer =
  | { readonly ok: true; readonly body: PageBody }
  | { readonly ok: false; readonly response: WebResponse }

/** A server's answer with a status other than 2xx. The client gets it unchanged, and the trace records a failure. */
class FailedStatus extends Error {
  readonly response: WebResponse
  constructor(response: WebResponse) {
    super(`HTTP ${response.status}`)
    this.response = response
  }
}

/**
 * Requests a page once, and charges one fetch. A page that this attempt has downloaded before is neither requested nor
 * charged again. Failed requests are not repeated here, because the client decides that.
 *
 * @throws ToolError, BudgetRefusedError
 */
export async function requestPage(address: string, environment: ToolEnvironment): Promise<PageAnswer> {
  const url = readPageAddress(address)
  const { bodies } = findAttemptStore(environment)
  try {
    const body = await computeOnce(bodies, url, async () => {
      environment.charge('fetchCalls', `fetch: ${url}`)
      const response = await environment.transport.send(makePageRequest(url), environment.signal)
      if (response.status < 200 || response.status > 299) throw new FailedStatus(response)
      const downloaded = createBody(url, response)
      bodies.set(readPageAddress(downloaded.finalUrl), Promise.resolve(downloaded))
      return downloaded
    })
    return { ok: true, body }
  } catch (error) {
    if (error instanceof FailedStatus) return { ok: false, response: error.response }
    throw error
  }
}

/**
 * Returns the whole text of a body, and its record for the trace.
 *
 * @param isShown whether the client gets the body; false for HEAD and for a redirect to its final address
 */
export async function readWhole(
  body: PageBody,
  isShown: boolean,
  environment: ToolEnvironment,
): Promise<readonly [string, ToolArtifact]> {
  const whole = await (readings.get(body) ?? startReading(body, environment))
  const shown = isShown ? whole : { ...whole, shown: [], ocr: [], links: [] }
  return [isShown ? whole.text : '', makeBodyArtifact(body, shown, environment)]
}

/** What the bodies of running attempts contain, so that none is read twice. */
const readings = new WeakMap<PageBody, Promise<ShownBody>>()

function startReading(body: PageBody, environment: ToolEnvironment): Promise<ShownBody> {
  const reading = readWholeBody(body, environment)
  readings.set(body, reading)
  return reading
}

async function readWholeBody(body: PageBody, environment: ToolEnvironment): Promise<ShownBody> {
  const onePart = { contentType: contentTypes[body.type], shown: [1], total: 1, truncated: false }
  try {
    if (body.type === 'pdf') {
      const document = await readDocument(body, environment)
      return {
        ...onePart,
        text: joinPages(document.pages),
        shown: document.pages.map(page => page.number),
        ocr: document.pages.filter(page => page.ocr).map(page => page.number),
        total: findLastPage(document),
        links: [],
      }
    }
    const page =
      body.type === 'html'
        ? // The client runs no scripts either.
          await ownReader.read(body, { ...environment, renderer: null })
        : await readTextPage(body, environment)
    // The client has all of the page, and not only its main text.
    const { text } = page.all ?? page
    return { ...onePart, text, links: page.links.slice(0, maxRecordedLinks).map(({ url }) => url) }
  } catch (error) {
    // The client has the bytes, even when their text cannot be read here.
    if (!(error instanceof ToolError)) throw error
    return { ...onePart, text: '', shown: [], links: [] }
  }
}
