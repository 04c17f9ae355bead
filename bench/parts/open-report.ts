import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright'
import { median } from './statistics.ts'

const repetitions = 3

/** Measures how long a report needs from its address to the drawn first screen, in milliseconds. Median of three. */
export async function openReport(file: string, executablePath: string): Promise<number> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const times: number[] = []
    for (let turn = 0; turn < repetitions; turn++) {
      const page = await browser.newPage()
      const startedAt = performance.now()
      await page.goto(pathToFileURL(file).href, { waitUntil: 'commit' })
      await page.locator('.arms').waitFor()
      // The frame after the next one has been painted.
      await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
      times.push(performance.now() - startedAt)
      await page.close()
    }
    return median(times)
  } finally {
    await browser.close()
  }
}
