import { type Argument, Command, type Option } from 'commander'
import { capitalise } from '../text/plain-text.ts'
import { type CommandEntry, commands } from './registry.ts'
import { showAllFlags } from './run-flags.ts'

const intro = `# Commands and options

This page is generated from the program (\`npm run reference\`). \`npx tablehunt COMMAND --help\` prints the same in a terminal.

Results go to standard output, everything else to standard error. Exit codes: 0 done, 1 a run that could not be carried out
or a threshold that was missed, 2 wrong input, 130 stopped by Ctrl-C.

Sizes may be written \`8k\` or \`4m\` (8,000 and 4,000,000). Times may be written \`90s\`, \`10m\` or \`1h\`; a bare number counts seconds.
`

/**
 * Returns the text of docs/commands.md: every command with its arguments and options.
 *
 * @example
 * await writeFile('docs/commands.md', await commandReference())
 */
export async function writeCommandReference(): Promise<string> {
  const parts: string[] = [intro]
  for (const [name, entry] of Object.entries<CommandEntry>(commands)) {
    const command = new Command(name).description(entry.summary)
    const register = await entry.load()
    register(command, () => undefined)
    if (name === 'run') showAllFlags(command)
    parts.push(...listCommandParts(command, 'tablehunt', 2))
  }
  return `${parts.join('\n').trimEnd()}\n`
}

function listCommandParts(command: Command, parent: string, level: number): string[] {
  const name = `${parent} ${command.name()}`
  const section = [`${'#'.repeat(level)} ${name}\n`, `${capitalise(command.description())}.\n`]
  const isGroup = command.commands.length > 0
  if (!isGroup)
    section.push(`    ${[name, ...command.registeredArguments.map(formatArgument)].join(' ')} [options]\n`)
  const rows = [...command.registeredArguments.map(writeArgumentRow), ...listOptionRows(command.options)]
  if (rows.length > 0) section.push('| option | meaning |', '|---|---|', ...rows, '')
  return [...section, ...command.commands.flatMap(sub => listCommandParts(sub, name, level + 1))]
}

/** Makes a row for each option in the order of --help, and one for the title of each group. */
function listOptionRows(options: readonly Option[]): string[] {
  const rows: string[] = []
  let group: string | undefined
  for (const option of options.filter(({ hidden }) => !hidden)) {
    if (option.helpGroupHeading !== group && option.helpGroupHeading !== undefined) {
      rows.push(`| **${option.helpGroupHeading.replace(/:$/, '')}** | |`)
    }
    group = option.helpGroupHeading
    const fallback = typeof option.defaultValue === 'string' ? ` (${option.defaultValue})` : ''
    rows.push(
      `| \`${formatCell(option.flags)}\` | ${formatCell(option.description)}${formatCell(fallback)} |`,
    )
  }
  return rows
}

function formatArgument(argument: Argument): string {
  const name = `${argument.name().replace(/^<|>$/g, '')}${argument.variadic ? '…' : ''}`
  return argument.required ? name : `[${name}]`
}

function writeArgumentRow(argument: Argument): string {
  return `| \`${formatArgument(argument)}\` | ${formatCell(argument.description)} |`
}

/** Escapes a text for a cell of a Markdown table. */
function formatCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ')
}
