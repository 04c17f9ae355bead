import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageRoot } from '../../src/system/paths.ts'
import { type RunningCommand, startTablehunt, tablehunt } from './cli.ts'

const web = ['--web', 'sealed', '--docs', 'tasks/demo/documents', '--browser', 'off']

async function connect(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  return client
}

const textOf = (result: unknown): string =>
  (result as { content: readonly { text: string }[] }).content[0]!.text

async function useTools(client: Client): Promise<void> {
  const { tools } = await client.listTools()
  expect(tools.map(tool => tool.name)).toEqual(['web_search', 'fetch_page', 'read_pdf'])
  const { inputSchema } = tools[0]!
  expect(inputSchema.required).toEqual(['queries'])
  expect(inputSchema.properties?.page).toMatchObject({ type: 'integer', nullable: true })
  const found = await client.callTool({ name: 'web_search', arguments: { queries: ['annual report'] } })
  const [url] = /https?:\/\/\S+/.exec(textOf(found)) ?? []
  expect(found).toMatchObject({ isError: false, structuredContent: { text: textOf(found) } })
  const page = await client.callTool({ name: 'fetch_page', arguments: { url } })
  expect(page.isError).toBe(false)
  const failed = await client.callTool({ name: 'fetch_page', arguments: { url: 7 } })
  expect([failed.isError, textOf(failed)]).toEqual([true, expect.stringContaining('Error (bad-input)')])
  const unknown = await client.callTool({ name: 'shell', arguments: {} })
  expect([unknown.isError, textOf(unknown)]).toEqual([true, expect.stringContaining('web_search')])
}

describe('tablehunt tools serve over stdio', () => {
  it('serves the tools to the official client, and ends with it', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [join(packageRoot, 'bin', 'tablehunt.js'), 'tools', 'serve', ...web],
      cwd: packageRoot,
      stderr: 'ignore',
    })
    const client = await connect(transport)
    const { pid } = transport
    await useTools(client)
    await client.close()
    expect(() => process.kill(pid!, 0)).toThrow('ESRCH')
  })
})

describe('tablehunt tools serve over HTTP', () => {
  let command: RunningCommand
  let url: string
  beforeAll(async () => {
    command = startTablehunt(['tools', 'serve', '--http', '0', ...web])
    await command.saying('/mcp')
    url = /http:\S+/.exec(command.stdout())![0]
  })
  afterAll(async () => {
    command.signal('SIGTERM')
    await command.ended
  })

  const post = async (body: unknown, headers: Record<string, string> = {}) =>
    await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const ask = async (method: string, headers?: Record<string, string>) =>
    await post({ jsonrpc: '2.0', id: 1, method, params: {} }, headers)

  it('serves the tools to the official client', async () => {
    const client = await connect(new StreamableHTTPClientTransport(new URL(url)) as Transport)
    await useTools(client)
    await client.ping()
    await client.close()
  })

  it('has no sessions: GET and DELETE are refused with status 405', async () => {
    for (const method of ['GET', 'DELETE']) {
      const response = await fetch(url, { method })
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
    }
  })

  it('answers a client that does not name what it accepts', async () => {
    const response = await ask('tools/list', { accept: '*/*' })
    const { result } = (await response.json()) as { result: { tools: unknown[] } }
    expect(result.tools).toHaveLength(3)
  })

  it('answers methods that it does not have with an error, and a ping with an empty result', async () => {
    for (const method of ['prompts/list', 'resources/list']) {
      const answer = (await (await ask(method)).json()) as { error: { code: number } }
      expect(answer.error.code).toBe(-32_601)
    }
    expect(await (await ask('ping')).json()).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  })

  it('refuses server/discover of a later protocol with status 400, so that clients fall back to initialize', async () => {
    const response = await ask('server/discover', { 'mcp-protocol-version': '2026-07-28' })
    expect(response.status).toBe(400)
  })

  it('answers a batch in one list, and refuses a long one and what is not JSON', async () => {
    const one = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
    expect(await (await post([one(1), one(2)])).json()).toHaveLength(2)
    expect((await post(Array.from({ length: 51 }, (_, id) => one(id)))).status).toBe(400)
    expect((await post('{')).status).toBe(400)
  })

  it('refuses a page in a browser that reaches it by a name of its own', async () => {
    expect((await ask('ping', { origin: 'https://evil.example' })).status).toBe(403)
    expect((await ask('ping', { origin: 'http://localhost:6274' })).status).toBe(200)
  })

  it('names a port that is in use', async () => {
    const { code, stderr } = await tablehunt(['tools', 'serve', '--http', new URL(url).port, ...web])
    expect(code).toBe(2)
    expect(stderr).toContain('is in use')
  })
})
