import { lstatSync, readlinkSync } from 'node:fs'
import type { EnclosingCommand, ProgramToEnclose } from './enclosing-command.ts'

/** The program, its libraries and system folders that link there. */
const systemFolders = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32']

/** Programs read these. None contains a key, and none names a user or a host. */
const harmlessEtc = [
  ...[
    'ca-certificates',
    'ca-certificates.conf',
    'pki/ca-trust',
    'pki/tls/certs',
    'ssl/certs',
    'ssl/openssl.cnf',
  ],
  ...['alternatives', 'ld.so.cache', 'ld.so.conf', 'ld.so.conf.d', 'localtime', 'timezone'],
  ...['fonts', 'gai.conf', 'host.conf', 'mime.types', 'nsswitch.conf', 'os-release', 'protocols', 'services'],
].map(name => `/etc/${name}`)

/** The settings of the machine, as container runtimes protect them. Root may write them without any capability. */
const machineSettings = ['acpi', 'asound', 'bus', 'fs', 'irq', 'mtrr', 'scsi', 'sys', 'sysrq-trigger'].map(
  name => `/proc/${name}`,
)

/**
 * Builds the command line that runs a program in namespaces of its own by bubblewrap: of processes, network, IPC and
 * mounts. Everything that is not in `mounts` is read-only or missing.
 *
 * @param descriptor the descriptor from which bubblewrap reads its arguments, so that the list of processes does not show
 *   them; null: they are a part of the command
 */
export function buildBubblewrapCommand(
  { program, mounts, cwd }: ProgramToEnclose,
  descriptor: number | null,
): EnclosingCommand {
  const args = [
    // A process of root would otherwise keep the rights to undo mounts.
    ...['--unshare-all', '--die-with-parent', '--cap-drop', 'ALL'],
    ...['--ro-bind', '/usr', '/usr', '--ro-bind-try', '/nix/store', '/nix/store'],
    ...systemFolders.flatMap(showSystemFolder),
    ...harmlessEtc.flatMap(path => ['--ro-bind-try', path, path]),
    ...['--proc', '/proc', '--dev', '/dev', '--dir', '/tmp', '--dir', '/run'],
    ...machineSettings.flatMap(path => ['--ro-bind-try', path, path]),
    ...mounts.flatMap(({ from, to, access }) => [access === 'write' ? '--bind' : '--ro-bind', from, to]),
    // Files in these two would take memory that no limit counts.
    ...['--remount-ro', '/dev', '--remount-ro', '/'],
    ...['--chdir', cwd],
  ]
  return descriptor === null
    ? { command: ['bwrap', ...args, '--', ...program], argumentList: null }
    : {
        command: ['bwrap', '--args', String(descriptor), '--', ...program],
        argumentList: args.map(word => `${word}\0`).join(''),
      }
}

function showSystemFolder(path: string): string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return []
  return stats.isSymbolicLink() ? ['--symlink', readlinkSync(path), path] : ['--ro-bind', path, path]
}
