import type { Command, Option } from 'commander'
import { ConfigError } from '../core/errors.ts'

const repeatable = new WeakSet<Option>()

/** Marks a flag that may be given several times. Each value is added to a list. */
export function allowRepeats(option: Option): Option {
  repeatable.add(option)
  return option
}

/**
 * Makes a command and those below it reject any other flag that is given twice, because one of its values would be lost.
 *
 * @throws ConfigError [flag-twice] while the command line is parsed
 */
export function rejectRepeatedFlags(command: Command): void {
  for (const option of command.options) {
    if (!(option.required || option.optional) || repeatable.has(option)) continue
    let given = false
    command.on(`option:${option.name()}`, () => {
      if (given)
        throw new ConfigError(`${option.long} is given twice. It accepts ${valuesOf(option)}.`, {
          code: 'flag-twice',
        })
      given = true
    })
  }
  for (const below of command.commands) rejectRepeatedFlags(below)
}

function valuesOf(option: Option): string {
  return option.flags.includes(',') ? 'one list with commas between its values' : 'one value'
}
