import { z } from 'zod/v4'
import { readServiceAnswer } from '../search/service-answer.ts'
import type { SearchSettings } from '../search/settings.ts'
import { chargedRequest } from './charged-request.ts'
import { LinkList, withoutLinkNumbers } from './links.ts'
import type { PageEnvironment, PageReader, ReadPage } from './page-reader.ts'

const jinaBaseUrl = 'https://r.jina.ai'

const timeoutMs = 60_000
const maxAnswerBytes = 20_000_000

const answerSchema = z.looseObject({
  data: z.looseObject({
    title: z.string().nullish().catch(null),
    url: z.string().nullish().catch(null),
    content: z.string(),
  }),
})

/**
 * Creates a page reader that uses Jina Reader (https://r.jina.ai), as other agents do, and returns its Markdown.
 * Jina fetches the page again and runs its scripts. Runs with it cannot be compared with runs that use our own
 * reader. A key is optional and raises the rate limit.
 */
export function jinaReader(settings: SearchSettings): PageReader {
  const base = (settings.baseUrl ?? jinaBaseUrl).replace(/\/+$/, '')
  const key: Record<string, string> =
    settings.apiKey === null ? {} : { authorization: `Bearer ${settings.apiKey}` }
  return {
    name: 'jina',
    fetches: true,
    async read(body, environment) {
      const headers = { accept: 'application/json', 'x-retain-images': 'none', ...key }
      const answer = await ask(`${base}/${body.finalUrl}`, headers, environment)
      return pageOf(body.finalUrl, answer.data)
    },
  }
}

async function ask(
  url: string,
  headers: Readonly<Record<string, string>>,
  environment: PageEnvironment,
): Promise<z.output<typeof answerSchema>> {
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
  return await chargedRequest(`read: ${url}`, environment, async () =>
    readServiceAnswer(
      'Jina Reader',
      await environment.transport.send(request, environment.signal),
      answerSchema,
    ),
  )
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
    note: /\S/.test(marked) ? null : 'the page contains no text',
  }
}
