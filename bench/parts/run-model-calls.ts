import { spawn } from 'node:child_process'
import { openAttemptRun } from '../../agents/attempt-run.ts'
import { createCallEvents } from '../../agents/call-events.ts'
import { openGateway } from '../../agents/gateway/gateway.ts'
import { modelRoute } from '../../agents/gateway/model-requests.ts'
import { openSession } from '../../agents/gateway/session.ts'
import type { SettingEnvironment } from '../../agents/setting.ts'
import type { Toolbox } from '../../agents/toolbox.ts'
import { systemClock } from '../../src/core/runtime.ts'
import { createModel } from '../../src/models/registry.ts'
import { sha256 } from '../../src/system/hash.ts'
import { builtModule } from '../../src/system/paths.ts'
import { moduleInput } from './process.ts'

export interface ModelCallsInput {
  readonly calls: number
  /** The conversation of each request. Its last message is new. */
  readonly messages: number
  readonly charsPerMessage: number
  /** Events of a streamed answer. */
  readonly streamedEvents: number
}

/** Processor time of this process per call, in milliseconds. */
export interface CallCost {
  /** The client alone. */
  readonly directMs: number
  /** The client and the gateway. */
  readonly gatewayMs: number
}

export interface ModelCallsCost {
  readonly plain: CallCost
  readonly streamed: CallCost
}

const rounds = 5
let lastCall = 0
const { calls, messages, charsPerMessage, streamedEvents } = moduleInput<ModelCallsInput>()
const text = 'The report names revenue and profit. '.repeat(charsPerMessage / 37)

/** Makes the calls in this process, to a server in another one, and prints their cost as a line of JSON. */
const server = spawn(process.execPath, [builtModule('bench/parts/chat-server.js'), String(streamedEvents)], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
try {
  const port = await new Promise<string>(resolve => server.stdout.once('data', data => resolve(String(data))))
  const direct = `http://127.0.0.1:${port.trim()}/v1`
  const gateway = await openBenchGateway(direct)
  const through = gateway.variables.OPENAI_BASE_URL!
  const cost: ModelCallsCost = {
    plain: await compare(direct, through, false),
    streamed: await compare(direct, through, true),
  }
  await gateway.close()
  process.stdout.write(`${JSON.stringify(cost)}\n`)
} finally {
  server.kill()
}

async function openBenchGateway(baseUrl: string) {
  const options = { contextWindow: 1_000_000, toolProtocol: 'auto' as const, seed: 0, env: {} }
  const source = await createModel(`openai:bench@${baseUrl}`, options)
  const environment = {
    model: source.forAttempt({ taskId: 'bench', setting: 'online', trial: 0, seed: 0 }),
    caps: { tokens: 10 ** 12 },
    clock: systemClock,
    signal: new AbortController().signal,
    maxOutputTokens: null,
    // As a trace is written.
    emit: (_step, event) => void JSON.stringify(event),
    keepText: sha256,
  } as Partial<SettingEnvironment> as SettingEnvironment
  const events = createCallEvents()
  const run = openAttemptRun(environment)
  const toolbox = { tools: [] } as Partial<Toolbox> as Toolbox
  const notes = { answerNow: 'Answer now.', shortened: () => '' }
  return await openGateway(openSession(run, toolbox, events, notes), [modelRoute])
}

/**
 * Both ways take turns, so that neither has the warmer process. The first round does not count. The least of the others
 * is taken, because other programs on the machine can only add to the processor time of a call.
 */
async function compare(direct: string, through: string, isStreamed: boolean): Promise<CallCost> {
  const costs: Record<'direct' | 'through', number[]> = { direct: [], through: [] }
  for (let round = 0; round <= rounds; round++) {
    const directMs = await cpuPerCall(direct, isStreamed)
    const throughMs = await cpuPerCall(through, isStreamed)
    if (round === 0) continue
    costs.direct.push(directMs)
    costs.through.push(throughMs)
  }
  return { directMs: Math.min(...costs.direct), gatewayMs: Math.min(...costs.through) }
}

async function cpuPerCall(baseUrl: string, isStreamed: boolean): Promise<number> {
  const before = process.cpuUsage()
  for (let call = 0; call < calls; call++) await callModel(baseUrl, isStreamed)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000 / calls
}

async function callModel(baseUrl: string, isStreamed: boolean): Promise<void> {
  const conversation = Array.from({ length: messages }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content: index < messages - 1 ? `${index} ${text}` : `call ${++lastCall} ${text}`,
  }))
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'any', messages: conversation, stream: isStreamed }),
  })
  if (!response.ok) throw new Error(`HTTP ${response.status}: ${await response.text()}`)
  for await (const _chunk of response.body!) {
    // Only read.
  }
}
