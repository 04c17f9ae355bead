import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { packageRoot } from '../../../src/core/paths.ts'
import { readRun } from '../../../src/run/folder/run-folder.ts'
import { completion, send, startOpenAiServer } from '../../models/openai-server.ts'

/** A command of ours, running. */
export interface Running {
  readonly child: ChildProcess
  /** What it wrote to stderr so far. */
  said(): string
  /** Resolves when stderr holds the text; rejects when the process ends without it. */
  saying(text: string | RegExp): Promise<void>
  /** Its exit code; null: killed. */
  readonly ended: Promise<number | null>
}

const running = new Set<ChildProcess>()

export function start(
  args: readonly string[],
  options: { env?: Record<string, string>; cwd?: string } = {},
): Running {
  const keyless = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/_API_KEY$/.test(name)))
  const child = spawn(process.execPath, [join(packageRoot, 'bin', 'tablehunt.js'), ...args], {
    env: { ...keyless, ...options.env },
    cwd: options.cwd ?? tmpdir(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  running.add(child)
  let said = ''
  const listeners = new Set<() => void>()
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    said += text
    for (const listener of listeners) listener()
  })
  const ended = new Promise<number | null>(resolve =>
    child.on('close', code => {
      running.delete(child)
      resolve(code)
    }),
  )
  const has = (text: string | RegExp): boolean =>
    typeof text === 'string' ? said.includes(text) : text.test(said)
  return {
    child,
    said: () => said,
    ended,
    saying: text =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!has(text)) return
          listeners.delete(look)
          resolve()
        }
        listeners.add(look)
        look()
        void ended.then(code => reject(new Error(`ended with ${code} without saying ${text}:\n${said}`)))
      }),
  }
}

/** Kills what a failed test left behind. */
export function killAll(): void {
  for (const child of running) child.kill('SIGKILL')
}

export interface Setup {
  readonly folder: string
  /** Options of a run over tasks that a scripted model answers. */
  readonly options: readonly string[]
  readonly out: (name: string) => string
  remove(): Promise<void>
}

const answer = 'Here.\n```csv\nFilename,Revenue\nelm.txt,"4,512"\n```'

/** A model server that says how often it was asked for each task, and bills a token for four characters. */
export async function countingModel(delayMs: number) {
  const asked = new Map<string, number>()
  const server = await startOpenAiServer((request, response) => {
    const messages = JSON.stringify(request.body.messages)
    const task = /company group (\d+)/.exec(messages)?.[1] ?? 'none'
    asked.set(task, (asked.get(task) ?? 0) + 1)
    const prompt_tokens = Math.ceil(messages.length / 4)
    const usage = { prompt_tokens, completion_tokens: 20, total_tokens: prompt_tokens + 20 }
    setTimeout(() => send(response, 200, completion({ content: answer }, { usage })), delayMs)
  })
  return { ...server, asked }
}

/** So many tasks over one document, for a scripted model, or for that of a server. */
export async function newSetup(tasks: number, modelUrl: string | null = null): Promise<Setup> {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-queue-'))
  const docs = join(folder, 'docs')
  await mkdir(docs)
  await writeFile(
    join(docs, 'elm.txt'),
    `Total revenue of Elm was 4,512 for the year.\n${'Elm grew. '.repeat(900)}`,
  )
  const records = Array.from({ length: tasks }, (_, index) =>
    JSON.stringify({
      record_id: `financial_t${index}_4_en`,
      language: 'en',
      domain: 'financial',
      query: `Compare the revenue of company group ${index}.`,
      input_doc: ['elm.txt'],
      answers: [{ Filename: 'elm.txt', Revenue: '4,512' }],
      key_cols: ['Filename'],
      target_value_columns: ['Revenue'],
      numeric_columns: ['Revenue'],
    }),
  )
  await writeFile(join(folder, 'tasks.jsonl'), `${records.join('\n')}\n`)
  const usage = { inputTokens: 100, outputTokens: 20 }
  await writeFile(join(folder, 'turns.jsonl'), JSON.stringify({ turns: [{ text: answer, usage }] }))
  const model =
    modelUrl === null
      ? ['--model', `scripted:${join(folder, 'turns.jsonl')}`]
      : ['--model', 'openai:fake', '--base-url', modelUrl, '--setting', 'offline']
  return {
    folder,
    options: [
      ...['--tasks', join(folder, 'tasks.jsonl'), '--docs', docs],
      ...[...model, '--context-window', '8k'],
      ...['--cache', join(folder, 'cache')],
    ],
    out: name => join(folder, name),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** A run's records as they must be equal in two runs: times, run id and checksums aside. */
export async function comparable(out: string) {
  const { attempts, scores } = await readRun(out)
  return {
    attempts: attempts.map(({ startedAt, endedAt, usage, ...rest }) => ({
      ...rest,
      usage: { ...usage, wallMs: 0, workingMs: 0 },
    })),
    scores: scores.map(({ judgeUsage, ...rest }) => rest),
  }
}

/** How often each attempt stands in attempts.jsonl, superseded ones included. */
export async function recordsOf(out: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const name of ['attempts.jsonl', 'superseded.jsonl']) {
    const text = await readFile(join(out, name), 'utf8').catch(() => '')
    for (const line of text.split('\n').filter(Boolean)) {
      const { attemptId } = JSON.parse(line) as { attemptId: string }
      counts.set(attemptId, (counts.get(attemptId) ?? 0) + 1)
    }
  }
  return counts
}
