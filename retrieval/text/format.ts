import type { DocumentFormat } from '../../src/core/document.ts'
import { openPackage } from '../office/office-package.ts'

/** The format of a document, or the reason why it cannot be read. */
export type Sniffed =
  | { readonly format: DocumentFormat }
  | { readonly format: null; readonly problem: string }

const magic: readonly { readonly lead: readonly number[]; readonly what: string }[] = [
  { lead: [0x89, 0x50, 0x4e, 0x47], what: 'a PNG image' },
  { lead: [0xff, 0xd8, 0xff], what: 'a JPEG image' },
  { lead: [0x47, 0x49, 0x46, 0x38], what: 'a GIF image' },
  { lead: [0x49, 0x49, 0x2a, 0x00], what: 'a TIFF image' },
  { lead: [0x4d, 0x4d, 0x00, 0x2a], what: 'a TIFF image' },
  { lead: [0x1f, 0x8b], what: 'a gzip archive' },
  { lead: [0x7b, 0x5c, 0x72, 0x74, 0x66], what: 'an RTF file' },
]

/** The extensions of texts that may begin with an HTML tag without being a web page. */
const textName =
  /\.(?:md|markdown|mdx|mkd|mdown|txt|text|rst|adoc|asciidoc|org|tex|csv|tsv|json|jsonl|ndjson|ya?ml|toml|log)$/i

/**
 * Recognises the format of a document by its bytes. A document that the name calls a text is HTML only when it is a
 * whole page. The name also distinguishes Markdown from plain text.
 */
export function sniffFormat(bytes: Uint8Array, name: string): Sniffed {
  if (bytes.length === 0) return { format: null, problem: 'empty: the file has 0 bytes' }
  const latin = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).toString('latin1')
  // A text that begins with the words of a header is a PDF only by its name.
  if (hasPdfHeader(latin) || (/\.pdf$/i.test(name) && latin.startsWith('%PDF-'))) return { format: 'pdf' }
  if (latin.startsWith('PK\x03\x04')) return findZipFormat(bytes)
  if (latin.startsWith('\xd0\xcf\x11\xe0')) return findCompoundFormat(bytes)
  const otherFormat = magic.find(({ lead }) => lead.every((byte, index) => bytes[index] === byte))
  if (otherFormat !== undefined)
    return { format: null, problem: `unreadable: ${otherFormat.what}, not a text document` }
  const start = latin
    .replaceAll('\0', '')
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, '')
    .trimStart()
  if (textName.test(name) ? isWholePage(start) : looksLikeHtml(start)) return { format: 'html' }
  return { format: /\.(md|markdown|mdx)$/i.test(name) ? 'markdown' : 'text' }
}

/**
 * Whether bytes, read as Latin-1, have the header of a PDF. Readers accept other bytes before it, but not a text: a web page
 * or a note that mentions the header is no PDF.
 */
export function hasPdfHeader(latin: string): boolean {
  const at = latin.slice(0, 1024 + '%PDF-'.length).indexOf('%PDF-')
  if (at === -1) return false
  const before = latin.slice(0, at)
  const after = latin.slice(at)
  const isSentence = /^%PDF-\d\.\d[ \t,;:]+[a-z]/i.test(after)
  if (/^[\s\0\u00ef\u00bb\u00bf]*$/.test(before) && !isSentence) return true
  // A byte that no text contains, or an object of the file: a text about PDFs rarely shows these so early.
  if (!/^%PDF-[12]\.\d\s/.test(after)) return false
  if (/[\0-\x08\x0e-\x1a\x1c-\x1f]/.test(after)) return true
  return !/<[a-z!]/i.test(before) && /^\d+ \d+ obj\b/m.test(after)
}

/** The most bytes of a part that is unpacked to recognise a format. */
const maxSniffedBytes = 4_000_000

/** The main part decides. An archive cut short has no directory, but still the names of its parts. */
function findZipFormat(bytes: Uint8Array): Sniffed {
  let clues: string[]
  try {
    const { main, mainType, text } = openPackage(
      bytes,
      ['word/document.xml', 'xl/workbook.xml', 'xl/workbook.bin', 'ppt/presentation.xml', 'content.xml'],
      maxSniffedBytes,
    )
    clues = [mainType, main]
    if (main === 'content.xml') clues = [text('mimetype') ?? '']
    if (clues.every(clue => formatOfPart(clue) === null)) clues = [text(main)?.slice(0, 2000) ?? '']
  } catch {
    clues = [Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')]
  }
  const format = clues.map(formatOfPart).find(name => name !== null) ?? null
  if (format !== null) return { format }
  return { format: null, problem: 'unreadable: a zip archive without a document in it, or one cut short' }
}

/** Returns the format that a content type, a name or a namespace of a main part belongs to. */
function formatOfPart(clue: string): DocumentFormat | null {
  return partClues.find(([, pattern]) => pattern.test(clue))?.[0] ?? null
}

const partClues: readonly (readonly [DocumentFormat, RegExp])[] = [
  ['docx', /wordprocessingml|ms-word|word[\\/]document/i],
  ['xls', /ms-excel\.sheet\.binary|xl[\\/]workbook\.bin/i],
  ['xlsx', /spreadsheetml|ms-excel|xl[\\/]workbook/i],
  ['pptx', /presentationml|ms-powerpoint|ppt[\\/]presentation/i],
  ['odt', /opendocument\.(?:text|presentation|spreadsheet)/i],
]

/** The streams of the files of Office 97 to 2003. The one that the file's directory names first is its own. */
const streams: readonly (readonly [DocumentFormat | null, string])[] = [
  ['doc', 'WordDocument'],
  ['xls', 'Workbook'],
  ['xls', 'Book'],
  ['ppt', 'PowerPoint Document'],
  [null, 'EncryptedPackage'],
]

function findCompoundFormat(bytes: Uint8Array): Sniffed {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const [first] = streams
    .map(([format, name]) => ({ format, at: buffer.indexOf(Buffer.from(`${name}\0`, 'utf16le')) }))
    .filter(({ at }) => at >= 0)
    .sort((a, b) => a.at - b.at)
  if (first === undefined)
    return { format: null, problem: 'unreadable: a compound file without an Office document in it' }
  if (first.format === null)
    return { format: null, problem: 'unreadable: an Office file that is protected by a password' }
  return { format: first.format }
}

/** Comments and an XML declaration may precede the first tag of a page. */
function isWholePage(start: string): boolean {
  const page = start.replace(/^(?:(?:<!--[\s\S]*?-->|<\?xml[^>]*>)\s*)+/i, '')
  return /^<(?:!doctype\s+html|html)[\s>]/i.test(page)
}

function looksLikeHtml(start: string): boolean {
  if (/^<(?:!doctype\s+html|html|head|body)\b/i.test(start)) return true
  return /^<(?:!--|\?xml|!doctype|[a-z])/i.test(start) && /<(?:html|head|body|table|div|p)\b/i.test(start)
}
