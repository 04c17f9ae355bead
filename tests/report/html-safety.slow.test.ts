import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderHtml } from '../../src/report/html/html.ts'
import type { PageData } from '../../src/report/page/page-data.ts'
import { chromiumFlags, chromiumPath } from './chromium.ts'
import { hostileTexts, reportWith } from './hostile-report.ts'

const why = chromiumPath === null ? ' (skipped: no Chromium on this machine)' : ''
const viewNames = ['overview', 'matrix', 'attempts', 'task', 'cell', 'attempt'] as const

describe.skipIf(chromiumPath === null)(`the report's views in Chromium${why}`, () => {
  let browser: Browser
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tablehunt-safety-'))
    const hostile = `${hostileTexts.join(' ')} ${'x'.repeat(1_000_000)}`
    await writeFile(join(folder, 'hostile.html'), await renderHtml(reportWith(hostile)))
    await writeFile(join(folder, 'plain.html'), await renderHtml(reportWith('汇总各公司的收入')))
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: chromiumFlags })
  })

  afterAll(async () => {
    await browser.close()
    await rm(folder, { recursive: true })
  })

  /** Opens a report, calls back in every view, and closes it. */
  async function inEachView(
    name: string,
    options: BrowserContextOptions,
    check: (page: Page, view: (typeof viewNames)[number]) => Promise<void>,
    prepare: (page: Page) => Promise<void> = async () => {},
  ): Promise<void> {
    const context = await browser.newContext(options)
    try {
      const page = await context.newPage()
      await prepare(page)
      await page.goto(pathToFileURL(join(folder, name)).href)
      const data = JSON.parse((await page.locator('#page-data').textContent()) ?? '') as PageData
      for (const view of viewNames) {
        await show(page, view, data)
        await check(page, view)
      }
    } finally {
      await context.close()
    }
  }

  async function show(page: Page, view: (typeof viewNames)[number], data: PageData): Promise<void> {
    const addresses = {
      ...{ overview: '#', matrix: '#view=matrix', attempts: '#view=attempts', cell: null },
      task: `#task=${encodeURIComponent(data.tasks[0]?.id ?? '')}`,
      attempt: `#attempt=${data.attempts.id[5]}&event=1`,
    }
    const address = addresses[view]
    if (address === null) await page.locator('.answers td.cell a').nth(1).click()
    else await page.evaluate(`location.hash = ${JSON.stringify(address)}`)
    const drawn = {
      ...{ overview: '.arms', matrix: '.matrix', attempts: '#attempts', task: '.answers' },
      ...{ cell: '.cause', attempt: '.trace details[open]' },
    }
    await page.locator(drawn[view]).first().waitFor()
  }

  it('run no script, ask for nothing and open no dialog, whatever the texts', async () => {
    const found: string[] = []
    await inEachView(
      'hostile.html',
      {},
      async (page, view) => {
        expect(await page.evaluate('window.hurt ?? null')).toBeNull()
        const width = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
        expect([view, width]).toEqual([view, 0])
        expect(await page.evaluate('getComputedStyle(document.body).display')).toBe('block')
      },
      async page => {
        page.on('dialog', async dialog => {
          found.push(`dialog: ${dialog.message()}`)
          await dialog.dismiss()
        })
        page.on('console', message => (message.type() === 'error' ? found.push(message.text()) : undefined))
        page.on('pageerror', error => found.push(error.message))
        page.on('request', request =>
          /^data:|hostile\.html$/.test(request.url()) ? undefined : found.push(request.url()),
        )
      },
    )
    expect(found).toEqual([])
  })

  it.each(['light', 'dark'] as const)(
    'have no accessibility problem that axe finds (%s)',
    async colorScheme => {
      const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
      const found: unknown[] = []
      await inEachView('plain.html', { bypassCSP: true, colorScheme }, async (page, view) => {
        await page.addScriptTag({ path: axe })
        const problems = (await page.evaluate(
          `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
        )) as string[]
        found.push(...problems.map(problem => `${view}: ${problem}`))
      })
      expect(found).toEqual([])
    },
  )

  it('can be used with the keyboard, with a visible focus', async () => {
    await inEachView('plain.html', {}, async (page, view) => {
      const controls = (await page.evaluate(
        `document.body.focus(), [...document.querySelectorAll('a[href],button,input,select,summary,[tabindex="0"]')].filter(one => one.checkVisibility()).length`,
      )) as number
      expect(controls).toBeGreaterThan(3)
      const reached = new Set<number>()
      for (let at = 0; at < controls + 3; at++) {
        await page.keyboard.press('Tab')
        const [place, isVisible] = (await page.evaluate(focused)) as [number, boolean]
        if (place === -1) continue
        expect([view, place, isVisible]).toEqual([view, place, true])
        reached.add(place)
      }
      expect([view, reached.size]).toEqual([view, controls])
    })
  })

  it('name the language of tasks, and break Chinese lines', async () => {
    await inEachView('plain.html', { viewport: { width: 390, height: 844 } }, async (page, view) => {
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
      if (view === 'task') expect(await page.locator('.query').first().getAttribute('lang')).toBe('zh')
    })
  })
})

/** The number of the focused control among the visible ones, and whether its focus has an outline. */
const focused = `(() => {
  const all = [...document.querySelectorAll('a[href],button,input,select,summary,[tabindex="0"]')].filter(one => one.checkVisibility())
  const one = document.activeElement
  return [all.indexOf(one), getComputedStyle(one).outlineStyle !== 'none']
})()`
