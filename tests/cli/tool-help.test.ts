import { Command } from 'commander'
import { expect, it, vi } from 'vitest'
import { registerTool } from '../../src/commands/tool.ts'

vi.mock('../../tools/registry.ts', async original => {
  const registry = await original<typeof import('../../tools/registry.ts')>()
  return { ...registry, toolNames: [...registry.toolNames, 'read_tea'] }
})

it('names every tool of the registry in its help', () => {
  const command = new Command('tool')
  registerTool(command, () => {})
  expect(command.helpInformation()).toMatch(/NAME\s+web_search, fetch_page, read_pdf,\s+read_tea/)
})
