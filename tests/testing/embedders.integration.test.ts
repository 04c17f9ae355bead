import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, vi } from 'vitest'
import { normalise } from '../../retrieval/embeddings/embedder.ts'
import { testEveryEntry } from './every-entry.ts'

/** Six dimensions by counts of letters. */
const vectorOf = (text: string) => [...'aeiouy'].map(letter => text.split(letter).length)

/** Stands in for the package, which users install. */
vi.mock('@huggingface/transformers', () => ({
  env: { allowRemoteModels: true, localModelPath: '' },
  pipeline: async () => async (texts: readonly string[]) => ({
    tolist: () => texts.map(text => [...normalise(Float32Array.from(vectorOf(text)))]),
  }),
}))

/** The servers of OpenAI and of Ollama. */
const server = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const { input } = JSON.parse(Buffer.concat(parts).toString()) as { input: string[] }
    const data = input.map((text, index) => ({ index, embedding: vectorOf(text) }))
    response.end(JSON.stringify({ data, embeddings: input.map(vectorOf) }))
  })
})
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
afterAll(() => server.close())
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

testEveryEntry('embedders', {
  hash: { embedder: 'hash' },
  openai: { embedder: `openai:bge-m3@${url}/v1` },
  ollama: { embedder: `ollama:bge-m3@${url}` },
  onnx: { embedder: 'onnx:Xenova/bge-m3' },
})
