import { describe, expect, it } from 'vitest'
import { completion, send } from '../models/openai-server.ts'
import { asks, attempt, fails, ok, opens, searchFor } from './server-attempt.ts'

const table = '```csv\nCompany,Revenue\nA,1\n```'

describe('a server that rejects an invalid call of its model', () => {
  it.each([
    [
      'Groq',
      fails(400, 'Failed to call a function.', {
        code: 'tool_use_failed',
        failed_generation: '<credit quota',
      }),
    ],
    ['llama.cpp', fails(500, 'Failed to parse tool call arguments as JSON: unexpected end', { code: 500 })],
    [
      'llama.cpp, by its template',
      fails(500, 'Failed to parse input at pos 18: <tool_call>{"context length'),
    ],
    ['Ollama', fails(500, 'error parsing tool call: raw=\'{"a": "context length\' err=unexpected end')],
  ])('does not stop the agent, which gets a note: %s', async (_who, refuses) => {
    const { termination, seen } = await attempt((request, response, index) =>
      index === 0 ? refuses(request, response, index) : ok(response, completion({ content: table })),
    )
    expect(termination).toMatchObject({ cause: 'agent', reason: 'answered' })
    expect(seen).toHaveLength(2)
    expect(JSON.stringify(seen[1]!.body.messages)).toContain('could not be read')
  })

  it('ends the attempt with cause agent when it keeps rejecting', async () => {
    const { termination, seen } = await attempt(fails(400, 'no', { code: 'tool_use_failed' }))
    expect(termination).toMatchObject({ cause: 'agent', reason: 'no-progress' })
    expect(seen).toHaveLength(5)
  })
})

it.each([
  'Function call is not supported for this model.',
  '`tool calling` is not supported with this model',
  'Function calling is not enabled for models/x',
])('gets tools as text when it answers: %s', async words => {
  const { termination, seen } = await attempt((request, response, index) =>
    request.body.tools === undefined
      ? ok(response, completion({ content: table }))
      : fails(400, words)(request, response, index),
  )
  expect(termination).toMatchObject({ cause: 'agent', reason: 'answered' })
  expect(seen).toHaveLength(2)
})

it('is asked again without tool_choice when it does not support it, and keeps its tools', async () => {
  const { termination, seen } = await attempt(
    (request, response, index) => {
      if (request.body.tool_choice === 'none')
        return send(response, 404, {
          error: { message: "No endpoints found that support the provided 'tool_choice' value." },
        })
      const last = JSON.stringify(request.body.messages).includes('no searches left')
      return ok(
        response,
        last && index > 4
          ? completion({ content: table })
          : asks('native', searchFor(`q${index}`), opens('http://x')),
      )
    },
    { caps: { modelCalls: 3 } },
  )
  expect(termination).toMatchObject({ cause: 'budget', reason: 'model-calls', forcedFinal: true })
  expect(seen.at(-1)!.body).not.toHaveProperty('tool_choice')
  expect(seen.at(-1)!.body).toHaveProperty('tools')
})
