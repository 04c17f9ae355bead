import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { harmlessEnvironment } from '../../src/system/harmless-environment.ts'
import { ChromiumRenderer } from '../../tools/page/browser.ts'

const keys = {
  OPENAI_API_KEY: 'planted-1',
  SERPER_API_KEY: 'planted-2',
  HTTPS_PROXY: 'http://u:planted-3@h',
  NODE_OPTIONS: '',
}

beforeEach(() => {
  for (const [name, value] of Object.entries(keys)) vi.stubEnv(name, value)
})
afterEach(() => void vi.unstubAllEnvs())

it('contains no keys of this process', () => {
  const seen = execFileSync(process.execPath, ['-p', 'JSON.stringify(process.env)'], {
    env: harmlessEnvironment(),
  })
  expect(seen.toString()).not.toContain('planted')
  expect(seen.toString()).toContain('"PATH"')
})

it('is the environment of the browser', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-env-'))
  const [path, seen] = [join(folder, 'browser'), join(folder, 'seen')]
  await writeFile(path, `#!/bin/sh\nenv > '${seen}'\nexit 1\n`)
  await chmod(path, 0o755)
  const renderer = new ChromiumRenderer({ path, foundBy: '--browser' }, { tell: () => undefined })
  const request = {
    url: 'http://127.0.0.1:1/',
    transport: () => Promise.reject(new Error('unused')),
    signal: new AbortController().signal,
    owner: {},
  } as unknown as Parameters<ChromiumRenderer['open']>[0]
  await expect(renderer.open(request)).rejects.toThrow()
  await renderer.close()
  const text = await readFile(seen, 'utf8')
  expect(text).toContain('PATH=')
  expect(text).not.toContain('planted')
})
