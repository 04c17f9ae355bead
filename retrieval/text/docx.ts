import { htmlToText } from './html.ts'

/** A Word document's text; table rows a line with cells apart by ` | `. Rejects where the file is damaged. */
export async function docxToText(bytes: Uint8Array): Promise<string> {
  const { default: mammoth } = await import('mammoth')
  // Pictures would come as megabytes of data URLs.
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }))
  const { value } = await mammoth.convertToHtml({ buffer: Buffer.from(bytes) }, { convertImage })
  return await htmlToText(value)
}
