import type { Command, Option } from 'commander'
import { ConfigError } from '../core/errors.ts'

const repeatable = new WeakSet<Option>()

/** Marks a flag that may be given several times, each time with one more value. */
export function allowRepeats(option: Option): Option {
  repeatable.add(option)
  return option
}

/** Refuses any other flag of a command, and of those below it, that is given a second value: one of the two would be lost. */
export function rejectRepeatedFlags(command: Command): void {
  for (const option of command.options) {
    if (!(option.required || option.optional) || repeatable.has(option)) continue
    let given = false
    command.on(`option:${option.name()}`, () => {
      if (given) throw new ConfigError(`${option.long}: given twice: it takes ${valuesOf(option)}`)
      given = true
    })
  }
  for (const below of command.commands) rejectRepeatedFlags(below)
}

function valuesOf(option: Option): string {
  return option.flags.includes(',') ? 'one list, its values parted by commas' : 'one value'
}
