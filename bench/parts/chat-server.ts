import { createServer } from 'node:http'
import { listenOnLocalhost } from '../../src/system/listen.ts'

/** Serves chat completions of a fixed text on 127.0.0.1 and prints the port. The argument: events of a streamed answer. */
const events = Number(process.argv[2])
const usage = { prompt_tokens: 10_000, completion_tokens: 100, total_tokens: 10_100 }
const message = { role: 'assistant', content: 'word '.repeat(events) }
const head = { id: 'bench', created: 0, model: 'bench' }
const whole = JSON.stringify({ ...head, choices: [{ index: 0, message, finish_reason: 'stop' }], usage })
const chunk = (delta: object, finish: string | null): string =>
  `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const chunks = [
  ...Array.from({ length: events }, () => chunk({ content: 'word ' }, null)),
  chunk({}, 'stop'),
  `data: ${JSON.stringify({ ...head, choices: [], usage })}\n\n`,
  'data: [DONE]\n\n',
]

const server = createServer((request, response) => {
  let isStreamed = false
  request.on('data', (part: Buffer) => {
    isStreamed ||= part.includes('"stream":true')
  })
  request.on('end', () => {
    if (!isStreamed) return void response.writeHead(200, { 'content-type': 'application/json' }).end(whole)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const one of chunks) response.write(one)
    response.end()
  })
})
process.stdout.write(`${await listenOnLocalhost(server, 0)}\n`)
