import { describe, expect, it } from 'vitest'
import { isModelHost, isNamedHost } from '../../../agents/gateway/proxy/model-hosts.ts'

describe('the hosts of model providers', () => {
  it.each([
    'api.openai.com',
    'API.OpenAI.com.',
    'eu.api.openai.com',
    'my-deployment.openai.azure.com',
    'bedrock-runtime.us-east-1.amazonaws.com',
    'us-central1-aiplatform.googleapis.com',
    'generativelanguage.googleapis.com',
    'openrouter.ai',
  ])('include %s', host => expect(isModelHost(host)).toBe(true))

  it.each([
    'openai.com',
    'docs.anthropic.com',
    'huggingface.co',
    'en.wikipedia.org',
    'api.openai.com.evil.example',
    'notapi.openai.com.example',
    'xapi.openai.com',
    's3.us-east-1.amazonaws.com',
    '127.0.0.1',
    '',
  ])('do not include %s', host => expect(isModelHost(host)).toBe(false))

  it('that the operator names are compared without case and final dot', () => {
    expect(isNamedHost(['Api.OpenAI.com'], 'api.openai.com.')).toBe(true)
    expect(isNamedHost(['api.openai.com'], 'eu.api.openai.com')).toBe(false)
  })
})
