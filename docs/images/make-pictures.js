// Makes the README's picture of a report: `npm run pictures -- RUN`. Needs a Chromium (see `tablehunt doctor`).
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
const page = await browser.newPage({ viewport: { width: 1040, height: 760 } })
await page.goto(pathToFileURL(resolve(run, 'report.html')).href)
await page.waitForTimeout(500)
await page.screenshot({ path: fileURLToPath(new URL('report.png', import.meta.url)) })
await browser.close()
