import { randomUUID } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ToolMessage } from '@langchain/core/messages'
import { afterEach, describe, expect, it } from 'vitest'
import { connectMcpServers, type McpServerAddress, type McpServers } from '../../tools/mcp/mcp-servers.ts'
import { testEnvironment } from './support/environment.ts'

const script = fileURLToPath(new URL('../fixtures/agents/odd_mcp_server.js', import.meta.url))
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const text = { type: 'object', properties: { q: { type: 'string' } }, required: ['q'] }
const tool = (name: string, more = {}) => ({ name, inputSchema: text, ...more })

async function connect(address: McpServerAddress): Promise<McpServers> {
  const servers = await connectMcpServers([address], { taken: [], charge: 'none' })
  closing.push(() => servers.close())
  return servers
}

const program = (play: object): McpServerAddress => ({
  name: 'odd',
  command: [process.execPath, script, JSON.stringify({ pages: [[tool('look')]], ...play })],
})

async function call(servers: McpServers, name = 'look', args: object = { q: 'x' }): Promise<string> {
  const used = servers.tools.map(create => create(testEnvironment())).find(one => one.name === name)
  const message = (await used?.invoke({ type: 'tool_call', id: 'c', name, args })) as ToolMessage
  return String(message.content)
}

const callOnce = async (play: object, args?: object) => await call(await connect(program(play)), 'look', args)

describe('the list of tools of an MCP server', () => {
  it.each([
    [[[tool('a')], [tool('b')], [tool('c')]], false, ['a', 'b', 'c']],
    [[[tool('a')], []], false, ['a']],
    [[[], [tool('b')]], false, ['b']],
    [[[tool('a')]], true, ['a']],
    [[[tool('a')], [tool('b')]], true, ['a', 'b']],
  ])('has all of its pages, also when its cursors repeat: %#', async (pages, loops, names) => {
    expect((await connect(program({ pages, loops }))).facts.odd?.tools).toEqual(names)
  })

  it.each([
    { outputSchema: { type: 'object', properties: { beds: { $ref: '#/definitions/None' } } } },
    { outputSchema: { type: 'array' } },
    { outputSchema: 'none' },
    { inputSchema: undefined },
    { inputSchema: { properties: { q: true } } },
    { inputSchema: { type: 'object', required: 'q' } },
    { description: null },
  ])('has tools with an odd schema: %j', async more => {
    expect(await callOnce({ pages: [[tool('look', more)]] })).toBe('{"q":"x"}')
  })

  it.each([
    { type: 'string', pattern: '^https\\:\\/\\/' },
    { type: 'string', pattern: '^(?P<name>[a-z]+)$' },
    { $ref: '#/definitions/None' },
    { type: 'string', pattern: '(' },
  ])('passes arguments on unchecked when our validator cannot use the schema: %j', async q => {
    const inputSchema = { type: 'object', properties: { q }, required: ['q'] }
    expect(await callOnce({ pages: [[tool('look', { inputSchema })]] })).toBe('{"q":"x"}')
  })
})

describe('the result of a tool of an MCP server', () => {
  const link = {
    type: 'resource_link',
    uri: 'https://a.example/b.pdf',
    name: 'b.pdf',
    mimeType: 'application/pdf',
  }
  const csv = Buffer.from('Hotel,Beds\nElm,9').toString('base64')
  it.each([
    [{ content: [], structuredContent: { beds: 12 } }, '{"beds":12}'],
    [{ structuredContent: { beds: [1, 2] } }, '{"beds":[1,2]}'],
    [
      { content: [{ type: 'text', text: '{ "beds": 12 }' }], structuredContent: { beds: 12 } },
      '{ "beds": 12 }',
    ],
    [{ content: [{ type: 'text', text: 'Twelve' }], structuredContent: { beds: 12 } }, 'Twelve\n{"beds":12}'],
    [{ content: [link] }, 'b.pdf: https://a.example/b.pdf (application/pdf)'],
    [
      { content: [{ ...link, description: '12 beds' }] },
      'b.pdf: 12 beds: https://a.example/b.pdf (application/pdf)',
    ],
    [
      {
        content: [{ type: 'resource', resource: { uri: 'file:///b.csv', mimeType: 'text/csv', blob: csv } }],
      },
      '[resource file:///b.csv (text/csv)]\nHotel,Beds\nElm,9',
    ],
    [
      { content: [{ type: 'resource', resource: { uri: 'file:///b.md', text: 'Elm' } }] },
      '[resource file:///b.md]\nElm',
    ],
    [
      {
        content: [{ type: 'resource', resource: { uri: 'file:///b', mimeType: 'image/png', blob: 'aGk=' } }],
      },
      '[resource file:///b (image/png), 2 bytes left out]',
    ],
    [{ content: [{ type: 'image', data: 'aGk=', mimeType: 'image/png' }] }, '[image (image/png) left out]'],
    [{ content: null }, '(an empty answer)'],
    [{ content: 'Elm has 9' }, 'Elm has 9'],
    [{ content: ['Elm', 'Ash'] }, 'Elm\nAsh'],
    [{ content: { type: 'text', text: 'Elm' } }, 'Elm'],
    [{ content: [{ text: 'Elm' }] }, 'Elm'],
    [{ toolResult: { beds: 9 } }, '{"toolResult":{"beds":9}}'],
    [{ content: [], rows: [9] }, '{"rows":[9]}'],
    [{ content: [7, { type: 'text', text: 'a' }] }, '[content left out]\na'],
  ])('is shown with all of its parts: %j', async (result, shown) => {
    expect(await callOnce({ result })).toBe(shown)
  })

  it('needs no structured content, whatever its output schema says', async () => {
    const outputSchema = { type: 'object', properties: { beds: { type: 'number' } }, required: ['beds'] }
    const pages = [[tool('look', { outputSchema })]]
    for (const result of [
      { content: [{ type: 'text', text: '12' }] },
      { content: [{ type: 'text', text: '12' }], structuredContent: { beds: 'twelve' } },
    ])
      expect(await callOnce({ pages, result })).toMatch(/^12/)
  })

  it.each(['q must be a hotel', 'Invalid arguments', 'session not found in the timetable'])(
    "is the model's mistake when the server refuses the arguments: %s",
    async message => {
      await expect(callOnce({ error: { code: -32_602, message } })).rejects.toMatchObject({
        name: 'ToolError',
        errorClass: 'bad-input',
        infrastructure: false,
        message: expect.stringContaining(message),
      })
    },
  )

  it.each([
    [-32_602, 'Unknown tool: look', { name: 'ProviderError', reason: 'unavailable' }],
    [-32_601, 'Method not found', { name: 'ProviderError', reason: 'unavailable' }],
    [-32_602, 'Tool look not found', { name: 'ProviderError', reason: 'unavailable' }],
    [-32_603, 'database is locked', { name: 'ToolError', errorClass: 'network', infrastructure: true }],
  ])('ends the attempt when the server no longer has the tool: %i %s', async (code, message, failure) => {
    await expect(callOnce({ error: { code, message } })).rejects.toMatchObject(failure)
  })
})

/** An HTTP server that forgets its sessions before the calls that `loses` names, counted from 1. */
async function forgetful(loses: (calls: number) => boolean, lost: { status: number; body: object }) {
  const sessions = new Set<string>()
  let calls = 0
  const server = createServer((request, response) => {
    let body = ''
    request
      .on('data', part => (body += part))
      .on('end', () => {
        if (request.method !== 'POST') return response.writeHead(405).end()
        const { id, method, params } = JSON.parse(body)
        const send = (status: number, answer: object, headers = {}) =>
          response
            .writeHead(status, { 'content-type': 'application/json', ...headers })
            .end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
        if (method === 'initialize') {
          const session = randomUUID()
          sessions.add(session)
          const { protocolVersion } = params
          const serverInfo = { name: 'odd', version: '1' }
          return send(
            200,
            { result: { protocolVersion, capabilities: { tools: {} }, serverInfo } },
            { 'mcp-session-id': session },
          )
        }
        if (method === 'tools/call' && loses(++calls)) sessions.clear()
        if (!sessions.has(String(request.headers['mcp-session-id']))) return send(lost.status, lost.body)
        if (id === undefined) return response.writeHead(202).end()
        if (method === 'tools/list') return send(200, { result: { tools: [tool('look')] } })
        return send(200, { result: { content: [{ type: 'text', text: `call ${calls}` }] } })
      })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => {
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { servers: await connect({ name: 'odd', url: `http://127.0.0.1:${port}/mcp` }), server }
}

const notFound = { status: 404, body: { error: { code: -32_001, message: 'Session not found' } } }

describe('a lost MCP server', () => {
  it.each([
    notFound,
    { status: 400, body: { error: { code: -32_000, message: 'Bad Request: No valid session ID provided' } } },
    { status: 200, body: { error: { code: -32_001, message: 'Session expired' } } },
  ])('is connected to again once a call: %j', async lost => {
    const { servers } = await forgetful(calls => calls === 2 || calls === 5, lost)
    for (const shown of ['call 1', 'call 3', 'call 4', 'call 6']) expect(await call(servers)).toBe(shown)
  })

  it('is connected to once for calls at the same time', async () => {
    const { servers } = await forgetful(calls => calls === 1, notFound)
    const answers = await Promise.all([call(servers), call(servers), call(servers)])
    expect(answers.every(answer => answer.startsWith('call '))).toBe(true)
  })

  it('ends the attempt when it forgets every session', async () => {
    const { servers } = await forgetful(() => true, notFound)
    await expect(call(servers)).rejects.toMatchObject({ name: 'ProviderError', reason: 'unavailable' })
  })

  it('ends the attempt, and names the service, when it is gone', async () => {
    const { servers, server } = await forgetful(() => false, notFound)
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
    await expect(call(servers)).rejects.toMatchObject({
      name: 'ProviderError',
      fatalService: 'MCP server odd',
    })
  })

  it('is started again when its program ends', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mcp-'))
    const servers = await connect(program({ leaveAt: join(folder, 'left') }))
    expect(await call(servers)).toBe('{"q":"x"}')
    expect(await call(servers, 'look', { q: 'y' })).toBe('{"q":"y"}')
  })
})
