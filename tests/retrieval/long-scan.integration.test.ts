import { expect, it } from 'vitest'
import { renderPages } from '../../retrieval/ocr/rendering.ts'
import { longScan, pageNumbers } from './long-scan.ts'

it('renders a scan of 12 pages page by page without losing one', async () => {
  const scan = await longScan()
  const images = new Set<string>()
  const numbers: number[] = []
  for await (const { number, image, late } of renderPages(scan, pageNumbers)) {
    expect(late).toBe(false)
    numbers.push(number)
    images.add(Buffer.from(image!).toString('latin1'))
  }
  expect(numbers).toEqual(pageNumbers)
  expect(images.size).toBe(12)
})
