import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { resolveRunOptions } from '../../src/run/records/resume.ts'
import { executeRun } from '../../src/run.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'

it('stores no secret of an option in the manifest; the same options resume the run, and --resume requires the secret', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-secrets-'))
  const script = join(folder, 'script.jsonl')
  await writeFile(script, `${JSON.stringify({ turns: [{ text: '```csv\na\n1\n```' }] })}\n`)
  const out = join(folder, 'run')
  const given = {
    tasks: demoPaths.tasks,
    docs: demoPaths.documents,
    setting: 'offline',
    limit: 1,
    model: `scripted:${script}`,
    baseUrl: 'http://127.0.0.1:9/v1?key=hidden-word-1',
    out,
  }
  const mcp = 'https://host.example/mcp?key=hidden-word-1'
  const command = ['run', '--base-url', given.baseUrl, '--mcp', mcp]
  expect((await executeRun(resolveConfig({ ...given, mcp: [mcp] }), { command })).left).toBe(0)
  const text = await readFile(join(out, 'manifest.json'), 'utf8')
  expect(text).toContain('http://127.0.0.1:9/v1?key=[redacted]')
  expect(text).not.toContain('hidden-word')
  expect((await executeRun(resolveConfig(given))).left).toBe(0)
  await expect(resolveRunOptions({ out, resume: true })).rejects.toMatchObject({
    code: 'secret-not-kept',
    message: expect.stringContaining('--base-url'),
  })
  expect(JSON.parse(text).config.mcp).toEqual(['https://host.example/mcp?key=[redacted]'])
  expect((await resolveRunOptions({ out, resume: true, baseUrl: given.baseUrl, mcp: [mcp] })).limit).toBe(1)
})
