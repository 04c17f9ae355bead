import { BudgetRefusedError, ToolError } from '../../src/core/errors.ts'
import type { ToolEnvironment } from '../tool.ts'
import { storeOf } from './attempt-store.ts'
import { bodyOf, type PageBody } from './body-type.ts'

/** Another way to read a page. Returns null when it is not on, or gets no page either. */
type OtherWay = (url: string, environment: ToolEnvironment, begin: BeginTry) => Promise<PageBody | null>

/** Writes a further try to the trace. */
type BeginTry = (by: string) => void

/**
 * Reads a page that refused this program (401, 403, 406, 429, 503) in the other ways that are on: in the browser, then with a page reader that
 * fetches pages by itself. Each try is traced and charged.
 *
 * @param refusal what the page answered, for the trace
 * @returns null when no way is on or all of them fail
 * @throws ToolError `blocked` when the page leads to an address that must not be opened
 */
export async function readRefusedPage(
  url: string,
  refusal: string,
  environment: ToolEnvironment,
): Promise<PageBody | null> {
  let tries = 0
  const begin: BeginTry = by => {
    tries += 1
    environment.retried(`fetch: ${url}`, `${refusal}; read with ${by}`, tries, 0)
  }
  for (const way of [openInBrowser, readByService] satisfies OtherWay[]) {
    try {
      const body = await way(url, environment, begin)
      if (body !== null) return body
    } catch (error) {
      const isExpected = error instanceof ToolError || error instanceof BudgetRefusedError
      if (!isExpected || (error instanceof ToolError && error.errorClass === 'blocked')) throw error
    }
  }
  return null
}

/** This is charged as one fetch, whatever the page loads. */
const openInBrowser: OtherWay = async (url, environment, begin) => {
  const { renderer = null, transport, signal } = environment
  if (renderer === null) return null
  environment.charge('fetchCalls', `browser: ${url}`)
  begin('the browser')
  const response = await renderer.open({ url, transport, signal, owner: storeOf(environment) })
  if (response.status < 200 || response.status > 299) return null
  return { ...bodyOf(url, response), isRendered: true }
}

/** The reader charges each of its requests. */
const readByService: OtherWay = async (url, environment, begin) => {
  const { pageReader } = environment
  if (pageReader?.fetches !== true) return null
  const empty = {
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: new Uint8Array(),
    finalUrl: url,
  }
  begin(`the page reader ${pageReader.name}`)
  const { text } = await pageReader.read(bodyOf(url, empty), environment)
  const body = new TextEncoder().encode(text)
  return bodyOf(url, { ...empty, headers: { 'content-type': 'text/markdown; charset=utf-8' }, body })
}
