import { type Command, Option } from 'commander'
import { describeValue } from '../config/describe-value.ts'
import { optionTitles } from '../config/option-titles.ts'
import { earlierNames, type OptionName, runOptions } from '../config.ts'
import type { OptionSpec } from '../core/option-spec.ts'
import { flagOf } from '../core/option-spec.ts'
import { allowRepeats } from './repeated-flags.ts'

const collect = (value: string, previous: unknown): string[] => [
  ...((previous as string[] | undefined) ?? []),
  value,
]

function flagFor(name: string, spec: OptionSpec): Option {
  const flag = spec.value === null ? flagOf(name) : `${flagOf(name)} <${spec.value}>`
  const shown = spec.schema.safeParse(undefined)
  const isNotable = shown.success && shown.data !== null && shown.data !== false
  const value = isNotable ? describeValue(name as OptionName, shown.data) : ''
  const fallback = value === '' ? '' : ` (${value})`
  const option = new Option(flag, spec.help + fallback).helpGroup(
    `${optionTitles[spec.group] ?? spec.group}:`,
  )
  // The flag of a list may be in the singular.
  option.attributeName = () => name
  return spec.repeats ? allowRepeats(option.argParser(collect)) : option
}

/** Gives a command flags for the options named, in the order of the table of options. */
export function addRunFlags(command: Command, chosen: readonly OptionName[]): Command {
  for (const [name, spec] of Object.entries(runOptions)) {
    if (chosen.includes(name as OptionName)) command.addOption(flagFor(name, spec))
  }
  for (const [earlier, name] of Object.entries(earlierNames)) {
    if (chosen.includes(name)) command.addOption(flagFor(earlier, runOptions[name]).hideHelp())
  }
  return command
}

/** --config, for the commands that read config files. */
export const configFlag = (): Option =>
  new Option(
    '--config <FILE>',
    'options by their camelCase names, .ts or .json; in place of tablehunt.config.ts and .json of this folder',
  ).helpGroup('What to run:')

export const allRunOptions = Object.keys(runOptions) as OptionName[]
