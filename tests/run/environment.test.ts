import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { resolveConfig } from '../../src/config.ts'
import { namedDocuments, type Task } from '../../src/core/task.ts'
import { findEnvironment } from '../../src/run/open-run/environment.ts'
import { listOtherPrograms } from '../../src/run/open-run/programs.ts'
import type { RunManifest } from '../../src/run/records/manifest.ts'
import { resumeManifest } from '../../src/run/records/new-manifest.ts'

const reader = { text: 'text-1', ocr: 'tesseract-5.3.0-eng' }

function taskWith(hint: string): Task {
  const form = { kind: 'table' } as const
  const question = {
    taskId: 't',
    benchmark: 'aoe',
    domain: 'd',
    language: 'en',
    query: '',
    documentNames: [],
    form,
  }
  const gold = { kind: 'table', keyColumns: [], targetColumns: [], numericColumns: [], rows: [] } as const
  return { question, gold, ...namedDocuments([hint]) }
}

async function environment(options: Record<string, unknown>, hint = 'a.txt', env: NodeJS.ProcessEnv = {}) {
  const config = resolveConfig({ tasks: '-', out: '-', ...options })
  return await findEnvironment({ config, tasks: [taskWith(hint)], reader, hasBrowser: true, env })
}

describe('the environment that results depend on', () => {
  it('includes the reader of scanned pages only when PDFs may be read', async () => {
    const offline = { setting: 'offline', docs: 'documents' }
    expect(await environment(offline)).toEqual({ documentText: 'text-1' })
    expect(await environment(offline, 'a.PDF')).toEqual({ documentText: 'text-1', ocr: reader.ocr })
    expect(await environment({ setting: 'online' })).toMatchObject({ ocr: reader.ocr, browser: 'chromium' })
  })

  it('includes the reranking endpoint when a retriever of the run uses it', async () => {
    const env = { TABLEHUNT_RERANK_URL: 'http://127.0.0.1:1/v1/rerank', TABLEHUNT_RERANK_MODEL: 'bge' }
    const rerank = { setting: 'rag', retriever: 'rerank' }
    expect(await environment(rerank, 'a.txt', env)).toMatchObject({ reranker: 'rerank:bge' })
    expect(await environment(rerank)).toMatchObject({ reranker: null })
    expect(await environment({ setting: 'rag' }, 'a.txt', env)).not.toHaveProperty('reranker')
  })

  it('includes scripts, embedders and recordings by name and content, without their folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tablehunt-environment-'))
    await mkdir(join(folder, 'bge/onnx'), { recursive: true })
    await mkdir(join(folder, 'web'))
    await writeFile(join(folder, 'turns.jsonl'), '{}')
    await writeFile(join(folder, 'bge/onnx/model.onnx'), 'weights')
    await writeFile(join(folder, 'web/index.jsonl'), '')
    const options = {
      ...{ setting: 'rag,online', model: `scripted:${folder}/turns.jsonl`, web: `replay:${folder}/web` },
      embedder: `onnx:${folder}/bge`,
    }
    const before = (await environment(options)).files
    expect(Object.keys(before ?? {}).sort()).toEqual(['onnx:bge', 'replay:web', 'scripted:turns.jsonl'])
    await writeFile(join(folder, 'bge/onnx/model.onnx'), 'other weights')
    await writeFile(join(folder, 'web/index.jsonl'), '{}')
    const after = (await environment(options)).files
    expect(after?.['onnx:bge']).not.toBe(before?.['onnx:bge'])
    expect(after?.['replay:web']).not.toBe(before?.['replay:web'])
    expect(after?.['scripted:turns.jsonl']).toBe(before?.['scripted:turns.jsonl'])
    // It grows while the run goes on.
    expect((await environment({ ...options, replay: 'auto' })).files).not.toHaveProperty('replay:web')
  })
})

describe('programs that may change results', () => {
  const begun = { tablehunt: '0.1.0', node: 'v20.1.0', tesseract: null, browser: 'Chromium 130' }
  const { tablehunt: codeVersion, ...programs } = begun
  const manifest = { codeVersion, programs, tablehunt: '0.1.0' } as unknown as RunManifest

  it('are listed once in the manifest when a resumed run uses other versions', () => {
    expect(resumeManifest(manifest, begun)).toEqual(manifest)
    const other = { ...begun, browser: 'Chromium 131' }
    const resumed = resumeManifest(manifest, other)
    expect(resumed.laterPrograms).toEqual([{ ...programs, browser: 'Chromium 131' }])
    expect(resumeManifest(resumed, other)).toEqual(resumed)
  })

  it('are named with both versions', () => {
    expect(listOtherPrograms({ ...programs, browser: null }, programs, 'it began with')).toEqual([
      'browser: none, it began with Chromium 130',
    ])
  })
})
