import { Command } from 'commander'
import { expect, it } from 'vitest'
import { commands } from '../../src/commands/registry.ts'
import { rejectRepeatedFlags } from '../../src/commands/repeated-flags.ts'

const withAllBelow = (command: Command): readonly Command[] => [
  command,
  ...command.commands.flatMap(withAllBelow),
]

it.each(Object.entries(commands))(
  '%s accepts each flag several times whose help says so',
  async (name, entry) => {
    const command = new Command(name)
    ;(await entry.load())(command, () => undefined)
    rejectRepeatedFlags(command)
    for (const below of withAllBelow(command))
      for (const option of below.options.filter(({ description }) => /several times/.test(description))) {
        // Commander sets options by events, which its types do not declare.
        const events = below as unknown as NodeJS.EventEmitter
        const give = (value: string) => events.emit(`option:${option.name()}`, value)
        give('a')
        expect(() => give('b'), `${name} ${option.long}`).not.toThrow()
        expect(below.opts()[option.attributeName()], `${name} ${option.long}`).toEqual(['a', 'b'])
      }
  },
)
