/** What a body is, as far as the tools treat it differently. */
export type BodyType = 'pdf' | 'html' | 'text' | 'office' | 'binary' | 'empty'

/** A page or document as it came. */
export interface PageBody {
  /** As asked for, without its fragment. */
  readonly url: string
  /** Where redirects ended. */
  readonly finalUrl: string
  readonly bytes: Uint8Array
  readonly sha256: string
  /** By the bytes; the header decides only where they do not tell. */
  readonly type: BodyType
  /** The header as the server sent it; '' when it sent none. */
  readonly contentTypeHeader: string
}

const latin1 = new TextDecoder('latin1')

/**
 * What the bytes are: a PDF by its mark within the first 1,024 bytes, docx and xlsx by the zip's, HTML by its tags or,
 * where the bytes are text and do not tell, by the header or the path's end. A server that says PDF and sends HTML
 * is read as HTML.
 */
export function bodyType(bytes: Uint8Array, contentType: string, url: string): BodyType {
  if (bytes.length === 0) return 'empty'
  const head = latin1.decode(bytes.subarray(0, 4096))
  if (head.slice(0, 1024).includes('%PDF-')) return 'pdf'
  if (head.startsWith('PK\u0003\u0004') || head.startsWith('\u00d0\u00cf\u0011\u00e0')) return 'office'
  const utf16 = head.startsWith('\u00ff\u00fe') || head.startsWith('\u00fe\u00ff')
  if (!utf16 && isBinary(head)) return 'binary'
  const text = head.replaceAll('\u0000', '')
  if (/<(!doctype\s+html|html|head|body|title|meta|table|div|p|script|frameset)[\s>]/i.test(text))
    return markup(text, contentType)
  return /html/i.test(contentType) || /\.x?html?$/i.test(pathOf(url)) ? 'html' : 'text'
}

/**
 * Markdown and source code may hold tags; they are HTML only when they start as such or are said to be. XML that is no
 * XHTML stays as it is: a feed's titles are no page's title, and its words may stand in CDATA sections.
 */
function markup(text: string, contentType: string): BodyType {
  const start = text.replace(/^[\u00ff\u00fe\u00ef\u00bb\u00bf\s]+/, '')
  const isXml = start.startsWith('<?xml') || /^<(rss|feed|rdf:rdf)[\s>]/i.test(start)
  if (isXml && !/<(!doctype\s+html|html)[\s>]/i.test(start)) return 'text'
  if (/^<(!doctype\s+html|html|head|body|\?xml|!--|[a-z]+[\s>])/i.test(start)) return 'html'
  return /text\/(plain|markdown|csv)|json/i.test(contentType) ? 'text' : 'html'
}

/** Control characters that no text encoding uses; one or two stray ones are found in pages. */
function isBinary(head: string): boolean {
  const controls = head.match(/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/g)?.length ?? 0
  return controls > head.length / 50
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : url
}
