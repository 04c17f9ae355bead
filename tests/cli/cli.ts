import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { packageRoot } from '../../src/core/paths.ts'

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface CliOptions {
  readonly env?: Record<string, string>
  readonly cwd?: string
  readonly input?: string | Uint8Array
  /** Called with the process, so that a test can signal it. */
  readonly started?: (child: ReturnType<typeof spawn>) => void
}

/** Runs the built command as a user does, with no key in its environment but those given. */
export async function tablehunt(args: readonly string[], options: CliOptions = {}): Promise<Finished> {
  const keyless = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/_API_KEY$/.test(name)))
  const child = spawn(process.execPath, [join(packageRoot, 'bin', 'tablehunt.js'), ...args], {
    env: { ...keyless, ...options.env },
    cwd: options.cwd ?? packageRoot,
  })
  options.started?.(child)
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.stdin.end(options.input ?? '')
  const code = await new Promise<number | null>(resolve => child.on('close', resolve))
  return { code, stdout, stderr }
}
