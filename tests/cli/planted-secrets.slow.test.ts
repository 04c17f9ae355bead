import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { demoPaths } from '../../tasks/demo/demo.ts'
import { completion, send, startOpenAiServer } from '../models/openai-server.ts'
import { spawnTablehunt } from './cli.ts'

/** Twelve secrets by the place from which the program or a program that it starts reads each. None has the shape of a key. */
const secrets = {
  keyOfProvider: 'quiet.elm.provider',
  keyOfPlugin: 'quiet.elm.plugin',
  keyOfSearch: 'quiet.elm.search',
  keyByName: 'quiet.elm.byname',
  passwordInAddress: 'quiet.elm.address',
  keyInQuery: 'quiet.elm.query',
  headerOfCollector: 'quiet.elm.header',
  valueOfAgent: 'quiet.elm.agent',
  variableOfAgent: 'quiet.elm.variable',
  argumentOfAgent: 'quiet.elm.argument',
  variableOfMcp: 'quiet.elm.mcp<&>',
  userWithoutPassword: 'quiet.elm.user',
}
const env = {
  OPENAI_API_KEY: secrets.keyOfProvider,
  HOUSE_ENTRY: secrets.keyOfPlugin,
  SERPER_API_KEY: secrets.keyOfSearch,
  DB_PASSWORD: secrets.keyByName,
  DATABASE_URL: `postgres://me:${secrets.passwordInAddress}@db.example/beds`,
  SEARXNG_BASE_URL: `http://search.example/?api_key=${secrets.keyInQuery}`,
  OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer ${secrets.headerOfCollector}`,
  AGENT_ENTRY: secrets.variableOfAgent,
  MCP_ENTRY: secrets.variableOfMcp,
  TAVILY_BASE_URL: `https://${secrets.userWithoutPassword}@search.example`,
}

const values = Object.values(secrets)
const spell: readonly ((secret: string) => string)[] = [
  secret => secret,
  secret => encodeURIComponent(secret),
  secret => Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  secret => Buffer.from(secret).toString('hex'),
  secret => JSON.stringify(JSON.stringify(secret)),
]
/** Everything that somebody hostile would echo. */
const echo = values.flatMap(value => spell.map(write => write(value))).join(' ')
const table = `\`\`\`csv\nFilename,Echo\nelm.txt,"${values.join(' ')}"\n\`\`\``

let folder = ''
let server: Awaited<ReturnType<typeof startOpenAiServer>>
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tablehunt-planted-'))
  server = await startOpenAiServer((_, response) =>
    send(response, 200, completion({ content: `${echo}\n${table}` })),
  )
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true })
})

async function textsIn(path: string): Promise<[string, string][]> {
  const files = await readdir(path, { recursive: true, withFileTypes: true })
  return await Promise.all(
    files
      .filter(file => file.isFile())
      .map(async file => {
        const bytes = await readFile(join(file.parentPath, file.name))
        return [file.name, (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString('latin1')]
      }),
  )
}

/** Returns which secrets a text contains, in any spelling. */
const found = (text: string): string[] =>
  values.filter(value => spell.some(write => text.includes(write(value))))

it('writes none of twelve secrets, read in twelve ways, into a run, an export or its output', async () => {
  const agent = join(folder, 'agent.mjs')
  const plugin = join(folder, 'house.ts')
  const crashing = join(folder, 'crashing.ts')
  await writeFile(
    agent,
    `console.error(${JSON.stringify(echo)}); console.log(${JSON.stringify(echo + table)}); process.exit(3)`,
  )
  await writeFile(
    plugin,
    `import { definePlugin, openAiProvider } from 'tablehunt'
     const house = openAiProvider({ summary: 'h', keyVariable: 'HOUSE_ENTRY', defaultUrl: '${server.url}' })
     export default definePlugin({ models: { house } })`,
  )
  // A process that has opened nothing knows what its environment says.
  const { keyOfPlugin, valueOfAgent, variableOfAgent, argumentOfAgent, variableOfMcp, ...ofEnvironment } =
    secrets
  const echoOfEnvironment = Object.values(ofEnvironment).join(' ')
  await writeFile(
    crashing,
    `setTimeout(() => { throw new Error('${echoOfEnvironment}') }, 0)
     process.stdout.write('${echoOfEnvironment}')
     await new Promise(resolve => setTimeout(resolve, 5000))
     export default {}`,
  )
  await writeFile(
    join(folder, 'tablehunt.config.json'),
    JSON.stringify({
      agents: {
        mine: {
          command: ['node', agent, '--api-key', secrets.argumentOfAgent],
          env: { TONE: secrets.valueOfAgent },
        },
        listed: { command: ['node', agent], env: ['AGENT_ENTRY'] },
      },
    }),
  )
  const run = join(folder, 'run')
  const mcpServer = resolve('tests/fixtures/agents/mcp_server.js')
  const outputs: string[] = []
  const call = async (...args: string[]) => {
    const { code, stdout, stderr } = await spawnTablehunt(args, {
      cwd: folder,
      env: { ...process.env, ...env } as never,
    }).ended
    outputs.push(stdout, stderr)
    return { code, text: `${stdout}${stderr}` }
  }
  const made = await call(
    ...['run', '--tasks', demoPaths.tasks, '--docs', demoPaths.documents, '--limit', '1', '--web', 'sealed'],
    ...['--setting', 'offline,online', '--model', 'house:m', '--model', `openai:m@${server.url}`],
    ...['--context-window', '64k', '--plugin', plugin, '--browser', 'off', '--isolate', 'none'],
    ...['--agent', 'tablehunt', '--agent', 'mine', '--agent', 'listed'],
    ...['--mcp', `command: node ${mcpServer} \${MCP_ENTRY}`, '--out', run, '--cache', join(folder, 'cache')],
  )
  expect(made.code, made.text).toBe(0)
  const [attempt = ''] = (await readdir(join(run, 'traces'))).filter(name => name.endsWith('.jsonl'))
  await call('report', run, '--full')
  await call('report', run, '--json', '--html', join(folder, 'copy', 'report.html'))
  await call('logs', 'show', run, attempt.replace('.jsonl', ''))
  await call('logs', 'termination', run)
  await call('info', 'config')
  for (const format of ['csv', 'jsonl', 'parquet'])
    expect((await call('export', run, '--to', join(folder, format), '--format', format)).code).toBe(0)
  const crash = await call(
    'run',
    '--plugin',
    crashing,
    '--tasks',
    demoPaths.tasks,
    '--out',
    join(folder, 'crashed'),
  )
  expect([crash.code, crash.text]).toEqual([1, expect.stringContaining('[redacted]')])
  const refused = await call(
    'run',
    '--queue',
    `redis://:${secrets.keyByName}@127.0.0.1:1`,
    '--tasks',
    demoPaths.tasks,
    '--out',
    run,
  )
  expect(refused.code).toBe(2)

  const answers = await textsIn(join(run, 'answers'))
  expect(answers.length).toBeGreaterThan(6)
  for (const [, text] of answers) expect(text).toContain('[redacted]')
  const written = (
    await Promise.all(
      ['run', 'csv', 'jsonl', 'parquet', 'copy', 'cache'].map(name => textsIn(join(folder, name))),
    )
  ).flat()
  expect(written.length).toBeGreaterThan(30)
  expect(written.flatMap(([name, text]) => found(text).map(value => `${name}: ${value}`))).toEqual([])
  expect(outputs.flatMap(found)).toEqual([])
})
