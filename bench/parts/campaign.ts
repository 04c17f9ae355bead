import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
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
  /** When given, the setting is offline, and each task has this many documents of its own, about 2,500 characters each. */
  readonly documentsPerTask?: number
}

const goldRows = 5
/** The financial tasks of AOE have seven types. */
const taskTypes = 7
const columns = ['revenue', 'operating_income', 'net_income', 'total_assets']

function makeGold(task: number): Record<string, string>[] {
  return Array.from({ length: goldRows }, (_, row) => ({
    company: `Company ${task}-${row}`,
    ...Object.fromEntries(columns.map((column, at) => [column, String(1_000 * (task + 1) + 10 * row + at)])),
  }))
}

/** Returns the names of a task's documents. Without a number, no setting reads them. */
function nameDocuments(task: number, count?: number): string[] {
  const group = `group-${String(task).padStart(6, '0')}`
  if (count === undefined) return [`${group}-a.pdf`, `${group}-b.pdf`]
  return Array.from({ length: count }, (_, at) => `${group}-${at}.txt`)
}

/** Writes the documents of all tasks to a folder. The first document of a task has its values. */
async function writeDocuments(folder: string, attempts: number, perTask: number): Promise<void> {
  await mkdir(folder)
  for (let task = 0; task < attempts; task++) {
    const values = makeGold(task)
      .map(row => Object.values(row).join(' '))
      .join('\n')
    for (const [at, name] of nameDocuments(task, perTask).entries()) {
      const lines = Array.from(
        { length: 40 },
        (_, line) => `Note ${line} of document ${at} of group ${task}, with the figure ${line * 7919 + at}.`,
      )
      await writeFile(join(folder, name), `${at === 0 ? values : ''}\n${lines.join('\n')}\n`)
    }
  }
}

function record(task: number, documentsPerTask?: number): string {
  const name = String(task).padStart(6, '0')
  return `${JSON.stringify({
    record_id: `bench_${name}_${task % taskTypes}_en`,
    domain: 'financial',
    language: 'en',
    query: `List revenue, operating income, net income and total assets of the companies of group ${name}.`,
    input_doc: nameDocuments(task, documentsPerTask),
    answers: makeGold(task),
    key_cols: ['company'],
    target_value_columns: columns,
    numeric_columns: columns,
  })}\n`
}

/** Every turn makes another call. Repeated calls would end the attempt as agent / no-progress. */
function writeScript({ steps, turnMs, answerMs }: CampaignOptions): string {
  const usage = { inputTokens: 1_000, outputTokens: 40 }
  const calls = Array.from({ length: steps - 1 }, (_, step) =>
    step % 2 === 0
      ? { name: 'web_search', args: { queries: [`figures of the group, part ${step}`] } }
      : { name: 'fetch_page', args: { url: `https://host-${step}.example/figures.txt` } },
  )
  const header = ['company', ...columns].join(',')
  const rows = makeGold(0).map(row => Object.values(row).join(','))
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
  const { folder, attempts, concurrency, documentsPerTask } = options
  const [tasks, script] = [join(folder, 'tasks.jsonl'), join(folder, 'script.jsonl')]
  const records = Readable.from(
    (function* () {
      for (let task = 0; task < attempts; task++) yield record(task, documentsPerTask)
    })(),
  )
  await pipeline(records, createWriteStream(tasks))
  await writeFile(script, writeScript(options))
  const docs = join(folder, 'documents')
  if (documentsPerTask !== undefined) await writeDocuments(docs, attempts, documentsPerTask)
  return resolveConfig({
    tasks,
    out: join(folder, 'run'),
    cache: join(folder, 'cache'),
    ...(documentsPerTask === undefined ? { setting: 'online' } : { setting: 'offline', docs }),
    model: `scripted:${script}`,
    browser: 'off',
    concurrency,
  })
}
