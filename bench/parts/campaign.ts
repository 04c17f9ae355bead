import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { tuneForAttempts, tuneForOnePass } from '../../src/commands/v8-flags.ts'
import { type RunConfig, resolveConfig } from '../../src/config.ts'
import { executeRun } from '../../src/run.ts'
import { writeCsv } from '../../src/text/csv.ts'
import { fixedDelayWeb } from './fixed-delay-web.ts'
import { callInProcess, peakMemoryMb, startCpuClock } from './process.ts'

export interface CampaignOptions {
  readonly folder: string
  /** Each attempt has a task of its own. */
  readonly attempts: number
  /** Model turns per attempt: tool calls, then the answer. */
  readonly steps: number
  readonly concurrency: number
  /** The model's time for a turn. */
  readonly turnMs?: number
  /** The web's time for a request. The model takes as long in addition for the last turn, which calls no tool. */
  readonly webMs?: number
  /** When given, the setting is offline, and each task has this many documents of its own, about 2,500 characters each. */
  readonly documentsPerTask?: number
}

export interface CampaignCost {
  /** From the call to the last record and trace written. */
  readonly wallMs: number
  readonly cpuMs: number
  /** The time from the call to the written report. */
  readonly wallMsWithReport: number
  readonly peakMb: number
}

const goldRows = 5
/** The financial tasks of AOE have seven types. */
const taskTypes = 7
const columns = ['revenue', 'operating_income', 'net_income', 'total_assets']
const header = ['company', ...columns]

function makeGold(task: number): string[][] {
  return Array.from({ length: goldRows }, (_, row) => [
    `Company ${task}-${row}`,
    ...columns.map((_column, at) => String(1_000 * (task + 1) + 10 * row + at)),
  ])
}

const groupName = (task: number): string => String(task).padStart(6, '0')

/** Returns the names of a task's documents. Without a number, no setting reads them. */
function nameDocuments(task: number, count?: number): string[] {
  const group = `group-${groupName(task)}`
  if (count === undefined) return [`${group}-a.pdf`, `${group}-b.pdf`]
  return Array.from({ length: count }, (_, at) => `${group}-${at}.txt`)
}

/** Writes the documents of all tasks to a folder. The first document of a task has its values. */
async function writeDocuments(folder: string, attempts: number, perTask: number): Promise<void> {
  await mkdir(folder)
  for (let task = 0; task < attempts; task++) {
    for (const [at, name] of nameDocuments(task, perTask).entries()) {
      const values = at === 0 ? makeGold(task).map(row => row.join(' ')) : ['']
      const notes = Array.from(
        { length: 40 },
        (_, line) => `Note ${line} of document ${at} of group ${task}, with the figure ${line * 7919 + at}.`,
      )
      await writeFile(join(folder, name), `${[...values, ...notes].join('\n')}\n`)
    }
  }
}

/** Tasks are written one after the other, because a list of all would count as memory of the run. */
function* writeTasks(attempts: number, documentsPerTask?: number): Generator<string> {
  for (let task = 0; task < attempts; task++) {
    const name = groupName(task)
    yield `${JSON.stringify({
      record_id: `bench_${name}_${task % taskTypes}_en`,
      domain: 'financial',
      language: 'en',
      query: `List revenue, operating income, net income and total assets of the companies of group ${name}.`,
      input_doc: nameDocuments(task, documentsPerTask),
      answers: makeGold(task).map(row => Object.fromEntries(header.map((column, at) => [column, row[at]]))),
      key_cols: ['company'],
      target_value_columns: columns,
      numeric_columns: columns,
    })}\n`
  }
}

/** Every turn makes another call. Repeated calls would end the attempt as agent / no-progress. */
function writeScript({ steps, turnMs = 0, webMs = 0 }: CampaignOptions): string {
  const usage = { inputTokens: 1_000, outputTokens: 40 }
  const turns = Array.from({ length: steps - 1 }, (_, step) => {
    const search = { name: 'web_search', args: { queries: [`figures of the group, part ${step}`] } }
    const fetch = { name: 'fetch_page', args: { url: `https://host-${step}.example/figures.txt` } }
    return { toolCalls: [step % 2 === 0 ? search : fetch], usage, delayMs: turnMs }
  })
  const text = `\`\`\`csv\n${writeCsv([header, ...makeGold(0)])}\`\`\``
  return `${JSON.stringify({ turns: [...turns, { text, usage, delayMs: turnMs + webMs }] })}\n`
}

/** Writes tasks and a script for the given number of attempts. Returns the run's config. */
export async function prepareCampaign(options: CampaignOptions): Promise<RunConfig> {
  const { folder, attempts, concurrency, documentsPerTask } = options
  const [tasks, script] = [join(folder, 'tasks.jsonl'), join(folder, 'script.jsonl')]
  await mkdir(folder, { recursive: true })
  await writeFile(tasks, writeTasks(attempts, documentsPerTask))
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

/** Makes a run in this process, and measures it. @throws Error when an attempt does not end with an answer */
export async function runCampaign(options: CampaignOptions): Promise<CampaignCost> {
  const config = await prepareCampaign(options)
  const cpuClock = startCpuClock()
  const startedAt = performance.now()
  let answered = 0
  let [wallMs, cpuMs] = [0, 0]
  await executeRun(config, {
    web: fixedDelayWeb(options.webMs ?? 0),
    tell: event => {
      if (event.type === 'planned') tuneForAttempts(event.planned)
      if (event.type === 'attempt-ended' && event.attempt.termination.reason === 'answered') answered++
      if (event.type === 'recorded') {
        ;[wallMs, cpuMs] = [performance.now() - startedAt, cpuClock()]
        tuneForOnePass()
      }
    },
  })
  const wallMsWithReport = performance.now() - startedAt
  if (answered !== options.attempts)
    throw new Error(`only ${answered} of ${options.attempts} attempts ended with an answer`)
  return { wallMs, cpuMs, wallMsWithReport, peakMb: peakMemoryMb() }
}

/** Makes a run in a process of its own, and measures it. */
export async function measureCampaign(options: CampaignOptions): Promise<CampaignCost> {
  return (await callInProcess(import.meta.url, runCampaign, options)).result
}
