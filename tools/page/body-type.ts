import { gunzipSync } from 'node:zlib'
import { hasPdfHeader } from '../../retrieval/text/format.ts'
import { sha256 } from '../../src/system/hash.ts'
import type { WebResponse } from '../web/transport.ts'

/** The types of bodies that the tools treat differently. */
export type BodyType = 'pdf' | 'html' | 'text' | 'office' | 'binary' | 'empty'

/** A downloaded page or document. */
export interface PageBody {
  /** As requested, without its fragment. */
  readonly url: string
  /** The URL after all redirects. */
  readonly finalUrl: string
  readonly bytes: Uint8Array
  readonly sha256: string
  /** Detected from the bytes; from the header only when the bytes are inconclusive. */
  readonly type: BodyType
  /** The header as the server sent it; '' when it sent none. */
  readonly contentTypeHeader: string
  /** Whether the browser fetched the page and has run its scripts. Absent: no. */
  readonly isRendered?: boolean
}

/** Returns the body of a response to a request for `url`. */
export function createBody(url: string, { headers, body, finalUrl }: WebResponse): PageBody {
  const bytes = unpack(body)
  const contentTypeHeader = headers['content-type'] ?? ''
  const type = classifyBody(bytes, contentTypeHeader, finalUrl)
  return { url, finalUrl, bytes, sha256: sha256(bytes), type, contentTypeHeader }
}

const maxUnpackedBytes = 64_000_000

/** Unpacks what is compressed although no header says so, as servers send files that were compressed before. */
function unpack(body: Uint8Array): Uint8Array {
  let bytes = body
  for (let times = 0; times < 2 && bytes[0] === 0x1f && bytes[1] === 0x8b; times++) {
    try {
      bytes = gunzipSync(bytes, { maxOutputLength: maxUnpackedBytes })
    } catch (error) {
      if (error instanceof Error && 'code' in error) return body
      throw error
    }
  }
  return bytes
}

const latin1 = new TextDecoder('latin1')

/**
 * Detects the type of a body. A PDF has its marker in the first 1,024 bytes, and docx and xlsx start as a ZIP
 * archive. HTML is detected by its tags. For other text, the header or the extension of the path decides. HTML that
 * a server labels as PDF is therefore read as HTML.
 */
export function classifyBody(bytes: Uint8Array, contentType: string, url: string): BodyType {
  if (bytes.length === 0) return 'empty'
  const head = latin1.decode(bytes.subarray(0, 4096))
  if (hasPdfHeader(head)) return 'pdf'
  if (head.startsWith('PK\u0003\u0004') || head.startsWith('\u00d0\u00cf\u0011\u00e0')) return 'office'
  const utf16 = head.startsWith('\u00ff\u00fe') || head.startsWith('\u00fe\u00ff')
  if (!utf16 && isBinary(head)) return 'binary'
  const text = head.replaceAll('\u0000', '')
  if (/<(!doctype\s+html|html|head|body|title|meta|table|div|p|script|frameset)[\s>]/i.test(text))
    return classifyTaggedText(text, contentType)
  return /html/i.test(contentType) || /\.x?html?$/i.test(readUrlPath(url)) ? 'html' : 'text'
}

/**
 * Distinguishes HTML from other text with tags. Markdown and source code may contain tags, also at their start. They are
 * HTML only when they are a whole page, or when their header does not call them text. XML other than XHTML stays text: the
 * titles in a feed are not page titles, and its content may be in CDATA sections.
 */
function classifyTaggedText(text: string, contentType: string): BodyType {
  const start = text.replace(/^[\u00ff\u00fe\u00ef\u00bb\u00bf\s]+/, '')
  const isXml = start.startsWith('<?xml') || /^<(rss|feed|rdf:rdf)[\s>]/i.test(start)
  if (isXml && !/<(!doctype\s+html|html)[\s>]/i.test(start)) return 'text'
  // Comments and an XML declaration may precede the first tag of a page.
  const page = start.replace(/^(?:(?:<!--[\s\S]*?-->|<\?xml[^>]*>)\s*)+/, '')
  if (/^<(!doctype\s+html|html|head|body)[\s>]/i.test(page)) return 'html'
  return /text\/(plain|markdown|csv)|json/i.test(contentType) ? 'text' : 'html'
}

/** Looks for control characters that no text encoding uses. Pages may contain a few stray ones. */
function isBinary(head: string): boolean {
  const controls = head.match(/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/g)?.length ?? 0
  return controls > head.length / 50
}

function readUrlPath(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url
}
