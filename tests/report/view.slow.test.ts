import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import type { ViewServer } from '../../src/run/view/server.ts'
import { viewRuns } from '../../src/run/view-runs.ts'
import { executeRun } from '../../src/run.ts'
import { listenOnLocalhost } from '../../src/system/listen.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'
import { completion, send, startOpenAiServer } from '../models/openai-server.ts'
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
    // The model answers when the test says so, so the test decides when an attempt ends.
    const waiting: (() => void)[] = []
    const answer = completion({ content: '| Filename |\n|---|\n| none |' })
    const model = await startOpenAiServer((_, response) => {
      waiting.push(() => send(response, 200, answer))
    })
    const answerNext = async (): Promise<void> => {
      await expect.poll(() => waiting.length, { timeout: 20_000 }).toBeGreaterThan(0)
      waiting.shift()?.()
    }
    const options = { tasks, docs, setting: 'offline', limit: 2, cache: join(folder, 'cache') }
    const asked = { model: 'openai:held', baseUrl: model.url, concurrency: 1 }
    const run = executeRun(
      resolveConfig({ ...options, ...asked, contextWindow: 200_000, out: join(folder, 'runs', 'second') }),
    )
    await page.getByText('running · 0 / 2').waitFor()
    await answerNext()
    await page.getByText('running · 1 / 2').waitFor()
    await page.getByRole('link', { name: 'second' }).click()
    await page.getByRole('link', { name: 'Matrix' }).click()
    await page.getByText('1 of 1 tasks').waitFor()
    await page.getByRole('link', { name: 'Overview' }).click()
    await page.getByText('Partial: 1 of 2 attempts').waitFor()
    await page.getByRole('row', { name: 'offline' }).getByText('1 task, 1 group').waitFor()
    expect(await page.getByText('the run is not finished').count()).toBe(0)
    await answerNext()
    await page.getByRole('row', { name: 'offline' }).getByText('2 tasks').waitFor()
    await page.getByRole('link', { name: 'Matrix' }).click()
    await page.getByText('2 of 2 tasks').waitFor()
    await run
    await model.close()
    await page.getByRole('button', { name: 'Load the final report' }).click()
    await page.locator('.matrix').waitFor()
    await page.getByRole('link', { name: 'All runs' }).click()
    await page.getByRole('row', { name: 'second' }).getByText('done · 2 / 2').waitFor()
  })

  it('gives a page of another origin nothing, and goes on', async () => {
    const pathOfRun = `${server.url}run/first/`
    const evil = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'text/html' })
      response.end(
        `<a href="${server.url}">go</a><iframe src="${pathOfRun}"></iframe><script src="${pathOfRun}audit.json"></script>`,
      )
    })
    const port = await listenOnLocalhost(evil, 0)
    const { port: viewPort } = new URL(server.url)
    // Chromium resolves every name to this machine, as after DNS rebinding.
    const rebinding = await chromium.launch({
      executablePath: chromiumPath ?? '',
      args: [...chromiumFlags, '--host-resolver-rules=MAP * 127.0.0.1'],
    })
    try {
      const tab = await rebinding.newPage()
      const answers: [string, number][] = []
      tab.on('response', answer => {
        if (new URL(answer.url()).port === viewPort) answers.push([answer.url(), answer.status()])
      })
      const ask = async (url: string, mode: 'cors' | 'no-cors') =>
        await tab.evaluate(
          async ([address, how]) =>
            await fetch(address, { mode: how }).then(
              async answer => await answer.text(),
              () => 'refused',
            ),
          [url, mode] as const,
        )
      // Another site, and another port of this machine, which browsers call the same site.
      for (const host of ['evil.example', '127.0.0.1']) {
        await tab.goto(`http://${host}:${port}/`)
        expect(await ask(pathOfRun, 'cors')).toBe('refused')
        expect(['', 'refused']).toContain(await ask(pathOfRun, 'no-cors'))
        expect(['', 'refused']).toContain(await ask(`${server.url}/`, 'no-cors'))
      }
      await tab.goto(`http://evil.example:${viewPort}/run/first/`)
      expect(await tab.textContent('body')).not.toContain('Tablehunt')
      await tab.goto(`http://evil.example:${port}/`)
      await tab.getByRole('link', { name: 'go' }).click()
      await tab.getByText('which contains a token').waitFor()
      expect(answers.length).toBeGreaterThan(3)
      expect(answers.filter(([, status]) => status !== 403 && status !== 400)).toEqual([])
      await tab.goto(`${server.url}?token=${server.token}`)
      await tab.getByText('done · 2 / 2').first().waitFor()
    } finally {
      await rebinding.close()
      evil.close()
    }
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
    expect(sheet.trimEnd().split('\n')[1]).toMatch(/,wrong,,Ada,,by hand,$/)
    expect(problems).toEqual([])
  })

  it('compares the runs that a reader ticks, from a flipped task to a note on an answer', async () => {
    await page.goto(`${server.url}?token=${server.token}`)
    await page.getByLabel('compare first').check()
    await page.getByText('Tick another run.').waitFor()
    await page.getByLabel('compare second').check()
    await page.getByRole('link', { name: 'Compare 2 runs' }).click()
    const options = page.getByRole('region', { name: 'options of the runs' })
    await options.getByRole('row', { name: '--model extractive openai:held' }).waitFor()
    expect(await options.getByRole('row', { name: '--seed' }).count()).toBe(0)
    await options.getByLabel('only what differs').uncheck()
    await options.getByRole('row', { name: '--seed 0 0' }).waitFor()
    const changes = page.getByRole('region', { name: 'tasks that changed' })
    expect(await changes.locator('tbody tr').first().textContent()).toContain('right → wrong')
    await changes.getByRole('link').first().click()
    await page.locator('.answers td.differs').first().waitFor()
    await page.getByLabel('show', { exact: true }).selectOption({ label: 'different answers' })
    expect(await page.locator('.answers tbody tr:not(.group) td.cell:not(.differs)').count()).toBe(0)
    await page.locator('.answers thead a').last().click()
    await page.getByLabel('your name').fill('Ada')
    await page.locator('#detail h1').click()
    await page.keyboard.press('w')
    await page.getByRole('button', { name: 'wrong', pressed: true }).waitFor()
    await page.getByLabel('note').fill('Only a head.')
    await page.getByRole('button', { name: 'Save the note' }).click()
    await page.getByRole('button', { name: 'Save the note' }).waitFor({ state: 'detached' })
    const sheet = await readFile(join(folder, 'runs', 'second', 'audit.csv'), 'utf8')
    expect(sheet.trimEnd().split('\n')[1]).toMatch(
      /^answer-.*,whole answer,,,wrong,,Ada,,by hand,Only a head\.$/,
    )
    expect(problems).toEqual([])
  })

  it('remembers the theme that a reader chooses, and follows the system without one', async () => {
    const context = await browser.newContext({ colorScheme: 'dark' })
    const read = await context.newPage()
    const colour = async () => await read.evaluate('getComputedStyle(document.body).backgroundColor')
    await read.goto(`${server.url}run/first/`)
    await read.getByLabel('colour theme').selectOption('system')
    const dark = await colour()
    await read.getByLabel('colour theme').selectOption('light')
    expect(await colour()).toBe('rgb(255, 255, 255)')
    await read.goto(`${server.url}`)
    await read.getByRole('link', { name: 'first' }).waitFor()
    expect(await colour()).toBe('rgb(255, 255, 255)')
    expect(await read.getByLabel('colour theme').inputValue()).toBe('light')
    await read.getByLabel('colour theme').selectOption('dark')
    expect(await colour()).toBe(dark)
    expect(dark).not.toBe('rgb(255, 255, 255)')
    await context.close()
  })

  it.each(['light', 'dark'] as const)(
    'has no accessibility problem that axe finds (%s)',
    async colorScheme => {
      const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')
      const context = await browser.newContext({ bypassCSP: true, colorScheme })
      const read = await context.newPage()
      const views = [
        ['', null],
        ['run/first/', 'first'],
        ['run/first/#view=audit', 'item 1 of 1'],
        ['run/first/#view=matrix', '2 of 2 tasks'],
        [`compare/${encodeURIComponent('first/second')}/`, 'What differs between the runs'],
      ] as const
      await read.goto(`${server.url}?token=${server.token}`)
      const found: string[] = []
      for (const [address, shown] of views) {
        await read.goto(server.url + address)
        if (shown !== null) await read.getByText(shown).first().waitFor()
        else await read.getByRole('link', { name: 'first' }).waitFor()
        await read.addScriptTag({ path: axe })
        const problems = (await read.evaluate(
          `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))`,
        )) as string[]
        found.push(...problems.map(problem => `${address}: ${problem}`))
      }
      await context.close()
      expect(found).toEqual([])
    },
  )
})
