import { findProgram } from '../../../src/system/find-program.ts'
import type { EnclosingCommand, ProgramToEnclose } from './enclosing-command.ts'

/** The place of this machine's node in a container. */
export const nodeInContainer = '/tablehunt-node'
const mostProcessors = 2

/** Returns the program for containers that PATH has, podman first; null without one. */
export function findEngine(path: string): 'docker' | 'podman' | null {
  return (['podman', 'docker'] as const).find(engine => findProgram(engine, { path }) !== null) ?? null
}

/** Builds the command line that runs a program in a container without a network. The image must be on this machine. */
export function buildContainerCommand(
  engine: 'docker' | 'podman',
  image: string,
  { name, program, mounts, cwd, home, memoryMb, processes }: ProgramToEnclose,
): EnclosingCommand {
  const [entry, ...args] = program
  const user = `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}`
  const keepsUser = engine === 'podman' && !user.startsWith('0:') ? ['--userns', 'keep-id'] : []
  const node = { from: process.execPath, to: nodeInContainer, access: 'read' }
  return {
    command: [
      ...[engine, 'run', '--rm', '--interactive', '--pull', 'never', '--name', name],
      ...['--network', 'none', '--read-only', '--cap-drop', 'ALL', '--security-opt', 'no-new-privileges'],
      ...['--user', user, ...keepsUser, '--workdir', cwd],
      ...['--memory', `${memoryMb}m`, '--memory-swap', `${memoryMb}m`],
      ...['--cpus', String(mostProcessors), '--pids-limit', String(processes)],
      ...[node, ...mounts].flatMap(({ from, to, access }) => [
        '--mount',
        ['type=bind', `source=${from}`, `target=${to}`, ...(access === 'write' ? [] : ['readonly'])]
          .map(quoteField)
          .join(','),
      ]),
      ...(home === null ? [] : ['--env', `HOME=${home}`]),
      ...['--entrypoint', entry!, image, ...args],
    ],
    argumentList: null,
  }
}

/** Engines read a mount as a line of CSV. */
function quoteField(field: string): string {
  return /[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}
