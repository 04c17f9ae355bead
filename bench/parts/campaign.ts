import { createWriteStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type RunConfig, resolveConfig } from '../../src/config.ts'

export interface CampaignOptions {
  /** Created when it is missing. */
  readonly folder: string
  readonly attempts: number
  /** Model turns per attempt: tool calls, then the answer. */
  readonly steps: number
  /** The model's time for a turn with a tool call, and for the last turn. */
  readonly turnMs: number
  readonly answerMs: number
  readonly concurrency: number
}

const goldRows = 5
/** The financial tasks of AOE have seven types. */
const taskTypes = 7
const columns = ['revenue', 'operating_income', 'net_income', 'total_assets']

function goldOf(task: number): Record<string, string>[] {
  return Array.from({ length: goldRows }, (_, row) => ({
    company: `Company ${task}-${row}`,
    ...Object.fromEntries(columns.map((column, at) => [column, String(1_000 * (task + 1) + 10 * row + at)])),
  }))
}

function record(task: number): string {
  const name = String(task).padStart(6, '0')
  return `${JSON.stringify({
    record_id: `bench_${name}_${task % taskTypes}_en`,
    domain: 'financial',
    language: 'en',
    query: `List revenue, operating income, net income and total assets of the companies of group ${name}.`,
    input_doc: [`group-${name}-a.pdf`, `group-${name}-b.pdf`],
    answers: goldOf(task),
    key_cols: ['company'],
    target_value_columns: columns,
    numeric_columns: columns,
  })}\n`
}

/** Every turn makes another call. Repeated calls would end the attempt as agent / no-progress. */
function scriptOf({ steps, turnMs, answerMs }: CampaignOptions): string {
  const usage = { inputTokens: 1_000, outputTokens: 40 }
  const calls = Array.from({ length: steps - 1 }, (_, step) =>
    step % 2 === 0
      ? { name: 'web_search', args: { queries: [`figures of the group, part ${step}`] } }
      : { name: 'fetch_page', args: { url: `https://host-${step}.example/figures.txt` } },
  )
  const header = ['company', ...columns].join(',')
  const rows = goldOf(0).map(row => Object.values(row).join(','))
  const turns = [
    ...calls.map(call => ({ toolCalls: [call], usage, ...(turnMs > 0 && { delayMs: turnMs }) })),
    {
      text: ['```csv', header, ...rows, '```'].join('\n'),
      usage,
      ...(answerMs > 0 && { delayMs: answerMs }),
    },
  ]
  return `${JSON.stringify({ turns })}\n`
}

/** Writes tasks and a script for the given number of attempts, one per task. Returns the run's config. */
export async function prepareCampaign(options: CampaignOptions): Promise<RunConfig> {
  const { folder, attempts, concurrency } = options
  const [tasks, script] = [join(folder, 'tasks.jsonl'), join(folder, 'script.jsonl')]
  const records = Readable.from(
    (function* () {
      for (let task = 0; task < attempts; task++) yield record(task)
    })(),
  )
  await pipeline(records, createWriteStream(tasks))
  await writeFile(script, scriptOf(options))
  return resolveConfig({
    tasks,
    out: join(folder, 'run'),
    cache: join(folder, 'cache'),
    setting: 'online',
    model: `scripted:${script}`,
    browser: 'off',
    concurrency,
  })
}
