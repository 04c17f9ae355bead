import { constants } from 'node:fs'
import { mkdir, open, realpath, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Clock, systemClock } from '../../src/core/runtime.ts'
import { harmlessEnvironment } from '../../src/system/harmless-environment.ts'
import { createOwnedFolder } from '../../src/system/owned-folder.ts'
import { isFatalToRun } from '../../src/system/system-errors.ts'
import type { AgentJob, AgentResult, ExternalAgent } from './agent-job.ts'
import { type ProcessEnd, runProcess } from './agent-process.ts'
import { readFailureText } from './failure-text.ts'
import { openEnclosure } from './isolation/enclosure.ts'
import type { AgentIsolation } from './isolation/isolation.ts'

/** A program that works on one attempt: an entry of `agents` in the config file, or `--agent 'command: …'`. */
export interface AgentCommand {
  /** The program and its arguments. */
  readonly command: readonly string[]
  /** The working directory; null: a new folder for each attempt. */
  readonly cwd: string | null
  /** Environment variables in addition to those of the gateway. */
  readonly env: Readonly<Record<string, string>>
  /** Where the answer is: on standard output, or in a file of the folder in TABLEHUNT_FOLDER. */
  readonly answer: { readonly from: 'stdout' } | { readonly from: 'file'; readonly name: string }
  /** Milliseconds after which the program is stopped. The budget of the attempt also applies. Null: no limit of its own. */
  readonly timeoutMs: number | null
  /** A limit for the program and all processes that it starts, in total. */
  readonly memoryMb: number
  /** Processor time of the program and all processes that it starts, in total. */
  readonly cpuSeconds: number
  /** What keeps it apart from this machine; null: it runs as the user of this process. */
  readonly isolation: AgentIsolation | null
  /** Receives what could not be removed after an attempt. */
  tell(line: string): void
}

const mostProcesses = 500
const mostDiskMb = 4_096

/** Runs a program for each attempt: the prompt on standard input, the answer on standard output or in a file. */
export function commandAgent(agent: AgentCommand, clock: Clock = systemClock): ExternalAgent {
  return {
    summary: agent.command.join(' '),
    isolation: agent.isolation?.mode ?? 'none',
    run: job => runCommand(agent, job, clock),
  }
}

async function runCommand(agent: AgentCommand, job: AgentJob, clock: Clock): Promise<AgentResult> {
  // The agent can move or replace the inner folder, and everything is still in the outer one.
  const owned = await createOwnedFolder('agent')
  const base = owned.path
  const folder = join(base, 'work')
  job.afterwards(async () => {
    if (!(await owned.remove()))
      agent.tell(`${base}: what an agent left there could not be removed. Remove it when the run has ended`)
  })
  try {
    await mkdir(folder)
    const taskFile = join(folder, 'task.json')
    await writeFile(taskFile, JSON.stringify(job.task))
    const end = await runEnclosed(agent, job, clock, { base, folder, taskFile })
    if (end.stderr !== '')
      job.report({ type: 'agent-output', stream: 'stderr', text: job.keepText(end.stderr) })
    if (agent.answer.from === 'file' && end.stdout !== '')
      job.report({ type: 'agent-output', stream: 'stdout', text: job.keepText(end.stdout) })
    job.report({ type: 'agent-exited', exitCode: end.exitCode, signal: end.signal })
    const { text, problem } =
      agent.answer.from === 'file'
        ? await readAnswerFile(folder, agent.answer.name)
        : { text: end.stdout, problem: null }
    const answerText = text.trim() === '' ? null : text
    return { answerText, failure: problem ?? describeFailure(end, answerText) }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === undefined || isFatalToRun(error)) throw error
    return { answerText: null, failure: `the program could not be started (${code})` }
  }
}

/** The folders of an attempt. */
interface AttemptPlaces {
  readonly base: string
  readonly folder: string
  readonly taskFile: string
}

async function runEnclosed(
  agent: AgentCommand,
  job: AgentJob,
  clock: Clock,
  { base, folder, taskFile }: AttemptPlaces,
): Promise<ProcessEnd> {
  const { isolation, command, memoryMb, cpuSeconds, timeoutMs } = agent
  const program = { command, cwd: agent.cwd ?? folder, env: buildEnvironment(agent, job, folder, taskFile) }
  const limits = { memoryMb, cpuSeconds, processes: mostProcesses, diskMb: mostDiskMb, timeoutMs }
  const enclosure =
    isolation === null
      ? null
      : await openEnclosure(isolation, {
          ...program,
          base,
          memoryMb,
          processes: mostProcesses,
          addresses: job.addresses,
        })
  try {
    return await runProcess({
      ...program,
      enclosure,
      limits,
      clock,
      input: job.task.prompt.user,
      folder: base,
      signal: job.signal,
      mark: `TABLEHUNT_TASK=${taskFile}`,
    })
  } finally {
    await enclosure?.close()
  }
}

/** Describes why the program failed; null when it ended by itself with an answer. */
function describeFailure(
  { exitCode, signal, brokenLimit, stderr }: ProcessEnd,
  answerText: string | null,
): string | null {
  if (brokenLimit !== null) return `the agent was stopped because ${brokenLimit}`
  if (exitCode === 0 && answerText !== null) return null
  const why = readFailureText(stderr)
  const code = exitCode === 0 ? 'exit code 0 and no answer' : `exit code ${exitCode}`
  const how = signal === null ? code : signal
  return `the agent ended with ${how}${why === '' ? '' : `: ${why}`}`
}

function buildEnvironment(
  agent: AgentCommand,
  job: AgentJob,
  folder: string,
  taskFile: string,
): Record<string, string> {
  return {
    ...harmlessEnvironment(),
    TMPDIR: folder,
    // The gateway is on this machine, so no proxy is used for it.
    NO_PROXY: '127.0.0.1,localhost',
    no_proxy: '127.0.0.1,localhost',
    ...agent.env,
    ...job.addresses,
    TABLEHUNT_TASK: taskFile,
    TABLEHUNT_FOLDER: folder,
  }
}

const mostBytes = 8_000_000

/** What an agent wrote to its answer file. */
interface AnswerFile {
  /** The end of the file; empty when it is missing or cannot be used. */
  readonly text: string
  /** Why a file that exists cannot be used; null otherwise. */
  readonly problem: string | null
}

/**
 * Reads the end of the file to which an agent wrote its answer. Only a regular file in the agent's folder is read: a named
 * pipe would block this process, and a link could lead to a file that the agent did not write.
 */
export async function readAnswerFile(folder: string, name: string): Promise<AnswerFile> {
  const path = join(folder, name)
  const unusable = (why: string): AnswerFile => ({
    text: '',
    problem: `the answer file ${name} ${why}. Write the answer to a regular file`,
  })
  try {
    const place = await realpath(dirname(path))
    // The agent can replace its folder, but not the one above.
    const realFolder = join(await realpath(dirname(folder)), basename(folder))
    if (place !== join(realFolder, dirname(name))) return unusable('is behind a symbolic link')
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    try {
      const stats = await file.stat()
      if (!stats.isFile()) return unusable('is not a regular file')
      const length = Math.min(stats.size, mostBytes)
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, stats.size - length)
      return { text: buffer.subarray(0, bytesRead).toString('utf8'), problem: null }
    } finally {
      await file.close()
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return { text: '', problem: null }
    if (code === 'ELOOP') return unusable('is a symbolic link')
    // A socket cannot be opened.
    if (code === 'ENXIO' || code === 'EOPNOTSUPP') return unusable('is not a regular file')
    return unusable(`cannot be read (${code ?? String(error)})`)
  }
}
