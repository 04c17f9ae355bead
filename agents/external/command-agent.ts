import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentJob, AgentResult } from './agent-job.ts'
import type { ExternalAgent } from './behind-gateway.ts'

/** A program that works on one attempt: `agents` in the config file, or `--agent 'command: …'`. */
export interface AgentCommand {
  /** The program and its arguments. */
  readonly command: readonly string[]
  /** The working directory; null: a folder of the attempt's own. */
  readonly cwd: string | null
  /** Environment variables beside those of the gateway. */
  readonly env: Readonly<Record<string, string>>
}

/** Variables of this process that a program may see. None contains a key. */
const harmlessVariables = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'SHELL', 'USER', 'TERM']

/** Runs a program for each attempt: the prompt on standard input, the answer on standard output. */
export function commandAgent(agent: AgentCommand): ExternalAgent {
  return {
    summary: agent.command.join(' '),
    run: job => runCommand(agent, job),
  }
}

async function runCommand(agent: AgentCommand, job: AgentJob): Promise<AgentResult> {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-agent-'))
  try {
    const taskFile = join(folder, 'task.json')
    await writeFile(taskFile, JSON.stringify(job.task))
    const [program, ...args] = agent.command
    const child = spawn(program!, args, {
      cwd: agent.cwd ?? folder,
      detached: true,
      env: {
        ...harmless(),
        ...agent.env,
        ...job.addresses,
        TABLEHUNT_TASK: taskFile,
        TABLEHUNT_MODEL: 'model',
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text))
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.stdin.on('error', () => undefined).end(job.task.prompt.user)
    const stop = (): void => void process.kill(-child.pid!, 'SIGTERM')
    job.signal.addEventListener('abort', stop, { once: true })
    const [exitCode, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
      child.on('error', reject)
      child.on('close', (code, killedBy) => resolve([code, killedBy]))
    })
    job.signal.removeEventListener('abort', stop)
    if (stderr !== '')
      job.report({ type: 'agent-output', stream: 'stderr', text: { text: stderr.slice(-4_000) } })
    job.report({ type: 'agent-exited', exitCode, signal })
    return {
      answerText: stdout.trim() === '' ? null : stdout,
      failure: exitCode === 0 ? null : `the agent ended with ${signal ?? `exit code ${exitCode}`}`,
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function harmless(): Record<string, string> {
  return Object.fromEntries(
    harmlessVariables.flatMap(name => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
