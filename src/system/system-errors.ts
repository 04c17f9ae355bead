import { RunError } from '../core/errors.ts'

/** Failures of the machine, by the code of the system error. Neither a bug nor wrong input causes them. */
const systemProblems: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the disk: make room',
  EDQUOT: 'the quota of the disk is used up: make room',
  EFBIG: 'a file may not grow any further: raise the limit (ulimit -f)',
  EROFS: 'the disk can only be read: have it mounted for writing',
  EIO: 'the disk fails: see to it',
  EMFILE: 'too many files are open: raise the limit (ulimit -n)',
  ENFILE: "too many files are open: raise the system's limit",
  ENOMEM: 'the memory is used up: end something else',
}

/** Returns what failed on the machine and how to fix it, for an error or one of its causes; null for any other error. */
export function systemProblemOf(error: unknown): string | null {
  for (let link = error; link instanceof Error; link = link.cause) {
    const code = 'code' in link ? String(link.code) : ''
    const words = systemProblems[code]
    if (words === undefined) continue
    const where = 'path' in link && typeof link.path === 'string' ? `${link.path}: ` : ''
    return `${where}${words} (${code})`
  }
  return null
}

/**
 * Whether a failure in the middle of an attempt is the run's: what the machine lacks it lacks for the next attempt too, so
 * that none is to be recorded as killed by it.
 */
export function isFatalToRun(error: unknown): boolean {
  return error instanceof RunError || systemProblemOf(error) !== null
}

/** Gives the file system's failure the file that was written to: a write through a descriptor does not name it. */
export function withErrorPath(error: unknown, path: string): unknown {
  return error instanceof Error && 'syscall' in error ? Object.assign(error, { path }) : error
}
