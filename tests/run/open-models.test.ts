import { expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { builtInPrices } from '../../src/models/known-models.ts'
import { openModels, openReaderModel } from '../../src/run/open-run/open-models.ts'

const open = (options: Record<string, unknown>) =>
  openModels(resolveConfig({ tasks: '-', out: '-', contextWindow: 8_000, ...options }), builtInPrices(), {})

it.each([
  ['structured-output-not-supported', { model: 'extractive', structuredOutput: 'on' }, '--structured-output'],
  ['pdf-not-supported', { model: 'extractive', documentInput: 'text,pdf' }, '--document-input text'],
  ['pdf-not-supported', { model: 'deepseek:m@http://127.0.0.1:9', documentInput: 'pdf' }, 'deepseek:m'],
])('refuses with %s what the requests to a model cannot contain', async (code, options, words) => {
  await expect(open(options)).rejects.toMatchObject({ code, message: expect.stringContaining(words) })
})

it('opens models whose requests can contain a schema, PDF files and additional fields', async () => {
  const models = await open({
    model: 'openai:m@http://127.0.0.1:9',
    structuredOutput: 'on',
    documentInput: 'pdf',
    requestField: ['min_p=0.1'],
  })
  expect(models.get('openai:m')!.describe()).toMatchObject({
    requestFields: { min_p: 0.1 },
    keptReasoning: 'question',
  })
})

it('refuses a reader model without goal reading, and names the option to add', async () => {
  const config = resolveConfig({ tasks: '-', out: '-', readerModel: 'extractive' })
  await expect(openReaderModel(config, builtInPrices(), {})).rejects.toMatchObject({
    code: 'reader-without-goal-reading',
    message: expect.stringMatching(/^--reader-model extractive: .* Add --goal-reading\.$/),
  })
})
