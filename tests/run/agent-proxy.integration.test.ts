import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { executeRun } from '../../src/run.ts'
import { packageRoot } from '../../src/system/paths.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'
import { recordAndReplay } from './record-and-replay.ts'

const script = join(packageRoot, 'tests/fixtures/agents/urllib_agent.py')
const hasPython = spawnSync('python3', ['--version']).status === 0

describe('an agent that fetches pages by itself', () => {
  const agent = [`command: python3 ${script}`]
  const demo = { tasks: demoPaths.tasks, docs: demoPaths.documents, limit: 3 }

  it.skipIf(!hasPython)(
    'finds documents through the proxy, and is replayed without any connection: the same records',
    async () => {
      const { recorded, replayed } = await recordAndReplay({
        ...demo,
        env: { PATH: process.env.PATH },
        options: { agent, agentProxy: true, model: 'extractive' },
      })
      expect(replayed).toEqual(recorded)
      expect(recorded.attempts).toHaveLength(3)
      for (const { discovery, usage, termination } of recorded.attempts) {
        expect(termination).toMatchObject({ cause: 'agent', reason: 'answered' })
        expect(discovery?.recall).toMatchObject({ opened: 1, parsed: 1 })
        expect(usage.fetchCalls).toBeGreaterThan(0)
      }
      const tools = recorded.traces.flat().map(event => (event as { tool?: string }).tool)
      expect(tools).toContain('http')
    },
  )
})

describe('--agent-proxy', () => {
  const run = async (options: Record<string, unknown>) =>
    executeRun(
      resolveConfig({ tasks: demoPaths.tasks, docs: demoPaths.documents, setting: 'online', ...options }),
      {
        env: {},
      },
    )

  it('is refused when no agent fetches pages by itself', async () => {
    await expect(run({ agentProxy: true, out: '/nowhere/run' })).rejects.toMatchObject({
      code: 'agent-option',
      message: expect.stringMatching(/--agent-proxy.*leave the option out/s),
    })
  })

  it('is needed by --agent-model-host, which takes host names alone', async () => {
    await expect(run({ agentModelHost: ['api.openai.com'], out: '/nowhere/run' })).rejects.toMatchObject({
      code: 'agent-option',
    })
    await expect(run({ agentModelHost: ['api.openai.com:443'], out: '/nowhere/run' })).rejects.toThrow(
      /without a port/,
    )
  })
})
