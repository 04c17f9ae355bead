import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { readReport, writeHtmlReport } from '../../src/run/report-run.ts'
import { executeRun } from '../../src/run.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'
import { chromiumFlags, chromiumPath } from './chromium.ts'

const why = chromiumPath === null ? ' (skipped: no Chromium on this machine)' : ''

describe.skipIf(chromiumPath === null)(`from a wrong cell to its cause${why}`, () => {
  let folder: string
  let browser: Browser
  let page: Page

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tablehunt-cause-'))
    const out = join(folder, 'run')
    const { tasks, documents: docs } = demoPaths
    const run = { tasks, docs, out, cache: join(folder, 'cache'), web: 'sealed', browser: 'off' }
    await executeRun(resolveConfig({ ...run, setting: 'offline,online', budgetFetchCalls: 2 }))
    await writeHtmlReport(await readReport(out), { copy: null })
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: chromiumFlags })
    page = await browser.newPage()
    await page.goto(pathToFileURL(join(folder, 'run', 'report.html')).href)
  })

  afterAll(async () => {
    await browser?.close()
    await rm(folder, { recursive: true })
  })

  const inView = (selector: string): string =>
    `(() => { const box = document.querySelector('${selector}').getBoundingClientRect(); return box.top >= 0 && box.bottom <= innerHeight })()`

  it('leads over the matrix and the task to the search that found the document that was not opened', async () => {
    await page.getByRole('link', { name: 'Matrix' }).click()
    await page.getByLabel('right in').selectOption({ label: 'offline' })
    await page.getByLabel('wrong in').selectOption({ label: 'online' })
    expect(await page.locator('#task-count').textContent()).toMatch(/^[1-9]\d* of 9 tasks$/)
    await page
      .locator('.matrix')
      .getByRole('link', { name: 'financial_demo-growth_0_en', exact: true })
      .click()
    await page.locator('.answers td.class-not-opened a').first().click()
    const cause = page.getByRole('complementary', { name: 'why' })
    const text = (await cause.textContent()) ?? ''
    expect(text).toContain('not-opened: the agent did not open a document with the gold value')
    expect(text).toMatch(/\.pdf, page \d+/)
    expect(await cause.locator('.evidence').textContent()).toMatch(/\d/)
    expect(text).toContain('this line never reached the model')
    await cause.getByRole('link', { name: 'Show it in the trace' }).click()
    await page.locator('.trace .target mark').first().waitFor()
    expect(await page.locator('.trace .target summary').textContent()).toContain('web_search answered')
    await expect.poll(() => page.evaluate(inView('.trace .target mark'))).toBe(true)
    await page.getByRole('link', { name: 'back to the cell' }).click()
    await cause.waitFor()
  })

  it('marks the line that the model was shown, for a value that it got wrong', async () => {
    await page.goto(`${page.url().split('#')[0]}#task=academic_demo-tidepool_1_en`)
    await page.locator('.answers td.class-wrong a').last().click()
    const cause = page.getByRole('complementary', { name: 'why' })
    const line = await cause.locator('.evidence').textContent()
    await cause.getByRole('link', { name: 'Show it in the trace' }).click()
    expect(await page.locator('.trace .target mark').first().textContent()).toBe(line)
    await expect.poll(() => page.evaluate(inView('.trace .target mark'))).toBe(true)
  })

  it('marks the matches of a search in the trace and scrolls to the next', async () => {
    await page.getByLabel('search in the trace').fill('tidepool')
    const status = page.locator('.trace').getByRole('status')
    expect(await status.textContent()).toMatch(/^1 of \d+ matches in \d+ events$/)
    await page.getByRole('button', { name: 'next match' }).click()
    expect(await status.textContent()).toMatch(/^2 of /)
    expect(await page.locator('mark.current').count()).toBe(1)
    await expect.poll(() => page.evaluate(inView('mark.current'))).toBe(true)
  })

  it('renders the texts of a trace, and shows them as they are on request', async () => {
    await page.getByLabel('search in the trace').fill('')
    await page.locator('.trace summary', { hasText: 'asked the model' }).first().click()
    await page.locator('.trace .rendered table').first().waitFor()
    const before = await page.locator('.trace .rendered').count()
    await page.getByRole('button', { name: 'show raw' }).first().click()
    expect(await page.locator('.trace .rendered').count()).toBe(before - 1)
  })
})
