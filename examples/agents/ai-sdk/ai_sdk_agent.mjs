// An agent of the AI SDK. With --stream it reads the answers of the model as they arrive.
import { readFileSync } from 'node:fs'
import { createMCPClient } from '@ai-sdk/mcp'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, stepCountIs, streamText } from 'ai'

const { env } = process
const { prompt } = JSON.parse(readFileSync(env.TABLEHUNT_TASK, 'utf8'))
const provider = createOpenAICompatible({
  name: 'tablehunt',
  baseURL: env.OPENAI_BASE_URL,
  apiKey: env.OPENAI_API_KEY,
  includeUsage: true,
})
const mcp = await createMCPClient({ transport: { type: 'http', url: env.TABLEHUNT_MCP_URL } })
try {
  const call = {
    model: provider(env.TABLEHUNT_MODEL),
    system: prompt.system,
    prompt: readFileSync(0, 'utf8'),
    tools: await mcp.tools(),
    // The default is a single step.
    stopWhen: stepCountIs(100),
  }
  const result = process.argv.includes('--stream') ? streamText(call) : await generateText(call)
  console.log(await result.text)
} finally {
  await mcp.close()
}
