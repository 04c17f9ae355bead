import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { readTrace } from '../../logs/reader.ts'
import { resolveConfig } from '../../src/config.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { executeRun } from '../../src/run.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'

const url = 'https://ir.company-reports.example/filings/c09300e22c.pdf'
const quote = '> | Revenue | 5,257,064 | 4,585,992 | 14.63 |'
const answer = '```csv\nDocument,Revenue (CNY)\nnorthwind-turbines-annual-report-2023.pdf,1\n```'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-goal-budget-'))
  const call = { name: 'read_pdf', args: { url, pages: '1-6', goal: 'revenue of 2023' } }
  const script = (turns: object[]) => `${JSON.stringify({ turns })}\n`
  await writeFile(join(folder, 'agent.jsonl'), script([{ toolCalls: [call] }, { text: answer }]))
  await writeFile(join(folder, 'reader.jsonl'), script([{ text: `${quote}\n${'and so on. '.repeat(900)}` }]))
})

async function attemptWith(budgetTokens: number) {
  const out = join(folder, `run-${budgetTokens}`)
  await executeRun(
    resolveConfig({
      ...{ tasks: demoPaths.tasks, docs: demoPaths.documents, filter: 'demo-profit_1', web: 'sealed', out },
      ...{
        setting: 'online',
        browser: 'off',
        model: `scripted:${join(folder, 'agent.jsonl')}`,
        budgetTokens,
      },
      ...{ goalReading: true, readerModel: `scripted:${join(folder, 'reader.jsonl')}` },
    }),
  )
  const [attempt] = (await readRun(out)).attempts
  const { events } = await readTrace(out, attempt!.attemptId)
  const { usage, termination } = attempt!
  const tokens = (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0)
  return { usage, termination, tokens, reading: events.find(event => event.type === 'page-read-for-goal')! }
}

it('a budget that ends while a reader writes cuts its answer, and leaves the agent enough to answer', async () => {
  const { reading, termination, tokens, usage } = await attemptWith(14_000)
  expect(reading).not.toHaveProperty('problem')
  expect(reading.usage?.outputTokens).toBeGreaterThan(0)
  expect(reading.usage?.outputTokens).toBeLessThan(2_000)
  expect(usage.modelCalls).toBe(3)
  expect(tokens).toBeLessThanOrEqual(14_000)
  expect(termination).toMatchObject({ cause: 'agent', reason: 'answered', answerProduced: true })
})

it('a budget that does not cover a reader shows the agent the page, and asks for the answer', async () => {
  const { reading, termination, tokens } = await attemptWith(8_000)
  expect(reading).toMatchObject({ problem: 'The budget does not cover the reader.', usage: null })
  expect(tokens).toBeLessThanOrEqual(8_000)
  expect(termination).toMatchObject({ reason: 'tokens', forcedFinal: true, answerProduced: true })
})
