import { z } from 'zod/v4'
import { ToolError } from '../../src/core/errors.ts'
import { joinToOneLine } from '../../src/text/plain-text.ts'
import type { SearchSettings } from '../search/provider.ts'
import { readServiceAnswer } from '../search/service-answer.ts'
import { chargeRequest } from './fetch-body.ts'
import { LinkList, withoutLinkNumbers } from './links.ts'
import type { PageEnvironment, PageReader, ReadPage } from './page-reader.ts'

const jinaBaseUrl = 'https://r.jina.ai'

const timeoutMs = 60_000
const maxAnswerBytes = 20_000_000

/** One warning, or a list of them. */
const warnings = z.unknown().transform(value => [value].flat().filter(words => typeof words === 'string'))
const pageStatus = z.coerce.number().int().nullish().catch(null)

const answerSchema = z.looseObject({
  data: z.looseObject({
    title: z.string().nullish().catch(null),
    url: z.string().nullish().catch(null),
    content: z.string(),
    ...{ warning: warnings, warnings },
    ...{ httpStatus: pageStatus, status: pageStatus, statusCode: pageStatus },
  }),
})

/**
 * Creates a page reader that uses Jina Reader (https://r.jina.ai), as other agents do, and returns its Markdown.
 * Jina fetches the page again and runs its scripts. Runs with it cannot be compared with runs that use our own
 * reader. A key is optional and raises the rate limit.
 */
export function createJinaReader(settings: SearchSettings): PageReader {
  const base = (settings.baseUrl ?? jinaBaseUrl).replace(/\/+$/, '')
  const key: Record<string, string> =
    settings.apiKey === null ? {} : { authorization: `Bearer ${settings.apiKey}` }
  return {
    name: 'jina',
    fetches: true,
    async read(body, environment) {
      const headers = { accept: 'application/json', 'x-retain-images': 'none', ...key }
      const answer = await ask(`${base}/${body.finalUrl}`, headers, environment)
      return readAnswer(body.finalUrl, answer.data)
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
  return await chargeRequest(`read: ${url}`, environment, async () =>
    readServiceAnswer(
      'Jina Reader',
      await environment.transport.send(request, environment.signal),
      answerSchema,
      { verdict: judgeAnswer },
    ),
  )
}

/** Jina reports a page that its browser could not load, or not in time, as 422, the status of a wrong request. */
function judgeAnswer(_status: number, body: string): 'outage' | null {
  return /timed?[ -]?out|net::ERR_|failed to goto/i.test(body) ? 'outage' : null
}

/**
 * Throws when Jina read an error page: it reports the status of the page as a warning beside the text of that page.
 *
 * @throws ToolError `http-status`
 */
function throwIfRefused(url: string, warning: string): void {
  const [, status] = /\b(?:error|status|HTTP)\b[\s:=]{0,3}(?:code )?([45]\d\d)\b/i.exec(warning) ?? []
  if (status === undefined && !/captcha/i.test(warning)) return
  const what = status === undefined ? `${url} asks for a CAPTCHA` : `HTTP ${status} for ${url}`
  throw new ToolError('http-status', `${what} (Jina Reader: ${joinToOneLine(warning).slice(0, 200)})`, {
    infrastructure: status === undefined || status === '429' || status.startsWith('5'),
  })
}

// Words with brackets inside, and an address with pairs of parentheses, possibly escaped, or with spaces that nothing escaped.
const label = String.raw`\[((?:[^[\]\\]|\\.|\[[^[\]]*\])*)\]`
const addressChars = String.raw`(?:\\.|[^\s()\\]|\((?:\\.|[^\s()\\])*\))+`
const linkTitle = String.raw`(?:\s+"[^"]*")?`
const markdownImage = new RegExp(String.raw`!${label}\(${addressChars}${linkTitle}\)`, 'g')
const markdownLink = new RegExp(
  String.raw`${label}\((https?:\/\/${addressChars})(\s[^\n()"]*)?(?:"[^"]*")?\)`,
  'g',
)
const bareLink = /<(https?:\/\/[^\s<>]+)>/g

function readAnswer(url: string, data: z.output<typeof answerSchema>['data']): ReadPage {
  const status = [data.httpStatus, data.status, data.statusCode].find(
    code => code != null && code >= 400 && code < 600,
  )
  const warning = [...data.warning, ...data.warnings, ...(status == null ? [] : [`HTTP ${status}`])].join(
    '; ',
  )
  throwIfRefused(url, warning)
  const links = new LinkList()
  const marked = data.content
    .replace(/[\ue000-\ue003]/g, '')
    .replace(markdownImage, (_whole, words: string) => words)
    .replace(markdownLink, (_whole, words: string, target: string, rest = '') =>
      links.mark(words, `${target.replace(/\\([()])/g, '$1')}${encodeURI(rest.trimEnd())}`),
    )
    .replace(bareLink, (_whole, target: string) => links.mark(target, target))
  return {
    url,
    title: data.title ?? '',
    marked,
    text: withoutLinkNumbers(marked),
    links: links.all,
    note: /\S/.test(marked) ? (warning === '' ? null : joinToOneLine(warning)) : 'the page contains no text',
  }
}
