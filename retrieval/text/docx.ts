import { htmlToText } from './html.ts'

/**
 * Returns the text of a Word document. Each table row is one line, with cells separated by ` | `.
 *
 * @throws Error when the file is damaged
 */
export async function docxToText(bytes: Uint8Array): Promise<string> {
  const { default: mammoth } = await import('mammoth')
  // Images would become megabytes of data URLs.
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }))
  const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) }, { convertImage })
  return await htmlToText(value)
}
