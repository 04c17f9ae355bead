import { tmpdir } from 'node:os'
import type { IsolationMode } from '../../../src/core/attempt.ts'
import { ConfigError } from '../../../src/core/errors.ts'
import { harmlessEnvironment } from '../../../src/system/harmless-environment.ts'
import { runProgram } from '../../../src/system/run-program.ts'
import { readFirstLine } from '../../../src/text/plain-text.ts'
import { buildBubblewrapCommand } from './bubblewrap.ts'
import { buildContainerCommand, findEngine, nodeInContainer } from './container.ts'
import type { BuildEnclosingCommand } from './enclosing-command.ts'
import { type AgentFiles, type AgentProgram, findAgentFiles } from './visible-files.ts'

/** How the programs of outside agents are kept apart in a run. */
export interface Isolation {
  readonly mode: IsolationMode
  /** Builds the command line that encloses a program; null when programs run as the operator's user. */
  readonly build: BuildEnclosingCommand | null
  /** What an agent can reach, in one line. */
  readonly notice: string
}

/** What encloses the programs of one agent. */
export interface AgentIsolation extends Isolation {
  readonly build: BuildEnclosingCommand
  readonly files: AgentFiles
}

/**
 * Decides what one agent sees in a run.
 *
 * @returns null when programs run as the operator's user
 * @throws ConfigError those of `findAgentFiles`
 */
export async function isolateAgent(
  { build, ...isolation }: Isolation,
  { path, ...program }: AgentProgram,
): Promise<AgentIsolation | null> {
  if (build === null) return null
  // The image of a container contains the program.
  const files = await findAgentFiles({ ...program, path: isolation.mode === 'container' ? null : path })
  return { ...isolation, build, files }
}

/** Paths of unix sockets have at most 107 bytes, and those of an attempt are below its folder in TMPDIR. */
const mostTmpdirBytes = 70
const longTmpdir = `the path of TMPDIR is longer than ${mostTmpdirBytes} bytes, which is too long for sockets`
const hasLongTmpdir = (): boolean => Buffer.byteLength(tmpdir()) > mostTmpdirBytes
const probeMs = 60_000

/** Programs run as the operator's user. */
export function openNoIsolation(why: string): Isolation {
  return {
    mode: 'none',
    build: null,
    notice: `isolation: none (${why}): agents of your own run as your user. They can read the tasks with their answers, this run's folder and your other files, and use the network`,
  }
}

/**
 * Decides how outside agents are isolated in a run. The command line of an attempt is tried with a program that does nothing.
 *
 * @param choice the value of --isolate: `auto`, `bubblewrap`, `container:IMAGE` or `none`
 * @throws ConfigError [isolation-not-available] when the chosen isolation does not work on this machine
 */
export async function openIsolation(choice: string): Promise<Isolation> {
  if (choice === 'none') return openNoIsolation('--isolate none')
  if (choice.startsWith('container:')) return await openContainers(choice.slice('container:'.length))
  const problem = await findBubblewrapProblem()
  if (problem === null)
    return {
      mode: 'bubblewrap',
      build: buildBubblewrapCommand,
      notice:
        'isolation: bubblewrap: agents of your own see their folder, their program and the gateway alone',
    }
  if (choice === 'bubblewrap')
    throw notAvailable(choice, problem, 'Install bubblewrap, or choose --isolate container:IMAGE or none.')
  const { notice, ...none } = openNoIsolation(problem)
  return { ...none, notice: `${notice}. Install bubblewrap, or use --isolate container:IMAGE` }
}

/** Returns why bubblewrap cannot be used, in one line; null when it works. */
export async function findBubblewrapProblem(): Promise<string | null> {
  if (process.platform !== 'linux') return 'bubblewrap runs on Linux only'
  if (hasLongTmpdir()) return longTmpdir
  const { command } = buildBubblewrapCommand({ ...emptyEnclosure, program: ['/usr/bin/env', 'true'] }, null)
  return await findProblem(command, 'bubblewrap is not installed')
}

async function openContainers(image: string): Promise<Isolation> {
  const choice = `container:${image}`
  if (hasLongTmpdir()) throw notAvailable(choice, longTmpdir, 'Set TMPDIR to a shorter path.')
  const engine = findEngine(harmlessEnvironment().PATH ?? '')
  if (engine === null)
    throw notAvailable(choice, 'neither podman nor docker is installed', 'Install one of them.')
  const build: BuildEnclosingCommand = enclosure => buildContainerCommand(engine, image, enclosure)
  const { command } = build({ ...emptyEnclosure, program: [nodeInContainer, '-e', '0'] }, null)
  const problem = await findProblem(command, `${engine} does not start`)
  if (problem !== null)
    throw notAvailable(
      choice,
      problem,
      `Pull or build the image first. It needs glibc and libstdc++, because the bridge to the gateway runs this machine's node.`,
    )
  const notice = `isolation: container (${engine}, ${image}): agents of your own see the image, their folder, their script and the gateway alone`
  return { mode: 'container', build, notice }
}

const emptyEnclosure = {
  name: 'tablehunt-probe',
  mounts: [],
  cwd: '/',
  home: null,
  memoryMb: 512,
  processes: 100,
}

/** Runs a command line. Returns the last line of its error; null when it ends with exit code 0. */
async function findProblem([program, ...args]: readonly string[], missing: string): Promise<string | null> {
  try {
    await runProgram(program!, args, probeMs)
    return null
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string }
    if (code === 'ENOENT') return missing
    return stderr.trim().split('\n').at(-1) || readFirstLine(error)
  }
}

function notAvailable(choice: string, problem: string, advice: string): ConfigError {
  return new ConfigError(`--isolate ${choice}: it does not work on this machine (${problem}). ${advice}`, {
    code: 'isolation-not-available',
  })
}
