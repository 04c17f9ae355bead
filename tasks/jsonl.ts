import { stat } from 'node:fs/promises'
import { ConfigError } from '../src/core/errors.ts'
import { readTextLines, type SourceLine } from '../src/system/text-lines.ts'

/**
 * Checks that a path is a file.
 *
 * @param expected - describes the file that the user should name
 * @throws ConfigError `tasks-not-found` or `unreadable-tasks`
 */
export async function requireFile(path: string, expected: string): Promise<void> {
  const entry = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') {
      throw new ConfigError(`--tasks ${path}: no such file. Name ${expected}.`, {
        code: 'tasks-not-found',
        cause: error,
      })
    }
    throw makeUnreadableError(path, error.code ?? error.message, error)
  })
  if (!entry.isFile()) {
    throw new ConfigError(`--tasks ${path} is not a file. Name ${expected}.`, { code: 'unreadable-tasks' })
  }
}

function makeUnreadableError(path: string, why: string, cause: unknown): ConfigError {
  return new ConfigError(`--tasks ${path} cannot be read (${why}). Check the file and its permissions.`, {
    code: 'unreadable-tasks',
    cause,
  })
}

/**
 * Reads the non-blank lines of a file one at a time, so that a file of any size can be read.
 *
 * @throws ConfigError `unreadable-tasks`
 */
export async function* readLines(path: string): AsyncGenerator<SourceLine> {
  try {
    yield* readTextLines(path)
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error
    throw makeUnreadableError(path, error.message, error)
  }
}
