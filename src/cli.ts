import { Command, CommanderError } from 'commander'
import { explainError } from './commands/explain.ts'
import { type CommandEntry, commands } from './commands/registry.ts'
import { rejectRepeatedFlags } from './commands/repeated-flags.ts'
import { ConfigError } from './core/errors.ts'
import { nearestName } from './core/nearest-name.ts'
import { packageVersion } from './system/paths.ts'
import { withErrorPath } from './system/system-errors.ts'

async function buildProgram(
  called: string | undefined,
  setExitCode: (code: number) => void,
): Promise<Command> {
  const program = new Command('tablehunt')
    .description('Evaluates how well a language model builds a table when it must first find the documents.')
    .version(packageVersion)
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, 'tablehunt: ')) })
    .exitOverride()
  for (const [name, entry] of Object.entries<CommandEntry>(commands)) {
    const command = program.command(name).description(entry.summary)
    // Only the command that is called is given its options: their choices come from registries that take time to load.
    if (name !== called) continue
    const register = await entry.load()
    register(command, setExitCode)
    rejectRepeatedFlags(command)
  }
  return program
}

/**
 * A reader that has seen enough (`| head`), or a terminal that was closed, ends nothing: what nobody reads is lost, the
 * command goes on to its end. Nor does a log of the progress on a full disk; results that can't be written do.
 */
function letReadersLeave(): void {
  const { stdout, stderr } = process
  stderr.on('error', () => undefined)
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    const hasLeft = error.code === 'EPIPE' || (error.code === 'EIO' && stdout.isTTY)
    if (hasLeft) return
    tell(withErrorPath(error, 'standard output'))
    process.exit(1)
  })
}

/** Runs one command line and gives its exit code: 0 done, 1 failed, 2 wrong input, 130 stopped by Ctrl-C. */
export async function main(argv: readonly string[]): Promise<number> {
  let exitCode = 0
  letReadersLeave()
  try {
    const called = argv[0] === 'help' ? argv[1] : argv[0]
    const program = await buildProgram(called, code => {
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
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    return tell(error)
  }
}

/** The library answers `help` of what is no command with the help of all. */
function requireCommand(name: string): void {
  const known = [...Object.keys(commands), 'help']
  if (known.includes(name) || name.startsWith('-')) return
  const near = nearestName(name, known)
  const mend = near === null ? 'tablehunt --help lists them all' : `did you mean '${near}'?`
  throw new ConfigError(`unknown command '${name}': ${mend}`)
}

/** Gives the exit code. */
function tell(error: unknown): number {
  const { line, code } = explainError(error)
  process.stderr.write(`tablehunt: ${line}\n`)
  return code
}
