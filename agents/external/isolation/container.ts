import { access, constants } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { EnclosingCommand, ProgramToEnclose } from './enclosing-command.ts'

/** The place of this machine's node in a container. */
export const nodeInContainer = '/tablehunt-node'
const mostProcessors = 2

/** Returns the program for containers that PATH has, podman first; null without one. */
export async function findEngine(path: string): Promise<'docker' | 'podman' | null> {
  for (const engine of ['podman', 'docker'] as const)
    for (const folder of path.split(delimiter))
      if (folder !== '' && (await isExecutable(join(folder, engine)))) return engine
  return null
}

/** Whether a file exists and this user may run it. */
export async function isExecutable(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
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
        `type=bind,source=${from},target=${to}${access === 'write' ? '' : ',readonly'}`,
      ]),
      ...(home === null ? [] : ['--env', `HOME=${home}`]),
      ...['--entrypoint', entry!, image, ...args],
    ],
    argumentList: null,
  }
}
