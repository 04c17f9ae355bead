import { z } from 'zod'
import { ProviderError, ToolError } from '../../src/core/errors.ts'
import { withRetry } from '../../src/core/retry.ts'
import { readServiceAnswer } from '../search/service-answer.ts'
import type { SearchSettings } from '../search/settings.ts'
import { LinkList, withoutLinkNumbers } from './links.ts'
import type { PageGrounds, PageReader, ReadPage } from './page-reader.ts'

const jinaBaseUrl = 'https://r.jina.ai'

const timeoutMs = 60_000
const maxAnswerBytes = 20_000_000
const retryPolicy = { retries: 2, firstWaitMs: 500, maxWaitMs: 10_000 } as const

const answerSchema = z.looseObject({
  data: z.looseObject({
    title: z.string().nullish().catch(null),
    url: z.string().nullish().catch(null),
    content: z.string(),
  }),
})

/**
 * Jina Reader (https://r.jina.ai), which other agents read pages through: its Markdown in place of ours. It fetches
 * the page again by itself, scripts run, so a run through it can't be compared with one that reads by itself. A key
 * is not needed but lifts its rate limit.
 */
export function jinaReader(settings: SearchSettings): PageReader {
  const base = (settings.baseUrl ?? jinaBaseUrl).replace(/\/+$/, '')
  const key: Record<string, string> =
    settings.apiKey === null ? {} : { authorization: `Bearer ${settings.apiKey}` }
  return {
    name: 'jina',
    async read(body, grounds) {
      const headers = { accept: 'application/json', 'x-retain-images': 'none', ...key }
      const answer = await ask(`${base}/${body.finalUrl}`, headers, grounds)
      return pageOf(body.finalUrl, answer.data)
    },
  }
}

async function ask(
  url: string,
  headers: Readonly<Record<string, string>>,
  grounds: PageGrounds,
): Promise<z.output<typeof answerSchema>> {
  const what = `read: ${url}`
  const request = {
    method: 'GET',
    url,
    headers,
    body: null,
    purpose: 'service',
    maxBytes: maxAnswerBytes,
    timeoutMs,
    maxRedirects: 0,
  } as const
  try {
    return await withRetry(
      async () => {
        grounds.charge('fetchCalls', what)
        const response = await grounds.transport.send(request, grounds.signal)
        return readServiceAnswer('Jina Reader', response, answerSchema)
      },
      {
        ...retryPolicy,
        clock: grounds.clock,
        signal: grounds.signal,
        onRetry: (error, retry, waitMs) => grounds.retried(what, error.message, retry, waitMs),
      },
    )
  } catch (error) {
    // A page that can't be read is an observation, whoever should have read it.
    if (!(error instanceof ProviderError)) throw error
    throw new ToolError('http-status', error.message, { infrastructure: true, cause: error })
  }
}

const markdownLink = /(!?)\[([^\]]*)\]\((https?:\/\/[^\s)]+)(?:\s+"[^"]*")?\)/g

function pageOf(url: string, data: z.output<typeof answerSchema>['data']): ReadPage {
  const links = new LinkList()
  const marked = data.content
    .replace(/[\ue000-\ue003]/g, '')
    .replace(markdownLink, (_whole, image: string, words: string, target: string) =>
      image === '' ? links.mark(words, target) : words,
    )
  return {
    url,
    title: data.title ?? '',
    marked,
    text: withoutLinkNumbers(marked),
    links: links.all,
    note: /\S/.test(marked) ? null : 'the page holds no text',
  }
}
