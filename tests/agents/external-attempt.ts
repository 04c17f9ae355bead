import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { behindGateway } from '../../agents/external/behind-gateway.ts'
import { type AgentCommand, commandAgent } from '../../agents/external/command-agent.ts'
import {
  findBubblewrapProblem,
  isolateAgent,
  openIsolation,
} from '../../agents/external/isolation/isolation.ts'
import type { SettingEnvironment, SettingOutcome } from '../../agents/setting.ts'
import { type Clock, systemClock } from '../../src/core/runtime.ts'
import { question, type ScriptedModel, says, scripted, type World, world } from './harness.ts'

/** A clock that runs this many times faster than the system's, so that grace periods pass in moments. */
const speed = 20
const startedAt = Date.now()
export const fastClock: Clock = {
  now: () => startedAt + (Date.now() - startedAt) * speed,
  sleep: (ms, signal) => systemClock.sleep(ms / speed, signal),
}

export const answerCsv = '```csv\nname,revenue\na.pdf,7\n```'

/** An attempt of a program. */
export interface ExternalAttempt extends SettingOutcome, Pick<World, 'events' | 'of'> {
  readonly model: ScriptedModel
}

/** What an attempt of a Node script needs besides the script. */
export interface ScriptedAttempt
  extends Partial<Pick<AgentCommand, 'answer' | 'cpuSeconds' | 'env' | 'memoryMb' | 'timeoutMs'>> {
  readonly environment?: Parameters<typeof world>[1]
  readonly model?: ScriptedModel
  /** `none` by default. */
  readonly isolate?: string
  /** Files that the agent must not see. */
  readonly privatePaths?: readonly string[]
  /** A new folder of the attempt by default. */
  readonly cwd?: string
  /** Receives the controller that cancels the attempt. */
  readonly started?: (cancel: AbortController) => void
}

/** Lists under which isolations agents are tested here, and why one is left out. */
export async function listIsolations(): Promise<
  { readonly isolate: string; readonly title: string; readonly isMissing: boolean }[]
> {
  const problem = await findBubblewrapProblem()
  const skipped = problem === null ? '' : ` (skipped: ${problem}; install the package bubblewrap)`
  return [
    { isolate: 'none', title: 'without isolation', isMissing: false },
    { isolate: 'bubblewrap', title: `under bubblewrap${skipped}`, isMissing: problem !== null },
  ]
}

/** What every script can use. */
const prelude = `
const { env } = process
const post = async (url, body) => {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
  return { status: response.status, text: await response.text() }
}
const rpc = async (method, params = {}) =>
  await post(env.TABLEHUNT_MCP_URL, { jsonrpc: '2.0', id: 1, method, params })
const callTool = async (name, args) => JSON.parse((await rpc('tools/call', { name, arguments: args })).text).result
const ask = async content =>
  await post(env.OPENAI_BASE_URL + '/chat/completions', { model: 'm', messages: [{ role: 'user', content }] })
const answer = ${JSON.stringify(answerCsv)}
`

/** Makes one attempt of an agent that is a Node script (an ES module). */
export async function attemptOf(script: string, given: ScriptedAttempt = {}): Promise<ExternalAttempt> {
  const { environment, model = scripted({ turns: [says('an answer')] }), started, ...rest } = given
  const { isolate = 'none', privatePaths = [], cwd = null, ...more } = rest
  const folder = await mkdtemp(join(tmpdir(), 'agent-script-'))
  const file = join(folder, 'agent.mjs')
  await writeFile(file, `${prelude}\n${script}`)
  const command = [process.execPath, file]
  const program = {
    name: 'script',
    command,
    cwd,
    reads: [],
    privatePaths,
    path: process.env.PATH ?? '',
  }
  const agent = behindGateway(
    commandAgent(
      {
        command,
        cwd,
        env: {},
        answer: { from: 'stdout' },
        timeoutMs: null,
        memoryMb: 4_096,
        cpuSeconds: 3_600,
        isolation: await isolateAgent(await openIsolation(isolate), program),
        tell: () => undefined,
        ...more,
      },
      fastClock,
    ),
  )
  const own = world(model, { clock: fastClock, ...environment })
  started?.(own.cancel)
  const outcome = await agent.run(question, own.environment as SettingEnvironment)
  return { ...outcome, events: own.events, of: own.of, model }
}
