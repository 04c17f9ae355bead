// An agent of the OpenAI Agents SDK. It asks the model by the Responses API, or by chat completions with --chat.
import { readFileSync } from 'node:fs'
import { Agent, MCPServerStreamableHttp, run, setOpenAIAPI, setTracingDisabled } from '@openai/agents'

const { env } = process
// Otherwise traces are sent to api.openai.com.
setTracingDisabled(true)
if (process.argv.includes('--chat')) setOpenAIAPI('chat_completions')
const { prompt } = JSON.parse(readFileSync(env.TABLEHUNT_TASK, 'utf8'))
const server = new MCPServerStreamableHttp({
  name: 'tablehunt',
  url: env.TABLEHUNT_MCP_URL,
  cacheToolsList: true,
})
await server.connect()
try {
  const agent = new Agent({
    name: 'researcher',
    instructions: prompt.system,
    model: env.TABLEHUNT_MODEL,
    mcpServers: [server],
  })
  // The default of maxTurns is 10.
  const result = await run(agent, readFileSync(0, 'utf8'), { maxTurns: 100 })
  console.log(result.finalOutput)
} finally {
  await server.close()
}
