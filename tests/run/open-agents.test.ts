import { describe, expect, it } from 'vitest'
import { agents } from '../../agents/agent-registry.ts'
import { behindGateway } from '../../agents/external/behind-gateway.ts'
import { resolveConfig } from '../../src/config.ts'
import { optionsText } from '../../src/core/arm.ts'
import type { Task } from '../../src/core/task.ts'
import { openAgents } from '../../src/run/open-run/open-agents.ts'
import { listArms } from '../../src/run/plan/arms.ts'

const env = { PATH: process.env.PATH }
const open = async (given: Record<string, unknown>, tasks: readonly Task[] = []) =>
  await openAgents(resolveConfig({ tasks: '-', out: '-', setting: ['online'], ...given }), tasks, env)

describe('the agents of a run', () => {
  it('are refused when their name is unknown, or taken', async () => {
    const other = { agents: { tablehunt: { command: ['node'] } } }
    await expect(open({ agent: ['tablehunter'] })).rejects.toMatchObject({ code: 'unknown-agent' })
    await expect(open({ agent: ['command: node a.js -x', 'command: node a.js -y'] })).rejects.toMatchObject({
      code: 'agent-name-taken',
      message: expect.stringContaining('{"agents":{"a-2":{"command":["node","a.js","-y"]}}}'),
    })
    await expect(open({ ...other, agent: ['tablehunt'] })).rejects.toMatchObject({ code: 'agent-name-taken' })
    await expect(open({ agent: ['command: node a.js', 'command: node a.js'] })).rejects.toMatchObject({
      code: 'agent-name-taken',
      message: expect.stringContaining(
        'it is given twice. Leave one out, or repeat its attempts with --trials 2.',
      ),
    })
  })

  it('are named by their folders when their scripts have one name', async () => {
    const agent = ['command: node a/agent.js', 'command: node b/agent.js']
    const { facts, nameOf } = await open({ agent })
    expect(Object.keys(facts)).toEqual(['a-agent', 'b-agent'])
    expect(agent.map(nameOf)).toEqual(['a-agent', 'b-agent'])
  })

  it('are refused when their program or folder is missing, and the message says what to do', async () => {
    await expect(open({ agent: ['command: no-such-program x'] })).rejects.toMatchObject({
      code: 'agent-program-not-found',
      message: expect.stringContaining("the program 'no-such-program' is not on this machine. Install it"),
    })
    const agentsOf = { mine: { command: ['node'], cwd: 'no/such/folder' } }
    await expect(open({ agents: agentsOf, agent: ['mine'] })).rejects.toMatchObject({
      code: 'agent-program-not-found',
    })
  })

  it('are refused with what only our own agent can do, also when a plug-in adds them', async () => {
    const remove = agents.add('test', {
      other: behindGateway({ summary: 'other', run: () => Promise.reject() }),
    })
    try {
      const conversation = { question: { taskId: 't', turns: [] } } as unknown as Task
      for (const agent of ['other', 'command: node agent.js']) {
        const code = { code: 'agent-option' }
        await expect(open({ agent: [agent], checkpointTokens: [1_000] })).rejects.toMatchObject(code)
        await expect(open({ agent: [agent], controls: ['oracle-inject'] })).rejects.toMatchObject(code)
        await expect(open({ agent: [agent] }, [conversation])).rejects.toMatchObject(code)
      }
      await expect(open({ agent: ['tablehunt'], checkpointTokens: [1_000] })).resolves.toBeDefined()
    } finally {
      remove()
    }
  })

  it('are identified by their command without folders, their files and the names of their variables', async () => {
    const definition = { command: ['node', 'package.json'], env: { MODE: 'fast' } }
    const { facts } = await open({ agents: { mine: definition }, agent: ['mine'] })
    expect(facts.mine).toMatchObject({ command: ['node', 'package.json'], env: ['MODE'] })
    expect(facts.mine!.files).toEqual({ 'package.json': expect.stringMatching(/^[0-9a-f]{64}$/) })
    expect(JSON.stringify(facts)).not.toContain('fast')
  })

  it('each have the controls of the online setting', () => {
    const config = resolveConfig({
      ...{ tasks: '-', out: '-', setting: ['online'], controls: ['found-only'] },
      agent: ['tablehunt', 'command: node agent.js'],
    })
    const arms = listArms(config, 'online').map(({ options, base }) => [
      optionsText(options),
      base && optionsText(base),
    ])
    expect(arms).toEqual([
      ['', undefined],
      ['agent=agent', undefined],
      ['control=found-only', ''],
      ['agent=agent,control=found-only', 'agent=agent'],
    ])
  })
})
