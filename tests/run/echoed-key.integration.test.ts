import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { executeRun } from '../../src/run.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'
import { send, startOpenAiServer } from '../models/openai-server.ts'

it('removes a key that the model server repeats in its error from every file of the run', async () => {
  const key = 'plain-words-as-a-key-0815'
  const server = await startOpenAiServer((_request, response) =>
    send(response, 401, {
      error: { message: `Incorrect API key provided: ${key}. Find yours at the console.` },
    }),
  )
  const out = join(await mkdtemp(join(tmpdir(), 'tablehunt-key-')), 'run')
  const config = resolveConfig({
    tasks: demoPaths.tasks,
    docs: demoPaths.documents,
    out,
    setting: 'offline,online',
    web: 'sealed',
    browser: 'off',
    limit: '1',
    model: `openai:fake@${server.url}`,
    contextWindow: '32k',
  })
  await executeRun(config, { env: { OPENAI_API_KEY: key } })
  await server.close()
  const files = (await readdir(out, { recursive: true, withFileTypes: true })).filter(entry => entry.isFile())
  const texts = await Promise.all(files.map(file => readFile(join(file.parentPath, file.name), 'utf8')))
  expect(texts.join()).toContain('Incorrect API key provided')
  for (const text of texts) expect(text).not.toContain(key)
})
