import { type Command, Option } from 'commander'
import type { OptionSpec } from '../config/option-spec.ts'
import { flagOf, type OptionName, runOptions } from '../config.ts'

const titles: Record<string, string> = {
  what: 'What to run:',
  model: 'Model:',
  scoring: 'Scoring:',
  web: 'Web:',
  budgets: 'Budgets of one attempt, and of the whole run:',
  rag: 'RAG:',
  running: 'Running:',
}

const collect = (value: string, previous: unknown): string[] => [
  ...((previous as string[] | undefined) ?? []),
  value,
]

function flagFor(name: string, spec: OptionSpec): Option {
  const flag = spec.value === null ? flagOf(name) : `${flagOf(name)} <${spec.value}>`
  const shown = spec.schema.safeParse(undefined)
  const isNotable = shown.success && shown.data !== null && shown.data !== false
  const fallback = isNotable ? ` (${describeDefault(name, shown.data)})` : ''
  const option = new Option(flag, spec.help + fallback).helpGroup(titles[spec.group] ?? spec.group)
  return spec.repeats ? option.argParser(collect) : option
}

function describeDefault(name: string, value: unknown): string {
  return name === 'requestTimeout' ? `${Number(value) / 1000}s` : String(value)
}

/** Gives a command flags for the options named, in the order of the table of options. */
export function addRunFlags(command: Command, chosen: readonly OptionName[]): Command {
  for (const [name, spec] of Object.entries(runOptions)) {
    if (chosen.includes(name as OptionName)) command.addOption(flagFor(name, spec))
  }
  return command
}

export const allRunOptions = Object.keys(runOptions) as OptionName[]
