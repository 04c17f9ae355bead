import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { inflateRawSync } from 'node:zlib'
import { type Browser, chromium, type Page } from 'playwright'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TraceEvent } from '../../logs/events.ts'
import type { Attempt } from '../../src/core/attempt.ts'
import { type HtmlInput, readAppFiles, renderHtml } from '../../src/report/html/html.ts'
import { buildReport } from '../../src/report/model/build-report.ts'
import type { AttemptData } from '../../src/report/page/attempt-data.ts'
import { quoteCsvField } from '../../src/report/tables/table-formats.ts'
import { makeShownTrace } from '../../src/report/trace/trace-steps.ts'
import { chromiumFlags, chromiumPath } from './chromium.ts'
import { makeAttempt, makeCell, makeScore, scorers } from './records.ts'

const hostile = `</script><script>window.hurt=1</script><img src=x onerror="window.hurt=1"><!-- "'&`

const run = {
  name: `run ${hostile}`,
  runId: 'r',
  startedAt: null,
  facts: [['command', hostile]],
  command: hostile,
  bibtex: hostile,
} as const

const discovery = {
  hints: [
    {
      hint: hostile,
      surfacedStep: 1,
      openedStep: 2,
      parsedStep: 2,
      usedStep: null,
      query: hostile,
      url: hostile,
    },
  ],
  recall: { surfaced: 1, opened: 1, parsed: 1, used: 0 },
  distractorsOpened: 0,
}

function inputOf(count: number): HtmlInput {
  const attempts = Array.from({ length: count }, (_, at) =>
    makeAttempt({
      task: at === 0 ? `task ${hostile}` : `task-${at}`,
      domain: at % 2 === 0 ? '财务' : 'legal',
      setting: ['offline', 'rag', 'online'][at % 3]!,
      over: {
        discovery: at % 3 === 2 ? discovery : null,
        answer: {
          csv: `a,b\n"${hostile.replaceAll('"', '""')}",2\n`,
          rows: 1,
          columns: ['a', 'b'],
          parseStatus: 'table',
          parseNote: null,
        },
      },
    }),
  )
  const scores = attempts.map((attempt, at) =>
    makeScore(attempt, (at % 11) / 10, {
      cells: [
        makeCell({ gold: hostile, predicted: hostile }),
        makeCell({ column: 'Net', score: 0, class: 'wrong' }),
      ],
    }),
  )
  const manifest = { runId: `run ${hostile}`, startedAt: null, endedAt: null, config: { web: 'sealed' } }
  const report = buildReport({
    manifest,
    scorers,
    attempts,
    scores,
    skippedTasks: [{ line: 1, recordId: hostile, problem: hostile }],
  })
  return {
    report,
    run,
    records: { attempts, scores },
    traces: { eventsOf: async () => trace, blob: () => null },
  }
}

const envelope = { at: '2026-01-01T00:00:00.000Z', attemptId: 'a', step: 1 }
const trace: readonly TraceEvent[] = [
  { ...envelope, seq: 0, type: 'tool-called', callId: 'c', tool: 'fetch_page', args: { url: hostile } },
  {
    ...envelope,
    seq: 1,
    type: 'tool-answered',
    callId: 'c',
    tool: 'fetch_page',
    text: { text: `needle ${hostile}` },
    truncated: false,
    observations: [],
    wallMs: 5,
  },
]

describe('the HTML report', () => {
  it('contains no address that a browser would load', async () => {
    const { script } = await readAppFiles()
    const html = (await renderHtml(inputOf(6))).replace(script, '')
    const loaded = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(match => match[1] ?? '')
    expect(loaded.filter(address => !/^(?:#|data:)/.test(address))).toEqual([])
    expect((await readAppFiles()).style.match(/url\((?!#)/g)).toBeNull()
  })

  it('escapes all text from records', async () => {
    expect(await renderHtml(inputOf(6))).not.toContain('<img')
  })

  it('contains a script that cannot end its own element', async () => {
    expect((await readAppFiles()).script).not.toMatch(/<\/script|<!--/i)
  })

  it('keeps formulas in CSV fields as text and quotes fields where needed', () => {
    expect([quoteCsvField('=1+1'), quoteCsvField('a,"b"'), quoteCsvField(-2.5), quoteCsvField(null)]).toEqual(
      ["'=1+1", '"a,""b"""', '-2.5', ''],
    )
  })

  it('is the same for the same records', async () => {
    expect(await renderHtml(inputOf(5))).toBe(await renderHtml(inputOf(5)))
  })

  it('leaves traces beyond the size limit to the viewer', async () => {
    const inlineTraceChars = JSON.stringify(makeShownTrace(trace, () => null)).length + 1
    const html = await renderHtml({ ...inputOf(4), inlineTraceChars })
    const pages = [...html.matchAll(/data-attempt="[^"]*">([^<]*)</g)].map(match => unpacked(match[1] ?? ''))
    expect(pages.map(({ trace: steps }) => steps !== null)).toEqual([true, false, false, false])
  })
})

function unpacked(text: string): AttemptData {
  return JSON.parse(inflateRawSync(Buffer.from(text, 'base64')).toString()) as AttemptData
}

const why = chromiumPath === null ? ' (skipped: no Chromium on this machine)' : ''

describe.skipIf(chromiumPath === null)(`the HTML report in Chromium${why}`, () => {
  let browser: Browser
  let page: Page
  let folder: string
  const problems: string[] = []
  const requests: string[] = []

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tablehunt-report-'))
    await writeFile(join(folder, 'report.html'), await renderHtml(inputOf(60)))
    browser = await chromium.launch({ executablePath: chromiumPath ?? '', args: chromiumFlags })
    page = await browser.newPage()
    page.on('console', message => (message.type() === 'error' ? problems.push(message.text()) : undefined))
    page.on('pageerror', error => problems.push(error.message))
    page.on('request', request => requests.push(request.url()))
    await page.goto(pathToFileURL(join(folder, 'report.html')).href)
  })

  afterAll(async () => {
    await browser.close()
    await rm(folder, { recursive: true })
  })

  const rows = () => page.locator('#attempts tbody tr:visible')
  const show = async (view: 'Overview' | 'Matrix' | 'Attempts', where = page) =>
    await where.getByRole('navigation', { name: 'views' }).getByRole('link', { name: view }).click()

  it('sorts the attempts by a column in both directions', async () => {
    await show('Attempts')
    const scores = async () => (await rows().locator('td:nth-child(7)').allTextContents()).map(Number)
    await page.locator('#attempts thead').getByRole('button', { name: 'Cell F1' }).first().click()
    expect((await scores())[0]).toBe(100)
    await page.locator('#attempts thead').getByRole('button', { name: 'Cell F1' }).first().click()
    expect((await scores())[0]).toBe(0)
  })

  it('filters by arm and domain, and counts the attempts left', async () => {
    await page.getByLabel('arm', { exact: true }).selectOption('online')
    await page.getByLabel('domain', { exact: true }).selectOption('legal')
    const expected = Array.from({ length: 60 }, (_, at) => at).filter(at => at % 3 === 2 && at % 2 === 1)
    expect(await rows().count()).toBe(expected.length)
    expect(await page.locator('#attempt-count').textContent()).toBe(`${expected.length} of 60 attempts`)
    await page.getByRole('button', { name: 'show all' }).click()
    expect(await rows().count()).toBe(60)
  })

  it('opens an attempt by its link, shows gold, answer and trace, and goes back by Esc', async () => {
    await page
      .locator('#attempts a', { hasText: 'task <' })
      .or(page.locator('#attempts a', { hasText: 'task </script' }))
      .first()
      .click()
    await page.locator('#detail h1').waitFor()
    expect(await page.locator('#detail td.class-wrong').count()).toBe(1)
    expect(await page.locator('#detail td.class-correct .gold').first().textContent()).toBe(hostile)
    await page.getByLabel('search in the trace').fill('needle')
    expect(await page.locator('.trace details:visible').count()).toBe(1)
    expect(await page.locator('.trace details:visible pre').last().textContent()).toBe(`needle ${hostile}`)
    await page.locator('.trace summary:visible').click()
    await page.keyboard.press('Escape')
    await page.locator('#all-attempts').waitFor({ state: 'visible' })
  })

  it('walks through the attempts by j and k', async () => {
    await page.locator('#all-attempts h1').click()
    await page.keyboard.press('j')
    await page.locator('#detail h1').waitFor()
    const first = await page.locator('#detail h1').textContent()
    await page.keyboard.press('j')
    await expect.poll(() => page.locator('#detail h1').textContent()).not.toBe(first)
    await page.keyboard.press('k')
    await expect.poll(() => page.locator('#detail h1').textContent()).toBe(first)
    await page.keyboard.press('Escape')
  })

  it('links to its sections', async () => {
    await show('Overview')
    await page.getByRole('navigation', { name: 'sections' }).getByRole('link', { name: 'Losses' }).click()
    const top = async () => (await page.locator('#losses').boundingBox())?.y
    await expect.poll(top).toBeLessThan(80)
  })

  it('returns from an attempt to the same place in the list', async () => {
    await show('Attempts')
    await page.locator('#attempts a').nth(4).click()
    await page.locator('#detail h1').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('#all-attempts').waitFor({ state: 'visible' })
    const link = await page.locator('#attempts a').nth(4).getAttribute('href')
    const focused = async () => await page.evaluate(`document.activeElement.getAttribute('href')`)
    await expect.poll(focused).toBe(link)
  })

  it('leads from the matrix to a task, from a wrong cell to its cause, and from there to the attempt', async () => {
    await show('Matrix')
    await page.getByLabel('right in').selectOption({ label: 'offline' })
    await page.getByLabel('wrong in').selectOption({ label: 'any arm' })
    const counted = await page.locator('#task-count').textContent()
    expect(counted).toMatch(/^\d+ of 60 tasks$/)
    await page.locator('.matrix tbody th a').first().click()
    await page.locator('.answers td.class-wrong a').first().click()
    const cause = page.getByRole('complementary', { name: 'why' })
    expect(await cause.textContent()).toContain('wrong')
    await cause.getByRole('link', { name: 'The attempt and its trace' }).click()
    await page.locator('#detail h1').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('#task').waitFor()
    await page.keyboard.press('Escape')
    await page.locator('#matrix').waitFor({ state: 'visible' })
    expect(await page.locator('#task-count').textContent()).toBe(counted)
  })

  it('shows each arm with its score, interval, losses and number of attempts', async () => {
    await show('Overview')
    const arms = await page.locator('.arms tbody tr').allTextContents()
    expect(arms.map(arm => /^[a-z]+/.exec(arm)?.[0])).toEqual(['offline', 'rag', 'online'])
    expect(arms[0]).toContain('20 tasks, 20 groups')
    expect(await page.locator('.arms .losses').first().getAttribute('aria-label')).toMatch(
      /^correct [\d.]+%, wrong/,
    )
  })

  it('shows all arms at 1280 pixels, none of them cut', async () => {
    const cut = `[...document.querySelectorAll('#overview .scroll:has(.arms)')].filter(box => box.scrollWidth > box.clientWidth).length`
    expect([await page.evaluate('innerWidth'), await page.evaluate(cut)]).toEqual([1280, 0])
  })

  it('opens an event of a trace by its address', async () => {
    const id = inputOf(60).records.attempts[7]!.attemptId
    await page.evaluate(`location.hash = '#attempt=${encodeURIComponent(id)}&event=1'`)
    await page.locator('.trace details[open]').waitFor()
    expect(await page.locator('.trace details[open] summary').textContent()).toContain('fetch_page answered')
    expect(await page.locator('#detail h1').textContent()).toContain('task-7')
    await page.keyboard.press('Escape')
  })

  it('prints complete tables on white, without navigation', async () => {
    const context = await browser.newContext({ colorScheme: 'dark' })
    const printed = await context.newPage()
    try {
      await printed.goto(pathToFileURL(join(folder, 'report.html')).href)
      await printed.emulateMedia({ media: 'print' })
      expect(await printed.evaluate(`getComputedStyle(document.body).backgroundColor`)).toBe(
        'rgb(255, 255, 255)',
      )
      expect(await printed.getByRole('navigation', { name: 'sections' }).isVisible()).toBe(false)
      const cut = `[...document.querySelectorAll('.scroll')].filter(box => box.scrollHeight > box.clientHeight + 1).length`
      expect(await printed.evaluate(cut)).toBe(0)
    } finally {
      await context.close()
    }
  })

  it('shows the overview for an address without a valid attempt', async () => {
    await page.evaluate(`location.hash = '#attempt=%ff%zz'`)
    await page.locator('#overview').waitFor({ state: 'visible' })
    expect(problems).toEqual([])
  })

  it('runs no code from records, makes no requests, and reports no error', async () => {
    expect(await page.evaluate('window.hurt ?? null')).toBeNull()
    expect(await page.locator('img').count()).toBe(0)
    expect(problems).toEqual([])
    expect(requests.filter(url => !/^(?:file|data):/.test(url))).toEqual([])
    expect(requests.filter(url => url.startsWith('file:'))).toHaveLength(1)
  })

  it('has a name for every control and a scope for every column head', async () => {
    const unnamed = await page.evaluate(
      `[...document.querySelectorAll('button,select,input,a')].filter(e => !(e.textContent.trim() || e.getAttribute('aria-label') || e.labels?.length)).length`,
    )
    expect(unnamed).toBe(0)
    expect(await page.locator('th:not([scope])').count()).toBe(0)
    expect(await page.locator('figure svg[role=img][aria-label]').count()).toBe(4)
  })

  it('fits a phone screen with readable text in figures', async () => {
    const variant = 'retriever=table-aware,embedder=openai:multilingual-e5-small,vector-store=exact'
    const attempts = [makeAttempt({ task: 'task', setting: 'rag', variant })]
    const scores = [makeScore(attempts[0]!, 0.5)]
    const manifest = { runId: 'run', startedAt: null, endedAt: null, config: {} }
    const report = buildReport({ manifest, scorers, attempts, scores, skippedTasks: [] })
    const phone = await browser.newPage({ viewport: { width: 390, height: 844 } })
    try {
      await phone.setContent(await renderHtml({ report, run, records: { attempts, scores } }))
      expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(390)
      // The score is on the first screen, and the sections are folded until they are opened.
      const score = await phone.locator('.arms td.value').boundingBox()
      expect([score!.x + score!.width < 390, score!.y < 500]).toEqual([true, true])
      expect(await phone.evaluate('document.documentElement.scrollHeight')).toBeLessThan(2_500)
      expect(await phone.locator('figure').first().isVisible()).toBe(false)
      for (const summary of await phone.locator('.folded > summary').all()) await summary.click()
      expect(await phone.locator('figure').first().isVisible()).toBe(true)
      expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(390)
      const heights = `[...document.querySelectorAll('figure svg text')].map(one => one.getBoundingClientRect().height)`
      expect(Math.min(...((await phone.evaluate(heights)) as number[]))).toBeGreaterThan(9)
    } finally {
      await phone.close()
    }
  })

  it.each([390, 1280])(
    'names each arm in at most three lines, and in full for its title, at %i pixels',
    async width => {
      const retrievers = ['bm25', 'per-document', 'table-aware', 'hybrid']
      const attempts = retrievers.flatMap(retriever =>
        [1200, 12_000].map(tokens => {
          const variant = `cot=off,retriever=${retriever},context-tokens=${tokens},prompts=a-file+another-file-of-prompts`
          const model =
            retriever === 'bm25' ? 'extractive' : 'openai:an-open-model-with-a-long-name-32b-instruct'
          return makeAttempt({ task: 'task', setting: 'rag', variant, over: { model } })
        }),
      )
      const scores = attempts.map(attempt => makeScore(attempt, 0.5))
      const manifest = { runId: 'run', startedAt: null, endedAt: null, config: {} }
      const report = buildReport({ manifest, scorers, attempts, scores, skippedTasks: [] })
      const narrow = await browser.newPage({ viewport: { width, height: 844 } })
      try {
        await narrow.setContent(await renderHtml({ report, run, records: { attempts, scores } }))
        const heads = narrow.locator('.arms th[scope="row"]')
        const shown = await heads.locator('.arm-name').allTextContents()
        const whole = await heads.evaluateAll(found => found.map(head => head.getAttribute('title') ?? ''))
        expect([new Set(shown).size, new Set(whole).size]).toEqual([8, 8])
        for (const name of whole)
          expect(await narrow.getByRole('rowheader', { name, exact: true }).count()).toBe(1)
        const tall = `[...document.querySelectorAll('.arm-name')].filter(one => one.scrollHeight > one.clientHeight + 1 || one.clientHeight > 3.1 * parseFloat(getComputedStyle(one).lineHeight)).length`
        expect(await narrow.evaluate(tall)).toBe(0)
        expect(await narrow.evaluate('document.documentElement.scrollWidth')).toBe(width)
      } finally {
        await narrow.close()
      }
    },
  )

  it('shows line breaks and spaces of cells as they are, and wraps long texts on a phone', async () => {
    const lines = `  first line\nsecond  line with ${'many words '.repeat(40)}`
    const csv = `a,b\n"${lines}"," "\n`
    const answer: Attempt['answer'] = {
      ...{ csv, rows: 1, columns: ['a', 'b'] },
      ...{ parseStatus: 'table', parseNote: null },
    }
    const attempts = [makeAttempt({ task: 't', setting: 'offline', over: { answer } })]
    const cells = [makeCell({ gold: ' ', predicted: lines, score: 0, class: 'wrong' })]
    const scores = [makeScore(attempts[0]!, 0.5, { cells })]
    const manifest = { runId: 'run', startedAt: null, endedAt: null, config: {} }
    const report = buildReport({ manifest, scorers, attempts, scores, skippedTasks: [] })
    const phone = await browser.newPage({ viewport: { width: 390, height: 844 } })
    try {
      const file = join(folder, 'cells.html')
      await writeFile(file, await renderHtml({ report, run, records: { attempts, scores } }))
      const address = (fragment: string) => `${pathToFileURL(file).href}#${fragment}`
      await phone.goto(address(`attempt=${encodeURIComponent(attempts[0]!.attemptId)}`))
      const shown = async (place: string) => await phone.locator(place).first().innerText()
      expect(await shown('#detail td.cell .gold')).toBe('“ ”')
      expect(await shown('#detail td.cell .predicted')).toBe(lines)
      const cellsOfAnswer = phone.locator('#detail td.text')
      expect(await cellsOfAnswer.allInnerTexts()).toEqual(['1', lines, '“ ”'])
      expect((await cellsOfAnswer.nth(1).boundingBox())?.width).toBeLessThan(390)
      expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(390)
      await phone.goto(address('task=t'))
      expect(await shown('.answers td.gold')).toBe('“ ”')
      expect(await shown('.answers td.cell > a')).toBe(lines)
      expect(await phone.evaluate('document.documentElement.scrollWidth')).toBe(390)
    } finally {
      await phone.close()
    }
  })

  it('shows complete tables of results, even with many rows', async () => {
    const attempts = Array.from({ length: 30 }, (_, n) =>
      makeAttempt({ task: `t${n}`, setting: 'offline', domain: `domain-${n}` }),
    )
    const scores = attempts.map(attempt => makeScore(attempt, 0.5))
    const manifest = { runId: 'run', startedAt: null, endedAt: null, config: {} }
    const report = buildReport({ manifest, scorers, attempts, scores, skippedTasks: [] })
    const wide = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    try {
      await wide.setContent(await renderHtml({ report, run, records: { attempts, scores } }))
      const cut = `[...document.querySelectorAll('.scroll')].filter(box => box.scrollHeight > box.clientHeight + 1).map(box => box.getAttribute('aria-label'))`
      expect(await wide.evaluate(cut)).toEqual([])
    } finally {
      await wide.close()
    }
  })

  it('shows the arms whole at 1280 pixels when these scored different tasks and cost little', async () => {
    const attempts = ['a', 'ab'].flatMap(model =>
      Array.from({ length: model === 'a' ? 14 : 20 }, (_, at) => {
        const made = makeAttempt({ task: `task-${at}`, setting: 'offline', over: { documents: [] } })
        const usage = { ...made.usage, usd: 0.000678, wallMs: 1234 }
        return { ...made, usage, model: `openai:m-${model}`, attemptId: `${made.attemptId}.${model}` }
      }),
    )
    const scores = attempts.map((attempt, at) => {
      const cells = Array.from({ length: 9 }, (_, goldRow) => makeCell({ goldRow }))
      return makeScore(attempt, (at % 7) / 7, { cells })
    })
    const manifest = { runId: 'run', startedAt: null, endedAt: null, config: {} }
    const report = buildReport({ manifest, scorers, attempts, scores, skippedTasks: [] })
    const wide = await browser.newPage({ viewport: { width: 1280, height: 800 } })
    try {
      await wide.setContent(await renderHtml({ report, run, records: { attempts, scores } }))
      expect(await wide.locator('.arms thead').textContent()).toContain('own tasks')
      const cut = `[...document.querySelectorAll('.scroll:has(.arms)')].filter(box => box.scrollWidth > box.clientWidth).length`
      expect(await wide.evaluate(cut)).toBe(0)
    } finally {
      await wide.close()
    }
  })

  it('opens 1,000 attempts with less than two seconds of processor time', async () => {
    const path = join(folder, 'large.html')
    const input = inputOf(1000)
    const cells = Array.from({ length: 40 }, (_, at) =>
      makeCell({ goldRow: at >> 2, column: `Column ${at % 4}` }),
    )
    const scores = input.records.scores.map(score => ({ ...score, cells }))
    const records = { ...input.records, scores }
    await writeFile(path, await renderHtml({ ...input, records, inlineTraceChars: 0 }))
    const view = await browser.newPage()
    const devtools = await view.context().newCDPSession(view)
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
    await view.goto(`${pathToFileURL(path).href}#view=attempts`)
    await view.getByText('1000 of 1000 attempts').waitFor()
    const { metrics } = await devtools.send('Performance.getMetrics')
    await view.close()
    // Processor time, not the clock's: the machine may be busy with other tests.
    const busySeconds = metrics.find(metric => metric.name === 'ProcessTime')?.value
    expect(busySeconds).toBeGreaterThan(0)
    expect(busySeconds).toBeLessThan(2)
  })
})
