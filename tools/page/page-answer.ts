import { type DecodedText, decodeBody, guessNotice } from '../../retrieval/text/decode.ts'
import { documentEndings, joinPages } from '../../src/core/document.ts'
import { ToolError } from '../../src/core/errors.ts'
import type { ToolArtifact, ToolEnvironment } from '../tool.ts'
import { computeOnce, findAttemptStore } from './attempt-store.ts'
import { makeBodyArtifact, withBodyRecord } from './body-observation.ts'
import type { PageBody } from './body-type.ts'
import { readDocument } from './document-answer.ts'
import { listLinkNumbers, showLinkNumbers, writeCitedLinks } from './links.ts'
import { ownReader, readBodyInThread } from './own-reader.ts'
import type { ReadPage } from './page-reader.ts'
import { type SearchedText, showPassages } from './passages.ts'

/** The most links of a page that its record contains. */
export const maxRecordedLinks = 1_000

/** The content types in the records of bodies. */
export const contentTypes = {
  html: 'text/html',
  text: 'text/plain',
  office: 'application/vnd.openxmlformats-officedocument',
  pdf: 'application/pdf',
  binary: 'application/octet-stream',
  empty: '',
} as const

/** Bodies whose note says what our reader left out or guessed. The notes of web pages are about the page. */
const documentTypes: ReadonlySet<PageBody['type']> = new Set(['text', 'office', 'pdf'])

/** A text of a page that a call can ask for. */
type PageView = 'main' | 'all'

/** The part of a page that a call asks for. */
interface PageQuestion {
  /** The part to show, or to search; null for the first part, or to search all of them. */
  readonly part: number | null
  readonly find: readonly string[]
  /** Which text of the page: the main text, or all of it. */
  readonly view?: PageView
  /** Shown before the text. */
  readonly note: string | null
}

/**
 * Returns the answer of fetch_page for bodies other than PDF: one part of the page's text with its links, or the
 * passages around terms, and the record of what was shown.
 */
export async function answerFromPage(
  body: PageBody,
  question: PageQuestion,
  environment: ToolEnvironment,
): Promise<[string, ToolArtifact]> {
  const { all, ...main } = await readTextPage(body, environment)
  const showsAll = question.view === 'all' && all !== undefined
  const shownText = showsAll ? { ...main, marked: all.marked, text: all.text } : main
  const share = all === undefined || showsAll ? null : describeShare(all.mainShare)
  const facts = [shownText.note, share].filter(remark => remark !== null).join('; ')
  const note = [question.note ?? '', facts].filter(remark => remark !== '').join(' ')
  const page = { ...shownText, note: note === '' ? null : note }
  const parts = splitParts(page.marked)
  const whole = {
    text: page.text,
    contentType: contentTypes[body.type],
    total: parts.length,
    notices: documentTypes.has(body.type) && shownText.note !== null ? [shownText.note] : [],
  }
  const shown = withBodyRecord(body, whole, environment, () =>
    question.find.length === 0
      ? showPart(page, parts, question.part ?? 1)
      : showPassages(searchParts(page, parts, question.part), question.find),
  )
  return [
    shown.text,
    makeBodyArtifact(
      body,
      {
        ...shown,
        ...whole,
        links: page.links.slice(0, maxRecordedLinks).map(link => link.url),
      },
      environment,
    ),
  ]
}

function describeShare(share: number): string {
  return `main text, ${Math.round(share * 100)}% of the page's visible text; view "all" has the rest`
}

/** Returns the text of a body other than a PDF. */
export async function readTextPage(body: PageBody, environment: ToolEnvironment): Promise<ReadPage> {
  switch (body.type) {
    case 'html':
      return await readHtmlPage(body, environment)
    case 'text': {
      const decoded = await decodeTextBody(body, environment)
      return makePlainPage(body, decoded.text, guessNotice(decoded))
    }
    case 'office':
    case 'pdf': {
      const document = await readDocument(body, environment)
      const notes = [document.problem ?? [], document.notices ?? []].flat()
      return makePlainPage(body, joinPages(document.pages), notes.length === 0 ? null : notes.join('; '))
    }
    case 'binary':
      return makePlainPage(
        body,
        '',
        `the file contains no text (${body.contentTypeHeader === '' ? 'a binary file' : body.contentTypeHeader}, ${body.bytes.length} bytes)`,
      )
    case 'empty':
      return makePlainPage(body, '', 'the page is empty')
    default:
      return body.type satisfies never
  }
}

/** A text with more bytes is decoded in a thread of its own, because guessing the encoding takes long. */
const maxBytesHere = 200_000

async function decodeTextBody(body: PageBody, environment: ToolEnvironment): Promise<DecodedText> {
  const source = { source: body.bytes, contentType: body.contentTypeHeader, finalUrl: body.finalUrl }
  return body.bytes.length > maxBytesHere
    ? await readBodyInThread<DecodedText>('text', source, environment.signal)
    : decodeBody(source)
}

function makePlainPage(body: PageBody, text: string, note: string | null): ReadPage {
  const title = new URL(body.finalUrl).pathname.split('/').at(-1) ?? ''
  return { url: body.finalUrl, title, marked: text.replace(/[\ue000-\ue003]/g, ''), text, links: [], note }
}

async function readHtmlPage(body: PageBody, environment: ToolEnvironment): Promise<ReadPage> {
  const { pages } = findAttemptStore(environment)
  const key = `${body.sha256} ${body.finalUrl}`
  return await computeOnce(pages, key, () => (environment.pageReader ?? ownReader).read(body, environment))
}

/** The most text that one answer shows, in characters. */
const partChars = 20_000

/**
 * Splits a text into parts of at most 20,000 characters, at an empty line or a line end when one is near. A longer
 * line is cut. A short or empty text is one part.
 */
function splitParts(text: string): string[] {
  const parts: string[] = []
  let rest = text
  while (rest.length > partChars) {
    const cut = cutBefore(rest)
    parts.push(rest.slice(0, cut).trimEnd())
    rest = rest.slice(cut).replace(/^\n+/, '')
  }
  parts.push(rest)
  return parts
}

/**
 * Returns the best place to cut within the last fifth: an empty line, otherwise a line end, otherwise a space,
 * otherwise the limit.
 */
function cutBefore(text: string): number {
  const nearest = partChars * 0.8
  for (const mark of ['\n\n', '\n', ' ']) {
    const place = text.lastIndexOf(mark, partChars - mark.length)
    if (place >= nearest) return place + mark.length
  }
  const code = text.charCodeAt(partChars - 1)
  return code >= 0xd800 && code <= 0xdbff ? partChars - 1 : partChars
}

const maxFurtherLinks = 60
const documentFile = new RegExp(`\\.(?!html?\\b)(?:${documentEndings})(?:[?#]|$)`, 'i')

/** One part of a page as the agent sees it. */
interface ShownPart {
  readonly text: string
  /** True when other parts contain more of the page, or links were left out. */
  readonly truncated: boolean
  readonly shown: readonly number[]
  readonly total: number
}

/**
 * Shows one part of a page: `URL`, `Title`, `Part n of m`, the text and its links. The first part also lists the
 * other links of the page, files first.
 *
 * @param parts - the marked text of the page, split into parts
 * @throws ToolError `bad-input` when the part does not exist
 */
function showPart(page: Omit<ReadPage, 'text'>, parts: readonly string[], part: number): ShownPart {
  const marked = choosePart(page, parts, part)
  const further = part === 1 ? listFurtherLinks(page) : { lines: [], leftOut: 0 }
  const head = [`URL: ${page.url}`, `Title: ${page.title}`, `Part ${part} of ${parts.length}`]
  if (page.note !== null) head.push(`Note: ${page.note}`)
  const sections = [head.join('\n'), showLinkNumbers(marked), ...writeCitedLinks(marked, page.links)]
  if (further.lines.length > 0) sections.push(['Other links on the page:', ...further.lines].join('\n'))
  if (part < parts.length) sections.push(`[continues: call fetch_page with part ${part + 1}]`)
  return {
    text: sections.filter(section => section !== '').join('\n\n'),
    truncated: parts.length > 1 || further.leftOut > 0,
    shown: marked === '' ? [] : [part],
    total: parts.length,
  }
}

/**
 * Returns the parts of a page, or one of them, ready to be searched for terms.
 *
 * @throws ToolError `bad-input` when the part does not exist
 */
function searchParts(
  page: Omit<ReadPage, 'text'>,
  parts: readonly string[],
  part: number | null,
): SearchedText {
  if (part !== null) choosePart(page, parts, part)
  const first = part ?? 1
  const searched = repeatTableTops(parts).slice(first - 1, part ?? parts.length)
  return {
    head: [`URL: ${page.url}`, `Title: ${page.title}`],
    notes: page.note === null ? [] : [`Note: ${page.note}`],
    pages: searched.map((text, at) => ({ number: first + at, text, ocr: false })),
    range: { first, last: part ?? parts.length },
    total: parts.length,
    unit: 'part',
    links: page.links,
    readMore: 'call fetch_page with one of these parts',
  }
}

/** Puts the headings of a table that began in an earlier part above its rows. */
function repeatTableTops(parts: readonly string[]): string[] {
  // The lines of the table that a part ends in, from its heading on, and the line before them.
  let top: string[] = []
  return parts.map(text => {
    const continued = text.startsWith('|') ? top : []
    const lines = text.trimEnd().split('\n')
    const start = lines.findLastIndex(line => !line.startsWith('|')) + 1
    if (text.trim() !== '') top = start > 0 ? lines.slice(start, start + 2) : [...top, ...lines].slice(0, 2)
    return [...continued.slice(0, 2), text].join('\n')
  })
}

function choosePart({ url }: Omit<ReadPage, 'text'>, parts: readonly string[], part: number): string {
  const text = parts[part - 1]
  if (text !== undefined) return text
  const has = `${parts.length} ${parts.length === 1 ? 'part' : 'parts'}`
  throw new ToolError('bad-input', `${url} has ${has}: part ${part} does not exist`)
}

function listFurtherLinks(page: Omit<ReadPage, 'text'>): { lines: string[]; leftOut: number } {
  const cited = listLinkNumbers(page.marked)
  const uncited = page.links.filter(link => !cited.has(link.number))
  const ordered = [
    ...uncited.filter(link => documentFile.test(link.url)),
    ...uncited.filter(link => !documentFile.test(link.url)),
  ]
  const lines = ordered
    .slice(0, maxFurtherLinks)
    .map(link => `[${link.number}] ${link.url}${link.text === '' ? '' : ` ${link.text}`}`)
  const leftOut = Math.max(0, ordered.length - maxFurtherLinks)
  if (leftOut > 0) lines.push(`[${leftOut} more links left out]`)
  return { lines, leftOut }
}
