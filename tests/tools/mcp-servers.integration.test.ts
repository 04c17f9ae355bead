import { fileURLToPath } from 'node:url'
import type { ToolMessage } from '@langchain/core/messages'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { connectMcpServers, type McpServers } from '../../tools/mcp/mcp-servers.ts'
import { testEnvironment } from './support/environment.ts'

const script = fileURLToPath(new URL('../fixtures/agents/mcp_server.js', import.meta.url))
const server = { name: 'records', command: [process.execPath, script] }
const options = { taken: ['fetch_page'], charge: 'fetch' as const }

describe('the tools of an MCP server', () => {
  let servers: McpServers
  beforeAll(async () => {
    vi.stubEnv('SERPER_API_KEY', 'secret')
    servers = await connectMcpServers([server], options)
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await servers.close()
  })

  const call = async (name: string, args: Record<string, unknown> = {}) => {
    const environment = testEnvironment()
    const tool = servers.tools.map(create => create(environment)).find(one => one.name === name)
    const message = (await tool?.invoke({ type: 'tool_call', id: 'c', name, args })) as ToolMessage
    return { text: String(message.content), artifact: message.artifact, charged: environment.charged }
  }

  it('are called with arguments read leniently, and charged as fetches', async () => {
    const { text, charged } = await call('greet', { name: 'Ada' })
    expect(text).toBe('Hello Ada')
    expect(charged).toEqual(['fetchCalls mcp: greet'])
  })

  it('are free of charge when they are not charged', async () => {
    const free = await connectMcpServers([server], { taken: [], charge: 'none' })
    const environment = testEnvironment()
    const greet = free.tools.map(create => create(environment)).find(({ name }) => name === 'greet')
    await greet?.invoke({ type: 'tool_call', id: 'c', name: 'greet', args: { name: 'Ada' } })
    await free.close()
    expect(environment.charged).toEqual([])
  })

  it('have the name of their server as a prefix when their own is in use', () => {
    expect(servers.facts.records).toMatchObject({
      tools: ['greet', 'keys', 'long', 'fail', 'leave', 'records_fetch_page'],
      reproducible: false,
    })
  })

  it('get no keys of ours', async () => {
    expect((await call('keys')).text).toBe('(an empty answer)')
  })

  it('are cut when their answers are long', async () => {
    const { text, artifact } = await call('long')
    expect(text).toMatch(/x\n\[5 more characters left out\]$/)
    expect(artifact).toEqual({ truncated: true, observations: [] })
  })

  it('report their failures and wrong arguments to the agent', async () => {
    await expect(call('fail')).rejects.toMatchObject({ errorClass: 'bad-input', message: 'no such record' })
    await expect(call('greet', { names: { a: 1 } })).rejects.toThrow(/schema/)
  })

  it('end the attempt when their server ends at every call, and are there again for the next call', async () => {
    await expect(call('leave')).rejects.toMatchObject({ name: 'ProviderError', reason: 'unavailable' })
    expect((await call('greet', { name: 'Ada' })).text).toBe('Hello Ada')
  })
})

describe('an MCP server that cannot be used', () => {
  it.each([
    [{ name: 'a', command: ['no-such-program'] }, /ENOENT/],
    [
      { name: 'a', command: [process.execPath, '-e', 'console.error("no database"); process.exit(1)'] },
      /It wrote: no database/,
    ],
    [{ name: 'a', url: 'http://127.0.0.1:1/mcp' }, /127\.0\.0\.1:1/],
  ])('is reported before the run starts: %j', async (broken, words) => {
    const connected = connectMcpServers([broken], options)
    await expect(connected).rejects.toMatchObject({ code: 'mcp-server-failed' })
    await expect(connected).rejects.toThrow(words)
  })

  it('is named without keys, also where the server repeats them', async () => {
    const program = 'console.error(process.argv.slice(1).join()); process.exit(1)'
    const command = [process.execPath, '-e', program, 'x', '--token', 'hidden-word', `\${NAMED}`]
    const env = { NAMED: 'other-word' }
    const error = await connectMcpServers([{ name: 'a', command }], { ...options, env }).catch(String)
    expect(error).toContain(`--token [redacted] \${NAMED}`)
    expect(error).toContain('It wrote: x,--token,[redacted],[redacted]')
    expect(error).not.toMatch(/hidden-word|other-word/)
  })

  it('is one whose address names a variable that is not set', async () => {
    const url = `http://127.0.0.1:1/mcp?key=\${NO_SUCH_KEY}`
    await expect(connectMcpServers([{ name: 'a', url }], options)).rejects.toMatchObject({
      code: 'mcp-server-failed',
      message: `--mcp ${url}: the variable NO_SUCH_KEY is not set. Set it.`,
    })
  })
})
