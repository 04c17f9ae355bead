// Makes the README's two pictures of a report: `npm run pictures -- RUN`. Needs a Chromium (see `tablehunt doctor`).
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium } from 'playwright'
import { findBrowser } from '../../dist/tools/page/browser-path.js'

const [run] = process.argv.slice(2)
if (run === undefined) throw new Error('name a run: npm run pictures -- runs/real')
const place = await findBrowser({
  flag: null,
  variable: process.env.TABLEHUNT_CHROMIUM ?? null,
  searchPath: process.env.PATH ?? '',
})
if (place === null) throw new Error('no Chromium found')
const browser = await chromium.launch({ executablePath: place.path, args: ['--no-sandbox'] })
const page = await browser.newPage({ viewport: { width: 1200, height: 700 } })
const picture = async name => await page.screenshot({ path: fileURLToPath(new URL(name, import.meta.url)) })
await page.goto(pathToFileURL(resolve(run, 'report.html')).href)
await page.locator('#figure-waterfall').scrollIntoViewIfNeeded()
await page.locator('#figure-waterfall').evaluate(figure => figure.scrollIntoView())
await picture('report.png')
// Shows the attempt that lost cells for the most different reasons.
const shown = await page.locator('script[data-attempt]').evaluateAll(pages => {
  const classesOf = text => new Set([...text.matchAll(/"class":"([a-z-]+)"/g)].map(found => found[1])).size
  const counted = pages.map(one => ({ id: one.dataset.attempt, classes: classesOf(one.textContent) }))
  return counted.sort((a, b) => b.classes - a.classes)[0].id
})
await page.evaluate(id => {
  location.hash = `#attempt=${encodeURIComponent(id)}`
}, shown)
await page.locator('#detail h1').waitFor()
await page.locator('#detail h2', { hasText: 'Gold beside answer' }).evaluate(head => head.scrollIntoView())
await picture('attempt.png')
await browser.close()
