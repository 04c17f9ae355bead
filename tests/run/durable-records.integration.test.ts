import { readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { createBlobStore } from '../../logs/blobs.ts'
import { openTrace } from '../../logs/writer.ts'
import type { Attempt } from '../../src/core/attempt.ts'
import { systemClock } from '../../src/core/runtime.ts'
import { RunFolder } from '../../src/run/records/run-folder.ts'
import { makeAttempt } from '../report/records.ts'
import { newManifest } from './new-manifest.ts'

/** The content of each file at its last sync, and the lines of records as they were written, in order. */
const disk = vi.hoisted(() => ({
  paths: new Map<number, string>(),
  synced: new Map<string, string>(),
  syncedFolders: new Set<string>(),
  /** Called with each line that is appended to a file of records. */
  onLine: (_line: string): void => undefined,
}))

vi.mock('node:fs', async importOriginal => {
  const fs = await importOriginal<typeof import('node:fs')>()
  type Done = (error: Error | null, file?: number) => void
  return {
    ...fs,
    open(path: string, flags: number | string, done: Done) {
      fs.open(path, flags, (error, file) => {
        if (error === null) disk.paths.set(file, path)
        done(error, file)
      })
    },
    fdatasync(file: number, done: Done) {
      const path = disk.paths.get(file)!
      disk.synced.set(path, fs.readFileSync(path, 'utf8'))
      fs.fdatasync(file, done)
    },
    fsync(file: number, done: Done) {
      disk.syncedFolders.add(disk.paths.get(file)!)
      fs.fsync(file, done)
    },
    appendFileSync(file: number, bytes: Buffer) {
      disk.onLine(bytes.toString('utf8'))
      fs.appendFileSync(file, bytes)
    },
  }
})

beforeEach(() => {
  disk.synced.clear()
  disk.syncedFolders.clear()
})

const attempt = (attemptId: string): Attempt => ({
  ...makeAttempt({ task: 't', setting: 'offline', end: { cause: 'agent', reason: 'answered' } }),
  attemptId,
})

async function openRun() {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-durable-'))
  const blobs = createBlobStore({ folder })
  return { folder, blobs, run: await RunFolder.open(folder, { blobs }) }
}

it('writes the line of an attempt only when its trace, texts and answer are on the disk', async () => {
  const { folder, blobs, run } = await openRun()
  const lines: string[] = []
  disk.onLine = line => {
    const { attemptId } = JSON.parse(line) as Attempt
    lines.push(attemptId)
    const tracePath = join(folder, 'traces', `${attemptId}.jsonl`)
    for (const path of [tracePath, join(folder, 'answers', `${attemptId}.txt`)])
      expect([basename(path), disk.synced.get(path)]).toEqual([basename(path), readFileSync(path, 'utf8')])
    const [hash] = /[0-9a-f]{64}/.exec(disk.synced.get(tracePath)!)!
    expect(disk.synced.get(join(folder, 'traces', 'blobs', hash))).toContain(attemptId)
    for (const name of ['traces/blobs', 'traces', 'answers'])
      expect(disk.syncedFolders).toContain(join(folder, name))
  }
  const record = async (attemptId: string): Promise<void> => {
    const trace = await openTrace({ folder, attemptId, clock: systemClock, blobs, secrets: [] })
    const text = { blob: blobs.put(`${attemptId} ${'long '.repeat(1_000)}`) }
    trace.emit(1, { type: 'checkpoint', tokens: 1, answer: text } as never)
    await trace.close()
    await run.append(attempt(attemptId), [], { answerText: `answer of ${attemptId}` })
  }
  await Promise.all(['a', 'b', 'c', 'd', 'e'].map(record))
  expect(lines.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e'])
  await run.close()
})

it('returns when the line of the attempt is on the disk', async () => {
  const { folder, run } = await openRun()
  disk.onLine = () => undefined
  await run.append(attempt('a'), [], { answerText: 'text' })
  expect(await readFile(join(folder, 'attempts.jsonl'), 'utf8')).toContain('"attemptId":"a"')
  await run.close()
})

it('syncs the manifest before it replaces the old one', async () => {
  const { folder, run } = await openRun()
  await run.writeManifest(newManifest())
  const [path, content] = [...disk.synced].find(([path]) => path.includes('manifest.json'))!
  expect(path).toMatch(/\.part$/)
  expect(content).toBe(await readFile(join(folder, 'manifest.json'), 'utf8'))
  expect(disk.syncedFolders).toContain(folder)
  await run.close()
})

it('rejects every attempt whose line could not be written', async () => {
  const { folder, run } = await openRun()
  disk.onLine = () => {
    throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  }
  const results = await Promise.allSettled(
    ['a', 'b', 'c'].map(id => run.append(attempt(id), [], { answerText: 'text' })),
  )
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  await run.close()
  await rm(folder, { recursive: true })
})
