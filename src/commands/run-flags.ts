import { type Command, Option } from 'commander'
import { describeValue, type OptionName, runOptions } from '../config.ts'
import type { OptionSpec } from '../core/option-spec.ts'
import { formatFlag } from '../core/option-spec.ts'
import { allowRepeats } from './repeated-flags.ts'

const collect = (value: string, previous: unknown): string[] => [
  ...((previous as string[] | undefined) ?? []),
  value,
]

/** A value in square brackets may be left out. */
function placeholder(value: string): string {
  return value.startsWith('[') ? value : `<${value}>`
}

function flagFor(name: string, spec: OptionSpec): Option {
  const flag = spec.value === null ? formatFlag(name) : `${formatFlag(name)} ${placeholder(spec.value)}`
  const shown = spec.schema.safeParse(undefined)
  const isNotable = shown.success && shown.data !== null && shown.data !== false
  const value = isNotable ? describeValue(name as OptionName, shown.data) : ''
  const fallback = value === '' ? '' : ` (${value})`
  const option = new Option(flag, spec.help + fallback).helpGroup(`${spec.group}:`)
  // Commander reads `--no-progress` as the opposite of `--progress`, but it takes a value.
  option.negate = false
  // The flag of a list may have a name in the singular.
  option.attributeName = () => name
  return spec.repeats ? allowRepeats(option.argParser(collect)) : option
}

/** Adds flags for the chosen options to a command, in the order of `runOptions`. */
export function addRunFlags(command: Command, chosen: readonly OptionName[]): Command {
  for (const [name, spec] of Object.entries(runOptions)) {
    if (chosen.includes(name as OptionName)) command.addOption(flagFor(name, spec))
  }
  return command
}

/** Adds the flags of commands that use the agent's tools outside a run. */
export function addToolFlags(command: Command): Command {
  return addRunFlags(command, [
    'benchmark',
    'web',
    'docs',
    'twins',
    'record',
    'replay',
    'faults',
    'block',
    'allowHost',
    'userAgent',
    'contact',
    'hostInterval',
    'search',
    'pageReader',
    'browser',
    'seed',
    'cache',
  ])
}

/** Makes the flag --config for commands that read config files. */
export const configFlag = (): Option =>
  new Option(
    '--config <FILE>',
    'config file (.ts or .json) to read instead of tablehunt.config.ts and tablehunt.config.json in the working folder',
  ).helpGroup('What to run:')

/** The names of all options of `run`. */
export const allRunOptions = Object.keys(runOptions) as OptionName[]
