import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { readTrace } from '../../logs/reader.ts'
import { resolveConfig } from '../../src/config.ts'
import { optionsText } from '../../src/core/arm.ts'
import { readRun } from '../../src/run/records/read-records.ts'
import { executeRun } from '../../src/run.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'

const server = fileURLToPath(new URL('../fixtures/agents/mcp_server.js', import.meta.url))
const answer = '```csv\nDocument,Revenue (CNY)\na.pdf,1\n```'
const called = [
  { name: 'calculate', args: { expressions: ['2 + 2'] } },
  { name: 'greet', args: { names: ['Ada'] } },
]

/** An agent that starts no library: it lists the tools over MCP, calls two, and prints the answer. */
const mcpAgent = `
const call = async (method, params) => (await fetch(process.env.TABLEHUNT_MCP_URL, {
  method: 'POST',
  headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
})).text()
await call('initialize', { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'a', version: '1' } })
for (const { name, args } of ${JSON.stringify(called)}) await call('tools/call', { name, arguments: args })
console.log(${JSON.stringify(answer)})
`

let out: string
let attempts: Awaited<ReturnType<typeof readRun>>['attempts']

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-tools-'))
  const turns = [{ toolCalls: called }, { text: answer }]
  await writeFile(join(folder, 'model.jsonl'), `${JSON.stringify({ turns })}\n`)
  await writeFile(join(folder, 'agent.mjs'), mcpAgent)
  out = join(folder, 'run')
  await executeRun(
    resolveConfig({
      ...{ tasks: demoPaths.tasks, docs: demoPaths.documents, filter: 'demo-profit_1', web: 'sealed', out },
      ...{ setting: 'online', browser: 'off', model: `scripted:${join(folder, 'model.jsonl')}` },
      agent: ['tablehunt', `command: ${process.execPath} ${join(folder, 'agent.mjs')}`],
      tools: 'web_search,calculate',
      mcp: [`command: ${process.execPath} ${server} --token hidden-word`],
    }),
  )
  attempts = (await readRun(out)).attempts
})

describe.each(['tablehunt', 'agent'])('--tools and --mcp with the agent %s', agent => {
  it('give it these tools, name the options, and charge the MCP tool alone as a fetch', async () => {
    const attempt = attempts.find(({ options }) => 'agent' in options === (agent === 'agent'))!
    expect(optionsText(attempt.options)).toMatch(/tools=web_search\+calculate,mcp=mcp_server$/)
    expect(attempt.usage).toMatchObject({ searchCalls: 0, fetchCalls: 1, toolErrors: 0 })
    const { events } = await readTrace(out, attempt.attemptId)
    const answers = events.filter(event => event.type === 'tool-answered')
    expect(answers.map(({ tool }) => tool)).toEqual(['calculate', 'greet'])
    expect(JSON.stringify(answers)).toContain('Hello Ada')
  })
})

it('the manifest contains the servers, their tools and no keys', async () => {
  const text = await readFile(join(out, 'manifest.json'), 'utf8')
  expect(JSON.parse(text).identity.mcp.mcp_server).toMatchObject({
    tools: expect.arrayContaining(['greet', 'fetch_page']),
    reproducible: false,
  })
  expect(text).not.toContain('hidden-word')
})
