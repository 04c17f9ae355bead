import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packageRoot } from '../../src/system/paths.ts'
import { median } from './statistics.ts'

/** The cost of a whole process, including its children and threads. */
export interface ProcessCost {
  readonly wallMs: number
  /** User and system time. */
  readonly cpuMs: number
  readonly stdout: string
}

/**
 * Runs a command and waits for its end. Its processor time comes from the shell's `times`, because Node reports only its
 * own.
 *
 * @throws Error with the output of a command that fails
 */
export async function runProcess(command: readonly string[]): Promise<ProcessCost> {
  const script = '"$@"; code=$?; times >&2; exit $code'
  const startedAt = performance.now()
  const options = { cwd: packageRoot, maxBuffer: Number.POSITIVE_INFINITY }
  const running = promisify(execFile)('sh', ['-c', script, 'sh', ...command], options)
  running.child.stdin?.end()
  const { stdout, stderr } = await running.catch(({ code, stderr: problem }) => {
    throw new Error(`${command.join(' ')} ended with ${code}: ${problem.slice(-2_000)}`)
  })
  const wallMs = performance.now() - startedAt
  // The last line is the time of the children, such as `0m1.25s 0m0.31s`.
  const times = stderr
    .trimEnd()
    .split('\n')
    .at(-1)!
    .matchAll(/(\d+)m([\d.]+)s/g)
  const cpuMs = [...times].map(([, minutes, seconds]) => Number(minutes) * 60_000 + Number(seconds) * 1_000)
  return { wallMs, cpuMs: cpuMs[0]! + cpuMs[1]!, stdout }
}

/** Returns what a program printed as its last line: JSON. */
export function readLastLine<T>(stdout: string): T {
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as T
}

/** Imports a module, calls one of its functions and prints the result as a line of JSON. */
const callScript = `
const [url, name, input] = process.argv.slice(1)
const result = await (await import(url))[name](JSON.parse(input))
process.stdout.write(JSON.stringify(result) + '\\n')`

/**
 * Calls a function in a process of its own, so that memory and compiled code are not shared.
 *
 * @param moduleUrl `import.meta.url` of the built module that exports the function by its name
 */
export async function callInProcess<Input, Result>(
  moduleUrl: string,
  call: (input: Input) => Promise<Result>,
  input: Input,
): Promise<{ readonly result: Result; readonly cost: ProcessCost }> {
  const options = ['--input-type=module', '-e', callScript, moduleUrl, call.name, JSON.stringify(input)]
  const cost = await runProcess([process.execPath, ...options])
  return { result: readLastLine<Result>(cost.stdout), cost }
}

/** Measures several times, one after the other. */
export async function repeat<T>(times: number, measure: (turn: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  for (let turn = 0; turn < times; turn++) results.push(await measure(turn))
  return results
}

/** Measures how long `node -e 0` takes, in milliseconds: the present speed of the machine. Median of five. */
export async function nodeStartMs(): Promise<number> {
  return median(await repeat(5, async () => (await runProcess([process.execPath, '-e', '0'])).wallMs))
}

/** Returns a function that tells the processor time of this process, with all threads, since now. */
export function startCpuClock(): () => number {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }
}

/** Returns the peak memory of this process in MB (10^6 bytes). It includes no parent's peak when `runProcess` started it. */
export function peakMemoryMb(): number {
  return (process.resourceUsage().maxRSS * 1024) / 1e6
}

/** Does work with a temporary folder, and removes the folder. */
export async function withTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-bench-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
