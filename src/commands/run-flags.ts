import { type Command, Option } from 'commander'
import { describeFileOnly, describeValue, listOptions, type OptionName, runOptions } from '../config.ts'
import { formatFlag, type OptionCommand, type OptionSpec } from '../core/option-spec.ts'
import { allowRepeats, collectValues } from './repeated-flags.ts'

/** The help of --by in `report` and `compare`. */
export const byHelp = 'facet of the tasks by which they are grouped (domain)'

/** The help of --baseline in `report` and `compare`. */
export const baselineHelp = 'the arm with which all others are compared, as the summary names it (the first)'

function createFlag(name: OptionName): Option {
  const spec: OptionSpec = runOptions[name]
  // A value in square brackets may be left out.
  const placeholder = spec.value === null || spec.value.startsWith('[') ? spec.value : `<${spec.value}>`
  const flag = placeholder === null ? formatFlag(name) : `${formatFlag(name)} ${placeholder}`
  const { data, success } = spec.schema.safeParse(undefined)
  const fallback = success && data !== null && data !== false ? describeValue(name, data) : ''
  const help = fallback === '' ? spec.help : `${spec.help} (${fallback})`
  const option = new Option(flag, help).helpGroup(`${spec.group}:`)
  // Commander reads `--no-progress` as the opposite of `--progress`, but it takes a value.
  option.negate = false
  // The flag of a list may have a name in the singular.
  option.attributeName = () => name
  return spec.repeats ? allowRepeats(option.argParser(collectValues)) : option
}

/** Adds the flags of the options that a command takes, in the order of `runOptions`. */
export function addRunFlags(command: Command, target: OptionCommand): Command {
  for (const name of listOptions(target))
    if (runOptions[name].flag !== 'none') command.addOption(createFlag(name))
  return command
}

/** Adds the flags of some options, in the order of `runOptions`. */
export function addFlagsNamed(command: Command, names: readonly OptionName[]): Command {
  for (const name of Object.keys(runOptions) as OptionName[])
    if (names.includes(name)) command.addOption(createFlag(name))
  return command
}

/** Adds the flags of all options of `run`. Help shows those that most runs use, and all when it is asked for. */
export function addAllFlags(command: Command, omitted: readonly OptionName[] = []): Command {
  for (const name of Object.keys(runOptions) as OptionName[]) {
    const { flag } = runOptions[name] as OptionSpec
    if (flag === 'none' || omitted.includes(name)) continue
    command.addOption(createFlag(name).hideHelp(flag === 'further'))
  }
  return command.addHelpText('after', () =>
    command.options.some(({ hidden }) => hidden) ? '\n`tablehunt run --help all` shows every option.\n' : '',
  )
}

/** Makes the help of a command show its hidden flags too. */
export function showAllFlags(command: Command): void {
  for (const option of command.options) option.hidden = false
}

/** Makes the flag --config for commands that read config files. */
export const makeConfigFlag = (): Option =>
  new Option(
    '--config <FILE>',
    'config file (.ts or .json) to read instead of tablehunt.config.ts and tablehunt.config.json in the working folder',
  ).helpGroup('What to run:')

/** The commands that take every option of `run`. */
const wholeCommands = ['run', 'info config']

/**
 * Returns what to do instead of a flag for an option that only a config file sets; null for other flags, and for commands
 * that do not use the option.
 *
 * @param argv the words of the command line
 */
export function describeFileOption(flag: string, argv: readonly string[]): string | null {
  const name = (Object.keys(runOptions) as OptionName[]).find(name => formatFlag(name) === flag)
  if (name === undefined || runOptions[name].flag !== 'none') return null
  const commands = [...wholeCommands, ...runOptions[name].commands]
  if (!commands.some(command => argv.join(' ').startsWith(command))) return null
  return describeFileOnly(flag, name)
}
