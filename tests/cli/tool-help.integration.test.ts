import { Command } from 'commander'
import { expect, it, vi } from 'vitest'
import { registerTool } from '../../src/commands/tool.ts'
import { toolNames } from '../../tools/registry.ts'

vi.mock('../../tools/registry.ts', async original => {
  const registry = await original<typeof import('../../tools/registry.ts')>()
  return { ...registry, toolNames: [...registry.toolNames, 'read_tea'] }
})

it('names every tool of the registry in its help', () => {
  const command = new Command('tool')
  registerTool(command, () => {})
  expect(toolNames.at(-1)).toBe('read_tea')
  expect(command.helpInformation().replace(/\s+/g, ' ')).toContain(`NAME ${toolNames.join(', ')} JSON`)
})
