import { checkLimit, readingLimits } from '../../src/system/reading-limits.ts'
import { openZip } from '../../src/system/zip.ts'
import { htmlToText } from '../html/html-text.ts'
import { checkMarkup } from './check-markup.ts'

/**
 * Returns the text of a Word document. Each table row is one line, with cells separated by ` | `.
 *
 * @throws Error when the file is damaged
 * @throws TooLargeError when it exceeds one of `readingLimits`
 */
export async function docxToText(bytes: Uint8Array): Promise<string> {
  let unpacked = 0
  for (const { name, text } of openZip(bytes, readingLimits.unpackedBytes).values()) {
    if (!/\.(?:xml|rels)$/i.test(name)) continue
    const xml = text()
    unpacked += xml.length
    checkLimit(unpacked, readingLimits.unpackedBytes, 'bytes when unpacked')
    checkMarkup(xml, readingLimits.docxLevels, { xmlMode: true })
  }
  const { default: mammoth } = await import('mammoth')
  // Images would become megabytes of data URLs.
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }))
  const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) }, { convertImage })
  return htmlToText(value)
}
