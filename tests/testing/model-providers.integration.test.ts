import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { modelProviders } from '../../src/models/registry.ts'
import { declareTests } from '../../src/testing/contract.ts'
import { missingKeyCheck, modelProviderContract } from '../../src/testing/model-provider.ts'
import { completion, send, startOpenAiServer } from '../models/openai-server.ts'

const server = await startOpenAiServer((_request, response) =>
  send(response, 200, completion({ content: 'Hello' })),
)
const broken = await startOpenAiServer((_request, response) =>
  send(response, 401, { error: { message: 'bad key' } }),
)
afterAll(async () => {
  await Promise.all([server.close(), broken.close()])
})

const script = join(await mkdtemp(join(tmpdir(), 'tablehunt-models-')), 'script.jsonl')
const failingScript = script.replace('script.jsonl', 'failing.jsonl')
await writeFile(script, '{"turns": [{"text": "first"}, {"text": "second"}]}\n')
await writeFile(failingScript, '{"turns": [{"error": "auth"}]}\n')

const served = { model: `fake@${server.url}`, failingModel: `fake@${broken.url}` }
const samples: Readonly<Record<string, typeof served | { readonly model: string }>> = {
  extractive: { model: '' },
  scripted: { model: script, failingModel: failingScript },
}

/** Those whose package users install: Tablehunt itself needs that of OpenAI alone. */
const packaged = modelProviders
  .entries()
  .filter(([, entry]) => entry.package !== null && entry.package !== '@langchain/openai')

for (const name of modelProviders.names()) {
  if (packaged.some(([other]) => other === name)) continue
  const checks = modelProviderContract(name, samples[name] ?? served)
  declareTests(`model provider ${name}`, checks, { describe, it })
}

describe.each(packaged)(
  'model provider %s, whose package is not installed',
  (name, { keyVariable, package: needed }) => {
    if (keyVariable !== null) {
      const check = missingKeyCheck(name, keyVariable)
      it(check.name, check.run)
    }
    it('names the package to install', async () => {
      const env = keyVariable === null ? {} : { [keyVariable]: 'k' }
      const options = { toolProtocol: 'auto', seed: 1, env, contextWindow: 8_000 } as const
      const created = modelProviders.get(name).create({ provider: name, name: 'm', url: null }, options)
      await expect(created).rejects.toThrow(needed!)
    })
  },
)
