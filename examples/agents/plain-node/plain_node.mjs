// An agent in plain Node: chat completions, searches by Serper's API and pages by Jina Reader's, without a package.
import { readFileSync } from 'node:fs'

const { env } = process
const mostSteps = 100

async function post(url, headers, body) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  // A model request that the budget does not cover has status 400 and the code budget_exceeded.
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
  return await response.json()
}

async function search(query) {
  const key = { 'x-api-key': env.SERPER_API_KEY }
  const { organic } = await post(`${env.SERPER_BASE_URL}/search`, key, { q: query })
  return organic
    .map(({ title, link, snippet }, at) => `${at + 1}. ${title}\n   URL: ${link}\n   ${snippet}`)
    .join('\n')
}

async function readPage(url) {
  const response = await fetch(`${env.JINA_BASE_URL}/${url}`, {
    headers: { authorization: `Bearer ${env.JINA_API_KEY}` },
  })
  return await response.text()
}

const text = { type: 'string' }
const describe = (name, description, argument) => ({
  type: 'function',
  function: {
    name,
    description,
    parameters: { type: 'object', properties: { [argument]: text }, required: [argument] },
  },
})
const tools = [
  describe('search', 'Searches the web.', 'query'),
  describe('read_page', 'Reads a page or a PDF file as Markdown.', 'url'),
]

async function callTool({ id, function: { name, arguments: given } }) {
  let content
  try {
    const { query, url } = JSON.parse(given)
    content = name === 'search' ? await search(query) : await readPage(url)
  } catch (error) {
    content = `The call failed: ${error.message}`
  }
  return { role: 'tool', tool_call_id: id, content }
}

async function answer() {
  const { prompt } = JSON.parse(readFileSync(env.TABLEHUNT_TASK, 'utf8'))
  const user = { role: 'user', content: readFileSync(0, 'utf8') }
  const messages = [{ role: 'system', content: prompt.system }, user]
  for (let step = 0; step < mostSteps; step++) {
    const body = { model: env.TABLEHUNT_MODEL, messages, tools }
    const key = { authorization: `Bearer ${env.OPENAI_API_KEY}` }
    const { choices } = await post(`${env.OPENAI_BASE_URL}/chat/completions`, key, body)
    const [{ message }] = choices
    messages.push(message)
    if (!message.tool_calls?.length) return message.content
    messages.push(...(await Promise.all(message.tool_calls.map(callTool))))
  }
  throw new Error(`no answer after ${mostSteps} steps`)
}

console.log(await answer())
