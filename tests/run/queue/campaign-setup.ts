import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import { readRun } from '../../../src/run/records/read-records.ts'
import { type CliOptions, type RunningCommand, spawnTablehunt, startTablehunt } from '../../cli/cli.ts'
import { completion, send, startOpenAiServer } from '../../models/openai-server.ts'
import { withoutTimes } from '../without-times.ts'

/** The commands that are running, with what ends each at once. */
const running = new Map<RunningCommand, () => void>()

function keep(command: RunningCommand, stop: () => void): RunningCommand {
  running.set(command, stop)
  const forget = (): void => void running.delete(command)
  command.ended.then(forget, forget)
  return command
}

/** Starts a command in this process. */
export function start(args: readonly string[], options: CliOptions = {}): RunningCommand {
  const command = startTablehunt(args, options)
  return keep(command, () => {
    command.signal('SIGINT')
    command.signal('SIGINT')
  })
}

/** Starts a command in a process of its own, for tests that kill it. */
export function startProcess(args: readonly string[], options: CliOptions = {}): RunningCommand {
  const command = spawnTablehunt(args, { cwd: tmpdir(), ...options })
  return keep(command, () => command.signal('SIGKILL'))
}

/** Ends what a test left behind. */
export async function stopAll(): Promise<void> {
  const left = [...running]
  for (const [, stop] of left) stop()
  await Promise.allSettled(left.map(([command]) => command.ended))
}

/** Asserts that a run ends well, with so many attempts. */
export async function expectDone(run: RunningCommand, out: string, attempts: number): Promise<void> {
  const { code, stderr } = await run.ended
  expect(code, stderr).toBe(0)
  expect((await recordsOf(out)).size).toBe(attempts)
}

/** Resolves when a run has recorded its first attempt. */
export const firstRecord = async (out: string): Promise<unknown> =>
  await vi.waitUntil(async () => (await recordsOf(out)).size > 0, { timeout: 60_000, interval: 50 })

export interface Setup {
  readonly folder: string
  /** Options of a run over tasks that a scripted model answers. */
  readonly options: readonly string[]
  /** The options of a worker that makes them. */
  readonly workerOptions: readonly string[]
  readonly out: (name: string) => string
  remove(): Promise<void>
}

const answer = 'Here.\n```csv\nFilename,Revenue\nelm.txt,"4,512"\n```'

/** A model server that counts how often it was asked for each task, and answers after the delay, once it is released. */
export async function countingModel(delayMs: number, released: Promise<unknown> = Promise.resolve()) {
  const asked = new Map<string, number>()
  const listeners = new Set<() => void>()
  const server = await startOpenAiServer((request, response) => {
    const messages = JSON.stringify(request.body.messages)
    const task = /company group (\d+)/.exec(messages)?.[1] ?? 'none'
    asked.set(task, (asked.get(task) ?? 0) + 1)
    for (const listener of listeners) listener()
    const prompt_tokens = Math.ceil(messages.length / 4)
    const usage = { prompt_tokens, completion_tokens: 20, total_tokens: prompt_tokens + 20 }
    const reply = (): void => send(response, 200, completion({ content: answer }, { usage }))
    setTimeout(() => void released.then(reply), delayMs)
  })
  /** Resolves once it was asked for so many tasks. */
  const askedFor = (tasks: number): Promise<void> =>
    new Promise(resolve => {
      const look = (): void => {
        if (asked.size < tasks) return
        listeners.delete(look)
        resolve()
      }
      listeners.add(look)
      look()
    })
  return { ...server, asked, askedFor }
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
    workerOptions: modelUrl === null ? [] : ['--allow-base-url', modelUrl],
    out: name => join(folder, name),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

/** A run's records as they must be equal in two runs: times, run id and checksums aside. */
export async function comparable(out: string) {
  const { attempts, scores } = await readRun(out)
  return {
    attempts: attempts.map(withoutTimes),
    scores: scores.map(({ judgeUsage, ...rest }) => rest),
  }
}

/** How often each attempt stands in attempts.jsonl, superseded ones included. */
export async function recordsOf(out: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const name of ['attempts.jsonl', 'superseded.jsonl']) {
    const text = await readFile(join(out, name), 'utf8').catch(() => '')
    for (const line of text
      .slice(0, text.lastIndexOf('\n') + 1)
      .split('\n')
      .filter(Boolean)) {
      const { attemptId } = JSON.parse(line) as { attemptId: string }
      counts.set(attemptId, (counts.get(attemptId) ?? 0) + 1)
    }
  }
  return counts
}

/** Asserts that every attempt was made once and answered. */
export async function expectAllOnce(out: string, attempts: number): Promise<void> {
  expect([...(await recordsOf(out)).values()]).toEqual(Array(attempts).fill(1))
  const ends = (await readRun(out)).attempts.map(attempt => attempt.termination.reason)
  expect(ends).toEqual(Array(attempts).fill('answered'))
}
