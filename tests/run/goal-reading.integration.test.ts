import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { optionsText } from '../../src/core/arm.ts'
import { estimateRun } from '../../src/run/estimate/estimate.ts'
import { estimateLines } from '../../src/run/estimate/estimate-lines.ts'
import { loadTasks } from '../../src/run/plan/load-tasks.ts'
import { executeRun } from '../../src/run.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'

const url = 'https://ir.company-reports.example/filings/c09300e22c.pdf'
const reader = '> Revenue 5,257,064 4,585,992 14.63'
const answer = [
  '```csv',
  'Document,Reporting Period,Revenue (CNY),Weighted Average Return on Equity (%)',
  'northwind-turbines-annual-report-2023.pdf,2023,1,1',
  '```',
].join('\n')
const readCall = { name: 'read_pdf', args: { url, pages: '1-6', goal: 'revenue of 2023' } }

/** An agent that starts no library: it calls one tool over MCP and prints the answer. */
const mcpAgent = `
const call = async (method, params) => (await fetch(process.env.TABLEHUNT_MCP_URL, {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
})).text()
await call('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'a', version: '1' } })
await call('tools/call', ${JSON.stringify({ name: readCall.name, arguments: readCall.args })})
console.log(${JSON.stringify(answer)})
`

describe('a run with --goal-reading', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tablehunt-goal-'))
    const script = (turns: object[]) => `${JSON.stringify({ turns })}\n`
    await writeFile(join(folder, 'agent.jsonl'), script([{ toolCalls: [readCall] }, { text: answer }]))
    await writeFile(join(folder, 'reader.jsonl'), script([{ text: reader }]))
    await writeFile(join(folder, 'agent.mjs'), mcpAgent)
    await writeFile(
      join(folder, 'prices.json'),
      JSON.stringify({
        'scripted:agent.jsonl': { input: 1, cachedInput: 1, output: 1 },
        'scripted:reader.jsonl': { input: 100, cachedInput: 100, output: 100 },
      }),
    )
  })

  const configOf = (more: Record<string, unknown>) =>
    resolveConfig({
      tasks: demoPaths.tasks,
      docs: demoPaths.documents,
      web: 'sealed',
      setting: 'online',
      browser: 'off',
      filter: 'demo-profit_1',
      model: `scripted:${join(folder, 'agent.jsonl')}`,
      goalReading: true,
      readerModel: `scripted:${join(folder, 'reader.jsonl')}`,
      prices: join(folder, 'prices.json'),
      out: join(folder, 'run'),
      ...more,
    })

  const run = async (more: Record<string, unknown>) => {
    const config = configOf(more)
    expect((await executeRun(config)).left).toBe(0)
    const lines = async (name: string) =>
      (await readFile(join(config.out, name), 'utf8'))
        .trim()
        .split('\n')
        .map(line => JSON.parse(line))
    const [attempt] = await lines('attempts.jsonl')
    const [score] = await lines('scores.jsonl')
    const events = await lines(`traces/${attempt.attemptId}.jsonl`)
    const of = (type: string) => events.filter(event => event.type === type)
    const classOf = (gold: string) =>
      score.cells.find((cell: { readonly gold: string }) => cell.gold === gold)?.class
    return { attempt, of, classOf }
  }

  it('charges the reader at its price, and counts quoted values alone as shown', async () => {
    const { attempt, of, classOf } = await run({})
    expect(optionsText(attempt.options)).toBe('goal-reading=true,reader-model=scripted:reader.jsonl')
    expect(attempt.usage).toMatchObject({ modelCalls: 3, fetchCalls: 1, toolErrors: 0 })
    const [reading] = of('page-read-for-goal')
    expect(reading).toMatchObject({ model: 'scripted:reader.jsonl', url, goal: 'revenue of 2023' })
    const { inputTokens, outputTokens } = reading.usage
    const others = attempt.usage.inputTokens + attempt.usage.outputTokens - inputTokens - outputTokens
    expect(attempt.usage.usdModel).toBeCloseTo((others + 100 * (inputTokens + outputTokens)) / 1e6)
    expect(classOf('5,257,064,000')).toBe('wrong')
    expect(classOf('15.26')).toBe('not-in-view')
  })

  it('reads pages for external agents too', async () => {
    const agent = `command: ${process.execPath} ${join(folder, 'agent.mjs')}`
    const { attempt, of, classOf } = await run({ agent: [agent], out: join(folder, 'external') })
    expect(attempt.usage).toMatchObject({ modelCalls: 1, fetchCalls: 1, toolErrors: 0 })
    expect(of('page-read-for-goal')).toMatchObject([{ goal: 'revenue of 2023' }])
    expect(classOf('5,257,064,000')).toBe('wrong')
    expect(classOf('15.26')).toBe('not-in-view')
  })

  it('is estimated at the price of the dearer model, and the estimate says so', async () => {
    const config = configOf({ budgetTokens: 1_000_000 })
    const { tasks } = await loadTasks(config)
    const estimate = await estimateRun(config, tasks, {})
    expect(estimate.atMost.usd).toBeCloseTo(100)
    expect(estimateLines(estimate).at(-1)).toMatch(/^goal reading: /)
    const plain = await estimateRun({ ...config, goalReading: false, readerModel: null }, tasks, {})
    expect(plain.atMost.usd).toBeCloseTo(1)
  })
})
