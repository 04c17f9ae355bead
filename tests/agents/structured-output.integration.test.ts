import { describe, expect, it } from 'vitest'
import { toStrictSchema } from '../../src/models/strict-schema.ts'
import { completion, type Play } from '../models/openai-server.ts'
import { document, question } from './harness.ts'
import { attempt, fails, ok } from './server-attempt.ts'

const schema = {
  type: 'object',
  properties: { bank: { type: 'string' }, agent: { type: 'string' } },
  required: ['bank'],
}
const asked = { ...question, form: { kind: 'json' as const, schema } }
const setup = {
  asked,
  documents: async () => [document('a.pdf', 'Loan of Harbor Bank')],
  hasAnswer: () => true,
}
const on = { ...setup, settingOptions: { structuredOutput: 'on' } }

describe.each(['offline', 'closed-book'])('structured output in the setting %s', name => {
  const answers =
    (content: string): Play =>
    (_request, response) =>
      ok(response, completion({ content }))

  it('sends the strict schema and asks for no chain of thought', async () => {
    const { seen, answerText, termination } = await attempt(answers('{"bank": "Harbor", "agent": null}'), {
      ...on,
      name,
    })
    expect(seen[0]!.body.response_format).toEqual({
      type: 'json_schema',
      json_schema: { name: 'answer', strict: true, schema: toStrictSchema(schema) },
    })
    expect(JSON.stringify(seen[0]!.body.messages)).not.toMatch(/five short lines/)
    expect(termination.reason).toBe('answered')
    expect(JSON.parse(answerText!)).toEqual({ bank: 'Harbor' })
  })

  it('is absent from requests of other arms', async () => {
    const { seen } = await attempt(answers('{"bank": "Harbor"}'), { ...setup, name })
    expect(seen[0]!.body).not.toHaveProperty('response_format')
    expect(JSON.stringify(seen[0]!.body.messages)).toMatch(/five short lines/)
  })

  it('keeps an answer that is cut, as the answer of an attempt that reached the output limit', async () => {
    const body = completion({ content: '{"bank": "Har' })
    const cut = { ...body, choices: [{ ...body.choices[0], finish_reason: 'length' }] }
    const { answerText, termination } = await attempt((_request, response) => ok(response, cut), {
      ...on,
      name,
    })
    expect(answerText).toBe('{"bank": "Har')
    expect(termination).toMatchObject({ cause: 'budget', reason: 'output-limit' })
  })

  it('that the server refuses ends the attempt with the words of the server', async () => {
    const refusal = fails(400, "Invalid schema for response_format 'answer': 'uniqueItems' is not permitted.")
    const { termination } = await attempt(refusal, { ...on, name })
    expect(termination).toMatchObject({ cause: 'provider', reason: 'bad-response' })
    expect(termination.detail).toContain('uniqueItems')
  })
})
