import { Command } from 'commander'
import { expect, it } from 'vitest'
import { registerTool } from '../../src/commands/tool.ts'
import { tools } from '../../tools/registry.ts'

it('names every tool of the registry in its help', () => {
  tools.add('tea-house', { read_tea: tools.get('read_pdf') })
  const command = new Command('tool')
  registerTool(command, () => {})
  expect(tools.names().at(-1)).toBe('read_tea')
  expect(command.helpInformation().replace(/\s+/g, ' ')).toContain(`NAME ${tools.names().join(', ')} JSON`)
})
