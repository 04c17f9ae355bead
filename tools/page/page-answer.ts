import { joinPages } from '../../src/core/document.ts'
import { BudgetRefusedError, ToolError } from '../../src/core/errors.ts'
import type { ToolArtifact, ToolEnvironment } from '../tool.ts'
import { once, storeOf } from './attempt-store.ts'
import type { PageBody } from './body-type.ts'
import { decodeText } from './charset.ts'
import { readDocument } from './document-answer.ts'
import type { HtmlPage } from './html-page.ts'
import { showPart, type TextPage } from './page-text.ts'

const maxRecordedLinks = 1_000

const contentTypes = {
  html: 'text/html',
  text: 'text/plain',
  office: 'application/vnd.openxmlformats-officedocument',
  pdf: 'application/pdf',
  binary: 'application/octet-stream',
  empty: '',
} as const

/** What fetch_page answers for everything but a PDF: one part of the page's text, its links, and what was seen. */
export async function answerFromPage(
  body: PageBody,
  asked: { readonly part: number; readonly note: string | null },
  environment: ToolEnvironment,
): Promise<[string, ToolArtifact]> {
  const page = await textPageOf(body, environment)
  const note = [asked.note, page.note].filter(said => said !== null).join(' ')
  const shown = showPart({ ...page, note: note === '' ? null : note }, asked.part)
  return [
    shown.text,
    {
      truncated: shown.truncated,
      observations: [
        {
          kind: 'body',
          url: body.url,
          finalUrl: body.finalUrl,
          sha256: body.sha256,
          contentType: contentTypes[body.type],
          bytes: body.bytes.length,
          textSha256: /\S/.test(page.text) ? environment.keepText(page.text) : null,
          shown: [...shown.shown],
          total: shown.total,
          links: page.links.slice(0, maxRecordedLinks).map(link => link.url),
        },
      ],
    },
  ]
}

/** A page ready to be shown, with its text as it stands, without link numbers. */
interface ReadPage extends TextPage {
  readonly text: string
}

async function textPageOf(body: PageBody, environment: ToolEnvironment): Promise<ReadPage> {
  switch (body.type) {
    case 'html':
      return await htmlPage(body, environment)
    case 'text':
      return plainPage(body, decodeText(body.bytes, body.contentTypeHeader).text, null)
    case 'office':
    case 'pdf': {
      const document = await readDocument(body, environment)
      return plainPage(body, joinPages(document.pages), document.problem)
    }
    case 'binary':
      return plainPage(
        body,
        '',
        `no text: ${body.contentTypeHeader === '' ? 'a binary file' : body.contentTypeHeader}, ${body.bytes.length} bytes`,
      )
    case 'empty':
      return plainPage(body, '', 'the page is empty')
    default:
      return body.type satisfies never
  }
}

function plainPage(body: PageBody, text: string, note: string | null): ReadPage {
  const title = new URL(body.finalUrl).pathname.split('/').at(-1) ?? ''
  return { url: body.finalUrl, title, marked: text.replace(/[\ue000-\ue003]/g, ''), text, links: [], note }
}

async function htmlPage(body: PageBody, environment: ToolEnvironment): Promise<ReadPage> {
  const store = storeOf(environment)
  const { readHtml } = await import('./html-page.ts')
  const page = await once(store.pages, `${body.sha256} ${body.finalUrl}`, async () =>
    readHtml(decodeText(body.bytes, body.contentTypeHeader).text, body.finalUrl),
  )
  if (!page.needsScript) return { url: body.finalUrl, ...page, note: emptyNote(page) }
  const renderer = environment.renderer ?? null
  if (renderer === null)
    return { url: body.finalUrl, ...page, note: `${scriptNote}, and there is no browser here` }
  const rendered = await once(store.pages, `rendered ${body.sha256} ${body.finalUrl}`, async () => {
    environment.charge('fetchCalls', `render: ${body.finalUrl}`)
    const { html, finalUrl } = await renderer.render({
      url: body.finalUrl,
      bytes: body.bytes,
      contentType: body.contentTypeHeader === '' ? 'text/html' : body.contentTypeHeader,
      transport: environment.transport,
      signal: environment.signal,
      owner: store,
    })
    return readHtml(html, finalUrl)
  }).catch((error: unknown) => {
    if (error instanceof ToolError || error instanceof BudgetRefusedError) return error
    throw error
  })
  if (rendered instanceof Error)
    return { url: body.finalUrl, ...page, note: `${scriptNote}: ${rendered.message}` }
  return { url: body.finalUrl, ...rendered, note: emptyNote(rendered) }
}

const scriptNote = 'this page is written by JavaScript, which was not run'

function emptyNote(page: HtmlPage): string | null {
  return /\S/.test(page.text) ? null : 'the page holds no text'
}
