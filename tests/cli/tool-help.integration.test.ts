import { Command } from 'commander'
import { expect, it } from 'vitest'
import { registerTools } from '../../src/commands/tools.ts'
import { tools } from '../../tools/registry.ts'

it('names every tool of the registry in its help', () => {
  tools.add('tea-house', { read_tea: tools.get('read_pdf') })
  const command = new Command('tools')
  registerTools(command, () => {})
  expect(tools.names().at(-1)).toBe('read_tea')
  expect(command.commands[0]!.helpInformation().replace(/\s+/g, ' ')).toContain(
    `NAME ${tools.names().join(', ')} JSON`,
  )
})
