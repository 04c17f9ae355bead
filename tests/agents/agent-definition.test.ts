import { describe, expect, it } from 'vitest'
import { agentDefinitionsSchema, nameAgents, splitCommand } from '../../agents/external/agent-definition.ts'
import { TailBuffer } from '../../agents/external/agent-process.ts'

describe('the command line of an agent', () => {
  it('is split at spaces, except within quotes and after a backslash', () => {
    expect(splitCommand(`command: python3 'my agent.py' --say "a \\"b\\" c" d\\ e`)).toEqual([
      ...['python3', 'my agent.py', '--say', 'a "b" c', 'd e'],
    ])
  })

  it('is refused when it is empty or a quote is not closed', () => {
    for (const given of ['command:', 'command:   ', `command: python3 'a`, 'command: "'])
      expect(() => splitCommand(given)).toThrow(expect.objectContaining({ code: 'agent-command' }))
  })

  it('names the agent by its script, else by its program', () => {
    const given = ['command: python3 -u agents/my_agent.py --fast', 'command: /opt/bin/seeker', 'mine']
    expect(nameAgents(given)).toEqual(['my_agent', 'seeker', 'mine'])
  })

  it('names scripts of one name by their folders, as far as needed', () => {
    const commands = (...paths: string[]) => nameAgents(paths.map(path => `command: python3 ${path}`))
    expect(commands('a/agent.py', './b/agent.py', 'c/other.py')).toEqual(['a-agent', 'b-agent', 'other'])
    expect(commands('../x/one/agent.py', '/y/one/agent.py')).toEqual(['x-one-agent', 'y-one-agent'])
    expect(commands('agent.py', 'my agents/agent.py'.replace(' ', '\\ '))).toEqual([
      'agent',
      'my-agents-agent',
    ])
    expect(nameAgents(['agent', 'command: node b/agent.js'])).toEqual(['agent', 'b-agent'])
    expect(commands('agent.py --fast', 'agent.py --slow')).toEqual(['agent', 'agent'])
  })
})

it('refuses keys in a config file, and takes their names', () => {
  const parse = (env: unknown) => agentDefinitionsSchema.safeParse({ mine: { command: ['a'], env } }).success
  expect([parse({ MY_API_KEY: 'x' }), parse({ MODE: 'fast' }), parse(['MY_API_KEY'])]).toEqual([
    false,
    true,
    true,
  ])
})

describe('a tail buffer', () => {
  it('keeps the last bytes of a long stream', () => {
    const buffer = new TailBuffer(10)
    for (let n = 0; n < 1_000; n++) buffer.push(Buffer.from(`${n % 10}`))
    expect(buffer.text()).toBe('0123456789')
  })

  it('leaves out a character that the cut has halved', () => {
    const buffer = new TailBuffer(4)
    buffer.push(Buffer.from('ääa'))
    expect(buffer.text()).toBe('äa')
  })
})

describe('an agent of the config file', () => {
  it('may use 4,096 MB of memory and an hour of processor time', () => {
    const { mine } = agentDefinitionsSchema.parse({ mine: { command: ['a'] } })
    expect([mine!.memoryMb, mine!.cpuSeconds, mine!.reads]).toEqual([4_096, 3_600, []])
  })

  it('with an unknown field is refused, and the message names the nearest field and all others', () => {
    const { error } = agentDefinitionsSchema.safeParse({ mine: { command: ['a'], evn: ['B'] } })
    expect(error?.issues[0]?.message).toBe(
      "unknown field 'evn': did you mean 'env'? (one of command, cwd, env, answer, timeout, memoryMb, cpuSeconds, reads, lastCallNote)",
    )
  })
})
