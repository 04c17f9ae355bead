import { Command, CommanderError } from 'commander'
import { explainError } from './commands/explain.ts'
import { type CommandEntry, commands } from './commands/registry.ts'
import { rejectRepeatedFlags } from './commands/repeated-flags.ts'
import { guardOutput } from './commands/terminal.ts'
import { ConfigError } from './core/errors.ts'
import { nearestName } from './core/nearest-name.ts'
import { packageVersion } from './system/paths.ts'
import { registerEnvironment } from './system/secret-values.ts'
import { withErrorPath } from './system/system-errors.ts'

async function buildProgram(
  called: string | undefined,
  showsAll: boolean,
  setExitCode: (code: number) => void,
): Promise<Command> {
  const program = new Command('tablehunt')
    .description('Evaluates how well language models build tables when they must first find the documents.')
    .version(packageVersion)
    // `main` prints errors, with their code.
    .configureOutput({ outputError: () => undefined })
    .exitOverride()
  for (const [name, entry] of Object.entries<CommandEntry>(commands)) {
    const command = program.command(name).description(entry.summary)
    // Only the called command gets its options, because their values come from registries that take time to load.
    if (name !== called) continue
    const register = await entry.load()
    register(command, setExitCode)
    if (showsAll) (await import('./commands/run-flags.ts')).showAllFlags(command)
    rejectRepeatedFlags(command)
  }
  return program
}

/**
 * Lets a command continue when its reader closes the pipe (`| head`) or the terminal closes. It also
 * continues when a progress log cannot be written. A command ends when its results cannot be written.
 */
function ignoreClosedOutput(): void {
  const { stdout, stderr } = process
  stderr.on('error', () => undefined)
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    const isClosed = error.code === 'EPIPE' || (error.code === 'EIO' && stdout.isTTY)
    if (isClosed) return
    reportError(withErrorPath(error, 'standard output'))
    process.exit(1)
  })
}

/**
 * Keeps secrets and control characters out of everything that this process prints, also when it crashes. The program calls
 * this once, before `main`.
 */
export function guardProcess(): void {
  registerEnvironment(process.env)
  guardOutput()
  process.on('uncaughtException', error => process.exit(reportError(error)))
}

/**
 * Runs one command line.
 *
 * @returns the exit code: 0 done, 1 failed, 2 wrong input, 130 stopped by Ctrl-C
 */
export async function main(argv: readonly string[]): Promise<number> {
  let exitCode = 0
  ignoreClosedOutput()
  try {
    const called = argv[0] === 'help' ? argv[1] : argv[0]
    const showsAll = argv.at(-1) === 'all' && argv.some(word => ['--help', '-h', 'help'].includes(word))
    const program = await buildProgram(called, showsAll, code => {
      exitCode = code
    })
    if (argv[0] === 'help' && called !== undefined) requireCommand(called)
    if (argv.length === 0) {
      program.outputHelp()
      return 0
    }
    await program.parseAsync(argv, { from: 'user' })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode === 0) return 0
      // The library has printed the help of a group of commands that was called without one of them.
      if (error.code === 'commander.help') return 2
    }
    return reportError(error instanceof CommanderError ? await toConfigError(error, argv) : error)
  }
}

/** Rejects `help` for an unknown command. The library would print the general help. */
function requireCommand(name: string): void {
  const commandNames = [...Object.keys(commands), 'help']
  if (commandNames.includes(name) || name.startsWith('-')) return
  const near = nearestName(name, commandNames)
  const fix = near === null ? 'tablehunt --help lists all commands.' : `did you mean '${near}'?`
  throw new ConfigError(`unknown command '${name}': ${fix}`, { code: 'unknown-command' })
}

/** Turns an error of the command line into an error with a stable code. */
async function toConfigError(error: CommanderError, argv: readonly string[]): Promise<ConfigError> {
  const flag = /unknown option '(--[\w-]+)'/.exec(error.message)?.[1]
  if (flag !== undefined) {
    const { describeFileOption } = await import('./commands/run-flags.ts')
    const advice = describeFileOption(flag, argv)
    if (advice !== null) return new ConfigError(advice, { code: 'config-file-only' })
  }
  const code =
    {
      'commander.unknownOption': 'unknown-option',
      'commander.unknownCommand': 'unknown-command',
      'commander.missingArgument': 'missing-argument',
      'commander.excessArguments': 'unexpected-argument',
      'commander.optionMissingArgument': 'missing-value',
      'commander.missingMandatoryOptionValue': 'missing-option',
    }[error.code] ?? 'invalid-option'
  const [what = '', hint] = error.message.replace(/^error: /, '').split('\n')
  const fix = hint === undefined ? 'See tablehunt --help.' : hint.replace(/^\(|\)$/g, '')
  return new ConfigError(`${what.replace(/\.$/, '')}. ${fix}`, { code })
}

/** Prints an error and returns the exit code. */
function reportError(error: unknown): number {
  const { line, code } = explainError(error)
  process.stderr.write(`tablehunt: ${line}\n`)
  return code
}
