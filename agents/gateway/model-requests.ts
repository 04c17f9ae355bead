import type { AIMessage } from '@langchain/core/messages'
import { BudgetRefusedError, ProviderError } from '../../src/core/errors.ts'
import type { ModelServer } from '../../src/core/model.ts'
import { isObject } from '../../src/text/json.ts'
import { type AgentRequest, BadRequestError, type Dialect, type JsonObject } from './dialects/dialect.ts'
import { offeredAsTools } from './dialects/offered-tools.ts'
import { dialects } from './dialects/registry.ts'
import { type GatewayRequest, type GatewayRoute, sendJson } from './route.ts'
import type { GatewaySession, PaidModelCall } from './session.ts'

/** The endpoints of models in all request forms. */
export const modelRoute: GatewayRoute = {
  variables: base => ({
    OPENAI_BASE_URL: `${base}/v1`,
    OPENAI_API_KEY: 'tablehunt',
    ANTHROPIC_BASE_URL: base,
    ANTHROPIC_API_KEY: 'tablehunt',
    GOOGLE_GEMINI_BASE_URL: base,
    GEMINI_API_KEY: 'tablehunt',
  }),
  matches: (method, path) => method === 'POST' && dialects.some(dialect => dialect.path.test(path)),
  async answer(request, session) {
    const dialect = dialects.find(one => one.path.test(request.path))!
    await answerModelRequest(dialect, request, session)
  },
}

/**
 * Answers one model request of an agent. A server that speaks the agent's dialect gets the request as the agent wrote it;
 * every other model is asked by the gateway, and its answer is written in that dialect.
 *
 * Errors have status 400, because the clients of agents repeat other statuses, some of them for minutes.
 */
async function answerModelRequest(
  dialect: Dialect,
  request: GatewayRequest,
  session: GatewaySession,
): Promise<void> {
  const { response } = request
  const refuse = (message: string, code: string): void =>
    sendJson(response, 400, dialect.error(400, message, code))
  try {
    const body = parseBody(await request.body())
    const asked = dialect.read(body, request.path)
    const paid = await session.payModelCall(asked)
    try {
      const { server } = session.run.environment.model
      if (server?.dialects.includes(dialect.name) === true)
        await passOn({ dialect, body, asked, paid, server }, request, session)
      else await callModel({ dialect, asked, paid }, request, session)
    } catch (error) {
      paid.failed(error)
      throw error
    }
  } catch (error) {
    if (error instanceof BadRequestError) return refuse(error.message, 'invalid_request')
    if (error instanceof BudgetRefusedError)
      return refuse(`The budget of this attempt is used up (${error.kind}). Answer now.`, 'budget_exceeded')
    if (error instanceof ProviderError) {
      session.run.failing = error
      return refuse(error.message, error.reason)
    }
    if (!response.headersSent) refuse('The attempt is over.', 'attempt_over')
    throw error
  }
}

interface ModelCall {
  readonly dialect: Dialect
  readonly asked: AgentRequest
  readonly paid: PaidModelCall
}

async function callModel(
  { dialect, asked, paid }: ModelCall,
  { response }: GatewayRequest,
  { run, ended }: GatewaySession,
): Promise<void> {
  const answer = await run.environment.model.call(asked.messages, {
    tools: offeredAsTools(asked.tools),
    maxOutputTokens: paid.maxOutputTokens,
    signal: ended,
    ...(asked.forbidsTools ? { toolChoice: 'none' as const } : {}),
  })
  paid.answered(answer)
  run.failing = null
  if (!asked.isStreamed) return sendJson(response, 200, dialect.write(answer))
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  for (const event of dialect.stream(answer)) response.write(event)
  response.end()
}

async function passOn(
  {
    dialect,
    asked,
    paid,
    body,
    server,
  }: ModelCall & { readonly body: JsonObject; readonly server: ModelServer },
  { response }: GatewayRequest,
  session: GatewaySession,
): Promise<void> {
  const { model, seed } = server
  const upstream = await server.send({
    dialect: dialect.name,
    body: dialect.forward(body, { model, seed, maxOutputTokens: paid.maxOutputTokens }),
    isStreamed: asked.isStreamed,
    signal: session.ended,
  })
  const reader = dialect.openReader(asked.isStreamed)
  response.writeHead(upstream.status, {
    'content-type': upstream.headers.get('content-type') ?? 'application/json',
  })
  for await (const chunk of upstream.body ?? []) {
    reader.push(chunk as Uint8Array)
    response.write(chunk)
  }
  response.end()
  const answer: AIMessage | null = reader.finish()
  if (answer === null)
    throw new ProviderError('bad-response', 'the answer of the model server cannot be read', {
      retryable: false,
    })
  paid.answered(answer)
}

function parseBody(text: string): JsonObject {
  try {
    const body: unknown = JSON.parse(text)
    if (isObject(body)) return body
  } catch {}
  throw new BadRequestError('the body is not a JSON object')
}
