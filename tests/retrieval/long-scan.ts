import { scanOf } from './scan.ts'
import { smallPdf } from './small-pdf.ts'

export const pageNumbers = Array.from({ length: 12 }, (_, at) => at + 1)
export const revenueOn = (page: number): string => `Revenue ${4_512_100 + page * 7}`

/** Returns a PDF of 12 scanned pages, each with a different revenue. */
export async function longScan(): Promise<Buffer> {
  const pages: string[] = []
  for (const page of pageNumbers) pages.push(await scanOf([`Elm Holdings, page ${page}`, revenueOn(page)]))
  return smallPdf(pages)
}
