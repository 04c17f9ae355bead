import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../../../src/core/errors.ts'
import { writeOutput } from '../../../src/system/atomic-write.ts'
import { whyUnreadable } from '../../../src/system/files.ts'
import { makeStructext, type StructextSpec } from './generate.ts'

/**
 * Writes generated samples to `tasks.jsonl` in a folder, one per line.
 *
 * @throws ConfigError `unwritable-out`
 */
export async function writeStructext(
  folder: string,
  spec: StructextSpec,
): Promise<{ readonly file: string; readonly samples: number }> {
  const file = join(folder, 'tasks.jsonl')
  let samples = 0
  function* lines(): Generator<string> {
    for (const sample of makeStructext(spec)) {
      samples += 1
      yield `${JSON.stringify(sample)}\n`
    }
  }
  try {
    await mkdir(folder, { recursive: true })
    await writeOutput(file, lines())
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw new ConfigError(`--out ${folder}: ${whyUnreadable(error)}. Name a folder that can be written.`, {
      code: 'unwritable-out',
      cause: error,
    })
  }
  return { file, samples }
}
