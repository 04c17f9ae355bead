import { type Command, Option } from 'commander'
import { ConfigError } from '../core/errors.ts'
import { quoteForShell } from '../text/plain-text.ts'

const repeatable = new WeakSet<Option>()

/** The placeholders of flags that accept several values with commas between them. */
const listPlaceholder = /<(?:LIST|RULES|[A-Z]+,…)>/

/** Adds the value of a repeated flag to the values before it. */
export function collectValues(value: string, before: unknown): string[] {
  return [...((before as string[] | undefined) ?? []), value]
}

/** Marks a flag that may be given several times. Each value is added to a list. */
export function allowRepeats(option: Option): Option {
  repeatable.add(option)
  return option
}

/** Makes a flag that may be given several times. */
export function createRepeatable(flags: string, help: string): Option {
  return allowRepeats(new Option(flags, `${help}; may be given several times`).argParser(collectValues))
}

/**
 * Makes a command and those below it reject any other flag that is given twice, because one of its values would be lost.
 *
 * @throws ConfigError [flag-twice] while the command line is parsed
 */
export function rejectRepeatedFlags(command: Command): void {
  for (const option of command.options) {
    if (!(option.required || option.optional) || repeatable.has(option)) continue
    let first: string | null = null
    command.on(`option:${option.name()}`, (value: string | null) => {
      if (first !== null)
        throw new ConfigError(`${option.long} is given twice. ${writeAdvice(option, [first, value ?? ''])}`, {
          code: 'flag-twice',
        })
      first = value ?? ''
    })
  }
  for (const below of command.commands) rejectRepeatedFlags(below)
}

function writeAdvice(option: Option, values: readonly string[]): string {
  if (!listPlaceholder.test(option.flags)) return 'It accepts one value.'
  const whole = `${option.long} ${quoteForShell(values.join(','))}`
  return `Write its values in one option, separated by commas: ${whole}.`
}
