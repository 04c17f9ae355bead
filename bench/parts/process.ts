import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { builtModule, packageRoot } from '../../src/system/paths.ts'
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
  const script = '"$@"; code=$?; times >&3; exit $code'
  const startedAt = performance.now()
  const child = spawn('sh', ['-c', script, 'sh', ...command], {
    cwd: packageRoot,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  })
  const [stdout, stderr, times] = [child.stdout, child.stderr, child.stdio[3]].map(stream => {
    const output = { text: '' }
    stream?.on('data', (data: Buffer) => {
      output.text += data.toString()
    })
    return output
  })
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  })
  const wallMs = performance.now() - startedAt
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${stderr?.text.slice(-2_000)}`)
  return { wallMs, cpuMs: cpuOfChildren(times?.text ?? ''), stdout: stdout?.text ?? '' }
}

/** Parses the output of `times`: one line for the shell, one for its children, such as `0m1.25s 0m0.31s`. */
function cpuOfChildren(text: string): number {
  const fields = [...(text.trim().split('\n')[1] ?? '').matchAll(/(\d+)m([\d.]+)s/g)]
  if (fields.length !== 2) throw new Error(`the shell's 'times' printed: ${text}`)
  return fields.reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60_000 + Number(seconds) * 1_000,
    0,
  )
}

/** Measures how long `node -e 0` takes, in milliseconds: the present speed of the machine. Median of five. */
export async function nodeStartMs(): Promise<number> {
  const times: number[] = []
  for (let turn = 0; turn < 5; turn++) times.push((await runProcess([process.execPath, '-e', '0'])).wallMs)
  return median(times)
}

/** Runs a module of bench/ in a process of its own with JSON arguments. Returns its last line of output as JSON. */
export async function runModule<T>(module: string, input: unknown): Promise<T> {
  const { stdout } = await runProcess([
    process.execPath,
    builtModule(`bench/${module}`),
    JSON.stringify(input),
  ])
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as T
}

/** Returns the arguments that `runModule` passed to this process. */
export function moduleInput<T>(): T {
  return JSON.parse(process.argv[2] ?? 'null') as T
}

/**
 * Returns the peak memory of this process in MB (10^6 bytes). Linux reports it in /proc; elsewhere getrusage
 * is used, which may include the parent's peak.
 */
export function peakMemoryMb(): number {
  let kib = process.resourceUsage().maxRSS
  if (process.platform === 'linux') {
    const line = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))
    if (line?.[1] !== undefined) kib = Number(line[1])
  }
  return (kib * 1024) / 1e6
}
