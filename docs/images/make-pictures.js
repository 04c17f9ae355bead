// Makes the README's two pictures of a report: `npm run pictures -- RUN`. Needs a Chromium (see `tablehunt info doctor`).
import { resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { inflateRawSync } from 'node:zlib'
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
const page = await browser.newPage({ viewport: { width: 1280, height: 760 } })
const picture = async name => await page.screenshot({ path: fileURLToPath(new URL(name, import.meta.url)) })
const report = pathToFileURL(resolve(run, 'report.html')).href
await page.goto(report)
await page.locator('.arms').waitFor()
await picture('report.png')
// Shows the task whose answers lost cells for the most different reasons.
const packed = await page
  .locator('script[data-attempt]')
  .evaluateAll(pages => pages.map(one => one.textContent ?? ''))
const classesOf = text => new Set([...text.matchAll(/"class":"([a-z-]+)"/g)].map(found => found[1])).size
const attempts = packed.map(text => inflateRawSync(Buffer.from(text, 'base64')).toString())
const [shown] = attempts.toSorted((a, b) => classesOf(b) - classesOf(a))
await page.goto(`${report}#task=${encodeURIComponent(JSON.parse(shown).taskId)}`)
await page.locator('.answers').waitFor()
await page.locator('.answers td[class*="class-"]:not(.class-correct) a').first().click()
await page.locator('.cause').waitFor()
await page.locator('.with-cause').evaluate(answers => answers.scrollIntoView())
await picture('attempt.png')
await browser.close()
