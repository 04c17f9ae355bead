import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { withoutLinkNumbers } from '../../tools/page/links.ts'
import type { PageEnvironment, ReadPage } from '../../tools/page/page-reader.ts'
import { pageReaders } from '../../tools/page/registry.ts'
import { BudgetRefusedError, ToolError } from '../core/errors.ts'
import { sha256 } from '../system/hash.ts'
import type { Check } from './contract.ts'
import { type AnswerRequest, countingTransport, instantClock } from './web.ts'

/**
 * A page that a page reader is tested with.
 *
 * @example
 * import type { PageReaderSample } from 'tablehunt/testing'
 *
 * const page: PageReaderSample = {
 *   html: '<h1>Hotels</h1><p>The Alder has 12 beds. <a href="https://example.org/birch">Birch</a></p>',
 *   text: /12 beds/,
 *   links: ['https://example.org/birch'],
 * }
 */
export interface PageReaderSample {
  /** The page's HTML, as it was fetched. */
  readonly html: string
  /** What its text contains. */
  readonly text: RegExp
  /** The addresses that it links to. */
  readonly links: readonly string[]
  /** Answers the reader's own requests. Absent when it makes none. */
  readonly web?: AnswerRequest
}

/** Returns the checks that every page reader must pass. */
export function pageReaderContract(name: string, sample: PageReaderSample): readonly Check[] {
  const readPage = async (web: AnswerRequest | undefined, isRefused = false) => {
    const transport = countingTransport(web)
    let charges = 0
    const environment: PageEnvironment = {
      transport,
      renderer: null,
      clock: instantClock,
      signal: new AbortController().signal,
      charge(kind, what) {
        if (isRefused) throw new BudgetRefusedError(kind, `no ${kind} left for ${what}`)
        charges++
      },
      retried: () => undefined,
    }
    const reader = pageReaders
      .get(name)
      .create({ apiKey: 'secret-key-1', baseUrl: 'https://reader.example.org' })
    const outcome = await reader.read(buildBody(sample.html), environment).catch((error: unknown) => error)
    return { outcome, charges, requests: transport.sent.length }
  }
  return [
    {
      name: 'converts a page to text with links numbered from 1, and charges each of its own requests',
      async run() {
        const { outcome, charges, requests } = await readPage(sample.web)
        if (outcome instanceof Error) throw outcome
        const page = outcome as ReadPage
        equal(page.url, pageUrl)
        match(page.text, sample.text)
        equal(withoutLinkNumbers(page.marked), page.text, '`marked` without its marks is `text`')
        deepEqual(
          page.links.map(link => link.url),
          sample.links,
        )
        deepEqual(
          page.links.map(link => link.number),
          sample.links.map((_, at) => at + 1),
        )
        equal(charges, requests, 'charges and requests')
      },
    },
    ...(sample.web === undefined ? [] : failureChecks(readPage)),
  ]
}

type PageRead = (
  web: AnswerRequest,
  isRefused?: boolean,
) => Promise<{ readonly outcome: unknown; readonly requests: number }>

/** For readers that make requests of their own. */
function failureChecks(readPage: PageRead): Check[] {
  return [
    {
      name: 'sends no request that its budget refuses',
      async run() {
        const { outcome, requests } = await readPage(() => '', true)
        ok(outcome instanceof BudgetRefusedError, `the refusal is lost: ${String(outcome)}`)
        equal(requests, 0)
      },
    },
    {
      name: 'reports a service that is down as a failure of our infrastructure',
      async run() {
        const { outcome } = await readPage(() => ({ status: 503, body: '' }))
        await rejects(
          Promise.reject(outcome),
          (error: unknown) => error instanceof ToolError && error.infrastructure,
        )
      },
    },
  ]
}

const pageUrl = 'https://pages.example.org/hotels'

function buildBody(html: string) {
  const bytes = new TextEncoder().encode(html)
  return {
    url: pageUrl,
    finalUrl: pageUrl,
    bytes,
    sha256: sha256(html),
    type: 'html',
    contentTypeHeader: 'text/html; charset=utf-8',
  } as const
}
