import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import type { ViewServer } from '../../src/run/view/server.ts'
import { viewRuns } from '../../src/run/view-runs.ts'
import { executeRun } from '../../src/run.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'
import { chromiumFlags, chromiumPath } from './chromium.ts'

const { tasks, documents: docs } = demoPaths
let folder = ''
let server: ViewServer
let browser: Browser
let page: Page
const problems: string[] = []

function run(name: string, options: object): Promise<unknown> {
  const out = join(folder, 'runs', name)
  return executeRun(resolveConfig({ tasks, docs, out, cache: join(folder, 'cache'), ...options }))
}

describe.skipIf(chromiumPath === null)('view in Chromium', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tablehunt-live-'))
    await run('first', { setting: 'offline', limit: 2 })
    server = await viewRuns(join(folder, 'runs'), 0)
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: chromiumFlags })
    page = await browser.newPage()
    page.on('console', message => (message.type() === 'error' ? problems.push(message.text()) : undefined))
    page.on('pageerror', error => problems.push(error.message))
  })
  afterAll(async () => {
    await browser.close()
    await server.close()
    await rm(folder, { recursive: true })
  })

  it('shows a run that begins while the index is open, and its attempts as they end', async () => {
    await page.goto(`${server.url}?token=${server.token}`)
    await page.getByRole('link', { name: 'first' }).waitFor()
    const whole = run('second', { setting: 'offline,rag', concurrency: 1 })
    await page.getByRole('link', { name: 'second' }).click()
    await page.getByRole('navigation', { name: 'views' }).getByRole('link', { name: 'Attempts' }).click()
    const count = async (): Promise<number> =>
      Number((await page.locator('#attempt-count').textContent())?.split(' of ')[1]?.split(' ')[0])
    const before = await count()
    expect(before).toBeLessThan(18)
    await expect.poll(count, { timeout: 60_000 }).toBeGreaterThan(before)
    await whole
    await expect.poll(count, { timeout: 30_000 }).toBe(18)
    await page.getByRole('button', { name: 'Load the final report' }).click()
    await page.getByText('18 of 18 attempts').waitFor()
    await page.getByRole('link', { name: 'All runs' }).click()
    await page.getByText('done · 18 / 18').waitFor()
  })

  it('marks a cell of a task and the items of a sample with keys', async () => {
    await page.goto(`${server.url}run/first/#view=matrix`)
    await page.locator('.matrix tbody th a').first().click()
    await page.locator('.answers td.cell a').first().click()
    await page.getByLabel('your name').fill('Ada')
    await page.locator('#task h1').click()
    await page.keyboard.press('r')
    await page.getByRole('button', { name: 'right', pressed: true }).waitFor()
    await page.getByRole('link', { name: 'Audit' }).click()
    await page.getByText('item 1 of 1 · 1 marked by you').waitFor()
    await page.keyboard.press('w')
    await page.getByRole('button', { name: 'wrong', pressed: true }).waitFor()
    const sheet = await readFile(join(folder, 'runs', 'first', 'audit.csv'), 'utf8')
    expect(sheet.trimEnd().split('\n')[1]).toMatch(/,wrong,,Ada,,by hand$/)
    expect(problems).toEqual([])
  })
})
