import { deepEqual, equal, ok, rejects } from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DataError } from '../core/errors.ts'
import { importLogs } from '../run/import/import-logs.ts'
import { readRun } from '../run/records/read-records.ts'
import type { Check } from './contract.ts'

/**
 * Logs that a format is tested with.
 *
 * @example
 * import type { LogFormatSample } from 'tablehunt/testing'
 *
 * const logs: LogFormatSample = { files: ['tests/answered.jsonl', 'tests/crashed.jsonl'] }
 */
export interface LogFormatSample {
  /** Paths of logs of that format. */
  readonly files: readonly string[]
}

/** Returns the checks that every log format must pass. */
export function logFormatContract(name: string, { files }: LogFormatSample): readonly Check[] {
  const inFolder = (use: (folder: string) => Promise<void>) => async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tablehunt-log-'))
    try {
      await use(folder)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  return [
    {
      name: 'reads its logs into a run that can be read again',
      run: inFolder(async folder => {
        for (const [at, file] of files.entries()) {
          const run = join(folder, `run-${at}`)
          const summary = await importLogs(name, [file], run)
          const { attempts } = await readRun(run)
          ok(attempts.length > 0, `${file}: no attempt was read`)
          equal(attempts.length, summary.attempts)
          for (const { problem } of summary.skipped)
            ok(problem.trim() !== '', `${file}: a problem without words`)
        }
      }),
    },
    {
      name: 'reads the same attempts every time',
      run: inFolder(async folder => {
        const importRun = async (run: string) => {
          await importLogs(name, files, join(folder, run))
          const { attempts } = await readRun(join(folder, run))
          return attempts.map(({ attemptId, termination, usage }) => ({ attemptId, termination, usage }))
        }
        deepEqual(await importRun('first'), await importRun('second'))
      }),
    },
    {
      name: 'explains in one line why a file is not a log',
      run: inFolder(async folder => {
        const file = join(folder, 'hello.txt')
        await writeFile(file, 'hello\nworld\n')
        await rejects(importLogs(name, [file], join(folder, 'run')), (error: unknown) => {
          ok(error instanceof DataError, String(error))
          ok(error.message.includes('hello.txt') && !error.message.includes('\n'), error.message)
          return true
        })
      }),
    },
  ]
}
