import { appendFile, copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import type { ViewServer } from '../../src/run/view/server.ts'
import { viewRuns } from '../../src/run/view-runs.ts'
import { executeRun } from '../../src/run.ts'
import { lockFolder } from '../../src/system/folder-lock.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'
import { chromiumFlags, chromiumPath } from './chromium.ts'

const { tasks, documents: docs } = demoPaths
let folder = ''
let server: ViewServer
let browser: Browser
let page: Page
const problems: string[] = []

describe.skipIf(chromiumPath === null)('view in Chromium', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tablehunt-live-'))
    const options = { tasks, docs, setting: 'offline', limit: 2, cache: join(folder, 'cache') }
    await executeRun(resolveConfig({ ...options, out: join(folder, 'runs', 'first') }))
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
    await page.getByText('done · 2 / 2').waitFor()
    // The records of a finished run, written again one by one, so that the test decides when an attempt ends.
    const [from, to] = ['first', 'second'].map(name => join(folder, 'runs', name)) as [string, string]
    const lock = await lockFolder(to)
    await copyFile(join(from, 'scores.jsonl'), join(to, 'scores.jsonl'))
    const lines = (await readFile(join(from, 'attempts.jsonl'), 'utf8')).split('\n')
    await writeFile(join(to, 'attempts.jsonl'), `${lines[0]}\n`)
    await copyFile(join(from, 'manifest.json'), join(to, 'manifest.json'))
    await page.getByText('running · 1 / 2').waitFor()
    await page.getByRole('link', { name: 'second' }).click()
    await page.getByRole('link', { name: 'Matrix' }).click()
    await page.getByText('1 of 1 tasks').waitFor()
    await appendFile(join(to, 'attempts.jsonl'), `${lines[1]}\n`)
    await page.getByText('2 of 2 tasks').waitFor()
    await page.locator('.run-bar').getByText('running · 2 / 2').waitFor()
    if ('release' in lock) await lock.release()
    await page.getByRole('link', { name: 'All runs' }).click()
    await page.getByRole('row', { name: 'second' }).getByText('done · 2 / 2').waitFor()
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
