import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import type { ReportManifest } from '../../src/report/model/report-input.ts'
import { executeRun } from '../../src/run.ts'
import { packageVersion } from '../../src/system/paths.ts'
import { demoPaths } from '../../tasks/demo/demo.ts'
import { compareRuns } from '../report/compare-runs.ts'

async function manifestOfRun(options: Record<string, unknown>, env: NodeJS.ProcessEnv) {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-manifest-'))
  const script = join(folder, 'script.jsonl')
  await writeFile(script, `${JSON.stringify({ turns: [{ text: '```csv\na\n1\n```' }] })}\n`)
  const out = join(folder, 'run')
  const given = { tasks: demoPaths.tasks, docs: demoPaths.documents, limit: 1, model: `scripted:${script}` }
  await executeRun(resolveConfig({ ...given, ...options, out }), { env: { ...process.env, ...env } })
  return JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8')) as Record<string, unknown>
}

it('records in the manifest the code version and the search service, without keys', async () => {
  const manifest = await manifestOfRun(
    { setting: 'online', web: 'live' },
    { SERPER_API_KEY: 'not-to-be-kept', SERPER_BASE_URL: 'http://me:hidden@127.0.0.1:9/v1' },
  )
  expect(manifest.codeVersion).toMatch(
    new RegExp(`^${packageVersion.replaceAll('.', '\\.')}(\\+[0-9a-f]{40})?$`),
  )
  expect(manifest.search).toEqual({ provider: 'serper', baseUrl: 'http://127.0.0.1:9/v1' })
  expect(JSON.stringify(manifest)).not.toContain('not-to-be-kept')
})

it('records in the manifest the sealed web, and no search service without the online setting', async () => {
  expect((await manifestOfRun({ setting: 'online', web: 'sealed' }, {})).search).toEqual({
    provider: 'sealed',
    baseUrl: null,
  })
  expect((await manifestOfRun({ setting: 'offline' }, {})).search).toBeNull()
})

it('resumes when the server of its embedder or judge has moved, but not when the model behind it differs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-moved-'))
  const script = join(folder, 'script.jsonl')
  await writeFile(script, `${JSON.stringify({ turns: [{ text: '```csv\na\n1\n```' }] })}\n`)
  const out = join(folder, 'run')
  const run = async (embedder: string) => {
    const given = { tasks: demoPaths.tasks, docs: demoPaths.documents, limit: 1, setting: 'offline' }
    return await executeRun(resolveConfig({ ...given, model: `scripted:${script}`, embedder, out }))
  }
  await run('openai:bge-m3@http://127.0.0.1:1/v1')
  expect((await run('openai:bge-m3@http://127.0.0.1:2/v1')).left).toBe(0)
  await expect(run('openai:other@http://127.0.0.1:2/v1')).rejects.toMatchObject({
    code: 'different-run',
    message: expect.stringMatching(/embedder was "openai:bge-m3", is "openai:other"/),
  })
})

it('names every version that worked on a run, also in a comparison', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-version-'))
  const script = join(folder, 'script.jsonl')
  await writeFile(script, `${JSON.stringify({ turns: [{ text: '```csv\na\n1\n```' }] })}\n`)
  const out = join(folder, 'run')
  const given = { tasks: demoPaths.tasks, docs: demoPaths.documents, limit: 1, setting: 'offline', out }
  const goOn = async () => {
    const { report } = await executeRun(resolveConfig({ ...given, model: `scripted:${script}` }))
    const manifest = JSON.parse(await readFile(join(out, 'manifest.json'), 'utf8')) as Record<string, unknown>
    return { manifest, notes: report.notes.filter(note => note.includes('versions')) }
  }
  const { manifest: first, notes } = await goOn()
  expect([first.laterVersions, notes]).toEqual([undefined, []])
  const { checksum: _, ...older }: Record<string, unknown> = { ...first, codeVersion: '0.0.9' }
  await writeFile(join(out, 'manifest.json'), JSON.stringify(older))
  // Nothing is left to make.
  expect((await goOn()).manifest.laterVersions).toBeUndefined()
  for (const name of ['attempts.jsonl', 'scores.jsonl']) await writeFile(join(out, name), '')
  const later = await goOn()
  expect(later.manifest).toMatchObject({ codeVersion: '0.0.9', laterVersions: [first.codeVersion] })
  expect(later.notes).toEqual([
    expect.stringMatching(/^several versions of tablehunt made this run \(0\.0\.9, /),
  ])
  const runs = [older, { ...older, runId: 'other', codeVersion: '0.0.8' }].map(manifest => ({
    manifest: manifest as unknown as ReportManifest,
    attempts: [],
    scores: [],
    scorers: {},
  }))
  expect(compareRuns(runs, { force: false }).notes).toEqual([
    expect.stringContaining('1 of 1'),
    expect.stringContaining('1 of 1'),
    expect.stringMatching(/^several versions of tablehunt made these runs \(0\.0\.8, 0\.0\.9\)/),
  ])
})
