import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { executeRun } from '../../src/run.ts'

const completion = {
  id: 'c',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      message: { role: 'assistant', content: '```csv\nfile,revenue\na,1\n```' },
    },
  ],
  usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 },
}

const atATime = 8
const refusedOfThem = 5

/**
 * A model server that lets the first requests come, as many as are made at a time, and then refuses some of them for a
 * while: whoever asks in that time had been told. No clock says who is early but the server's own.
 */
async function modelServer(retryAfterMs: number) {
  const seen = { requests: 0, tooEarly: 0 }
  const first: ServerResponse[] = []
  let closedUntil = 0
  const refuse = (response: ServerResponse): void => {
    const body = '{"error":{"message":"slow down"}}'
    response.writeHead(429, { 'retry-after-ms': String(retryAfterMs) }).end(body)
  }
  const answer = (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion))
  }
  const server = createServer((_request, response) => {
    seen.requests += 1
    if (seen.requests <= atATime) first.push(response)
    if (seen.requests === atATime) {
      closedUntil = performance.now() + retryAfterMs
      for (const [index, one] of first.entries()) (index < refusedOfThem ? refuse : answer)(one)
    }
    if (seen.requests <= atATime) return
    if (performance.now() < closedUntil) {
      seen.tooEarly += 1
      refuse(response)
    } else answer(response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    seen,
    url: `http://127.0.0.1:${port}/v1`,
    close: () => new Promise(resolve => server.close(resolve)),
  }
}

it('makes all attempts of a run wait as long as the service asked one of them to', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-limits-'))
  const docs = join(folder, 'docs')
  await mkdir(docs)
  await writeFile(join(docs, 'a.md'), 'Revenue was 1.')
  const record = (task: number) =>
    JSON.stringify({
      record_id: `bench_1_${task}_en`,
      domain: 'financial',
      query: 'List the revenue.',
      input_doc: ['a.md'],
      answers: [{ file: 'a', revenue: '1' }],
      key_cols: ['file'],
      target_value_columns: ['revenue'],
      numeric_columns: ['revenue'],
    })
  const tasks = join(folder, 'tasks.jsonl')
  await writeFile(tasks, Array.from({ length: 30 }, (_, task) => `${record(task)}\n`).join(''))
  const server = await modelServer(2_000)
  try {
    const { report } = await executeRun(
      resolveConfig({
        tasks,
        docs,
        out: join(folder, 'run'),
        cache: join(folder, 'cache'),
        setting: 'offline',
        model: 'openai:m',
        baseUrl: server.url,
        contextWindow: 8_000,
        concurrency: atATime,
      }),
      { env: {} },
    )
    expect(report.terminations).toMatchObject([{ cause: 'agent', reason: 'answered', n: 30 }])
    expect(server.seen.tooEarly).toBe(0)
    // Each refused once, none again.
    expect(server.seen.requests).toBe(30 + refusedOfThem)
  } finally {
    await server.close()
  }
})
