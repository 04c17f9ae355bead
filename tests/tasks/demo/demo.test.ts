import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { TableGold } from '../../../src/core/gold.ts'
import type { Task } from '../../../src/core/task.ts'
import { loadAoe } from '../../../tasks/aoe/load.ts'
import { demoPaths, wideDemoPaths } from '../../../tasks/demo/demo.ts'
import { loadWideSearch } from '../../../tasks/widesearch/load.ts'
import { readPdfPages } from '../../tools/support/pdf-pages.ts'

let tasks: readonly Task<TableGold>[]
beforeAll(async () => {
  tasks = (await loadAoe(demoPaths.tasks)).tasks
})

async function linesOf(bytes: Buffer): Promise<string[]> {
  const text = (await readPdfPages(bytes)).join('\n')
  return text.split(/\r?\n/)
}
const shipped = async (name: string) => await linesOf(await readFile(join(demoPaths.documents, name)))
const figuresAfter = (line: string) =>
  (line.match(/\(?-?[\d,]+(?:\.\d+)?\)?/g) ?? []).map(text => Number(text.replace(/[(),]/g, '')))

describe('the shipped demo', () => {
  it('has valid tasks in both languages and three domains, and every document belongs to a task', async () => {
    expect((await loadAoe(demoPaths.tasks)).skipped).toEqual([])
    expect(new Set(tasks.map(task => `${task.question.domain} ${task.question.language}`))).toEqual(
      new Set(['financial en', 'financial zh', 'legal zh', 'academic en']),
    )
    const inside = tasks.flatMap(task =>
      task.documents.filter(({ load }) => load !== undefined).map(({ name }) => name),
    )
    const names = new Set(tasks.flatMap(task => task.question.documentNames))
    expect([...names].filter(name => !inside.includes(name)).sort()).toEqual(
      (await readdir(demoPaths.documents)).sort(),
    )
    expect(inside.length).toBeGreaterThan(0)
  })

  it('has a complete gold table with unique keys for every task', () => {
    for (const { question, gold } of tasks) {
      const keys = gold.rows.map(row => gold.keyColumns.map(column => row[column]).join('|'))
      expect(new Set(keys).size, question.taskId).toBe(keys.length)
      for (const row of gold.rows) {
        expect(Object.keys(row).sort(), question.taskId).toEqual(
          [...gold.keyColumns, ...gold.targetColumns].sort(),
        )
      }
    }
  })

  it('stays small', async () => {
    let total = 0
    for (const folder of [demoPaths.documents, demoPaths.distractors]) {
      for (const name of await readdir(folder)) {
        const { size } = await stat(join(folder, name))
        expect(size, name).toBeLessThan(150_000)
        total += size
      }
    }
    expect(total).toBeLessThan(1_500_000)
  })
})

describe("the demo's task without document names", () => {
  it('has a page for every row of its gold table', async () => {
    const { tasks: wide, skipped } = await loadWideSearch(wideDemoPaths.tasks)
    expect(skipped).toEqual([])
    const pages = await Promise.all(
      (await readdir(wideDemoPaths.pages)).map(name => readFile(join(wideDemoPaths.pages, name), 'utf8')),
    )
    expect(wide.map(({ question, gold }) => [question.documentNames.length, gold.rows.length])).toEqual([
      [0, 8],
    ])
    for (const row of wide[0]!.gold.rows) {
      const cells = Object.values(row).map(String)
      expect(
        pages.some(page => cells.every(cell => page.includes(cell))),
        cells.join(),
      ).toBe(true)
    }
  })
})

describe('the figures in the demo documents', () => {
  const statements = [
    {
      name: 'northwind-turbines-annual-report-2023.pdf',
      cny: 1000,
      labels: ['Total assets', 'Total liabilities', "Total stockholders' equity"],
    },
    {
      name: 'calder-marine-annual-report-2023.pdf',
      cny: 1,
      labels: ['Total assets', 'Total liabilities', "Total stockholders' equity"],
    },
    {
      name: 'harbourlight-foods-annual-report-2023.pdf',
      cny: 1e6,
      labels: ['Total assets', 'Total liabilities', "Total stockholders' equity"],
    },
    {
      name: 'harbourlight-foods-quarterly-report-2024-q1.pdf',
      cny: 1e6,
      labels: ['Total assets', 'Total liabilities', "Total stockholders' equity"],
    },
    { name: '云岭茶业2023年年度报告.pdf', cny: 1, labels: ['资产总计', '负债合计', '所有者权益合计'] },
    { name: '澄江新材2023年年度报告.pdf', cny: 1e4, labels: ['资产总计', '负债合计', '所有者权益合计'] },
  ]

  it.each(statements)('balance in $name, group and parent, both years', async ({ name, labels }) => {
    const lines = await shipped(name)
    const columns = labels.map(label => {
      const found = lines.filter(
        line => line.startsWith(`${label} `) && /^[\d,.]+ [\d,.]+$/.test(line.slice(label.length + 1).trim()),
      )
      return found.flatMap(figuresAfter)
    })
    const [assets = [], liabilities = [], equity = []] = columns
    expect(assets.length).toBeGreaterThanOrEqual(2)
    assets.forEach((asset, index) => {
      expect((liabilities[index] ?? 0) + (equity[index] ?? 0)).toBeCloseTo(asset, 2)
    })
  })

  it.each(statements)(
    'of $name contain every amount of its gold rows, in the unit of the page',
    async ({ name, cny }) => {
      const onPage = (await shipped(name)).flatMap(figuresAfter)
      const rows = tasks.flatMap(task => task.gold.rows.filter(row => Object.values(row).includes(name)))
      const amounts = rows.flatMap(row =>
        Object.entries(row).filter(
          ([column]) => /\((?:CNY|元)\)$/.test(column) && !/per share|每股/i.test(column),
        ),
      )
      expect(amounts.length).toBeGreaterThan(0)
      for (const [column, value] of amounts) {
        const gold = Number(String(value).replaceAll(',', ''))
        const found = onPage.some(figure => Math.abs(figure * cny - gold) <= 0.51)
        expect(found, `${column} ${value}`).toBe(true)
      }
    },
  )

  it('agree with ratios calculated by hand for one company', () => {
    // Northwind Turbines in CNY thousand: profit 610,475 and equity 4,214,398 after 3,784,495; assets 6,820,624 after 5,876,667.
    const row = tasks
      .find(task => task.question.taskId === 'financial_demo-growth_0_en')
      ?.gold.rows.find(candidate => String(candidate.Filename).startsWith('northwind'))
    expect(row?.['Weighted Average Return on Equity (%)']).toBe('15.26')
    expect(row?.['Asset Growth Rate (%)']).toBe('16.06')
    expect(row?.['Revenue Growth Rate (%)']).toBe('14.63')
  })

  it('differ between look-alikes and the documents that they resemble', async () => {
    const total = async (path: string) =>
      (await linesOf(await readFile(path))).find(line => line.startsWith('Total assets '))
    const own = await total(join(demoPaths.documents, 'northwind-turbines-annual-report-2023.pdf'))
    for (const name of [
      'northwind-turbines-annual-report-2022.pdf',
      'northwind-solar-annual-report-2023.pdf',
    ]) {
      expect(await total(join(demoPaths.distractors, name))).not.toBe(own)
    }
  })
})
