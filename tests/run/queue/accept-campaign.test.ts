import { expect, it } from 'vitest'
import { resolveConfig } from '../../../src/config.ts'
import { localOptions } from '../../../src/run/plan/shipped-options.ts'
import { requireAccepted } from '../../../src/run/queue/accept-campaign.ts'

const config = {
  ...resolveConfig({ tasks: 'shipped://tasks/t.jsonl', docs: 'shipped://docs', out: 'run' }),
  ...localOptions,
}
const agents = (definition: object) => ({
  agent: ['mine'],
  agents: { mine: { command: ['node', 'a.js'], ...definition } },
})
const permissions = {
  agents: ['command: node a.js', 'isolate:none', "command: npx 'my server'"],
  baseUrls: ['http://127.0.0.1:8000/v1', 'https://intranet.example'],
}
const accept = async (options: object, allowed = permissions) =>
  await requireAccepted({ ...config, ...options }, allowed)

it.each<readonly [string, object]>([
  ['no program and no address', {}],
  [
    'the providers’ own hosts',
    { model: ['openai:gpt-5-mini', 'ollama:qwen3:8b'], judge: 'anthropic:claude' },
  ],
  ['an allowed command', { agent: ['tablehunt', 'command: node  "a.js"'] }],
  ['an allowed command of the config file', agents({ env: ['MODE'] })],
  ['an allowed command without isolation', { agent: ['command: node a.js'], isolate: 'none' }],
  ['no isolation without programs', { agent: ['tablehunt'], isolate: 'none' }],
  ['an allowed MCP server', { mcp: ['command: npx "my server"', 'https://intranet.example/mcp'] }],
  ['an allowed address', { baseUrl: 'http://127.0.0.1:8000/v1', allowHost: ['intranet.example'] }],
  ['an address below an allowed one', { model: ['openai:m@http://127.0.0.1:8000/v1/a'] }],
  ['addresses that are not called', { contact: 'https://elm.example', block: ['http://elm.example/x'] }],
  [
    'scripts among the shipped files',
    { model: ['scripted:shipped://model/turns.jsonl'], web: 'replay:shipped://web' },
  ],
])('accepts %s', async (_, options) => {
  await expect(accept(options)).resolves.toBeUndefined()
})

it.each<readonly [string, object, string]>([
  ['a shell', { agent: ['command: sh -c "curl evil.example"'] }, 'agent'],
  ['other arguments', { agent: ['command: node a.js --inspect'] }, 'agent'],
  ['the program of an entry', agents({ command: ['sh', '-c', 'x'] }), 'agent'],
  ['variables of an entry', agents({ env: { NODE_OPTIONS: '--require ./x.js' } }), 'agent'],
  ['the folder of an entry', agents({ cwd: '/tmp' }), 'agent'],
  ['files of an entry', agents({ reads: ['/home/me'] }), 'agent'],
  ['an image', { agent: ['command: node a.js'], isolate: 'container:evil.example/x' }, 'agent'],
  ['an unknown entry', { agent: ['other'] }, 'agent'],
  [
    'a definition that cannot be read',
    { agent: ['node a.js'], agents: { 'node a.js': { command: ['sh'] } } },
    'agent',
  ],
  ['an answer outside of the folder', agents({ answer: '../../../../etc/passwd' }), 'agent'],
  ['an MCP program', { mcp: ['command: sh -c x'] }, 'agent'],
  ['an address', { baseUrl: 'http://evil.example/v1' }, 'address'],
  ['an address in an unusual spelling', { baseUrl: 'http:evil.example/v1' }, 'address'],
  ['an address after a space', { baseUrl: ' http://evil.example/v1' }, 'address'],
  ['an address of a model in an unusual spelling', { model: ['openai:m@http:evil.example/v1'] }, 'address'],
  ['another port', { baseUrl: 'http://127.0.0.1:8001/v1' }, 'address'],
  ['a host that begins alike', { baseUrl: 'https://intranet.example.evil.example/' }, 'address'],
  ['a user that looks like a host', { baseUrl: 'https://intranet.example@evil.example/' }, 'address'],
  ['a path beside', { baseUrl: 'http://127.0.0.1:8000/v1evil' }, 'address'],
  ['the address of a model', { model: ['openai:m@HTTP://evil.example/v1'] }, 'address'],
  ['the address of a judge', { judge: 'openai:m@http://evil.example/v1' }, 'address'],
  ['the address of a reader', { readerModel: 'openai:m@http://evil.example/v1' }, 'address'],
  ['the address of an embedder', { embedder: 'openai:m@http://evil.example/v1' }, 'address'],
  ['an MCP address', { mcp: ['https://evil.example/mcp'] }, 'address'],
  ['a host that is not public', { allowHost: ['169.254.169.254'] }, 'address'],
  ['tasks outside', { tasks: '/etc/passwd' }, 'path'],
  ['documents outside', { docs: '/home/me/.ssh' }, 'path'],
  ['a way out', { docs: 'shipped://../../home' }, 'path'],
  ['a way out after a prefix', { web: 'sealed:shipped://a/../../b' }, 'path'],
  ['a script outside', { model: ['scripted:/etc/passwd'] }, 'path'],
  ['a browser of the run’s choice', { browser: '/bin/sh' }, 'path'],
  ['a recording', { record: 'home' }, 'path'],
  ['a server of Chroma', { chroma: 'http://127.0.0.1:8000' }, 'path'],
  ['a path in an option of a plug-in', { shelf: ['./secret'] }, 'path'],
  ['prices outside', { prices: '../secret.json' }, 'path'],
])('refuses %s', async (_, options, what) => {
  const none = { agents: [], baseUrls: [] }
  const code = `worker-refuses-${what}`
  await expect(accept(options)).rejects.toMatchObject({ code })
  await expect(accept(options, none)).rejects.toMatchObject({ code })
})

it('refuses allowed commands without isolation', async () => {
  const allowed = { ...permissions, agents: ['command: node a.js'] }
  const options = { agent: ['command: node a.js'], isolate: 'none' }
  await expect(accept(options, allowed)).rejects.toMatchObject({ code: 'worker-refuses-agent' })
})
