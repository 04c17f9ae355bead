import { RunError } from '../core/errors.ts'

/** Failures of the machine, by the code of the system error. They are no bug and no wrong input. */
const systemProblems: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the disk (ENOSPC). Free some space',
  EDQUOT: 'the disk quota is used up (EDQUOT). Free some space',
  EFBIG: 'the file has reached the size limit (EFBIG). Raise the limit with ulimit -f',
  EROFS: 'the disk is read-only (EROFS). Mount it for writing',
  EIO: 'the disk failed (EIO). Check the disk',
  EMFILE: 'too many files are open (EMFILE). Raise the limit with ulimit -n',
  ENFILE: "too many files are open on this machine (ENFILE). Raise the system's limit",
  ENOMEM: 'out of memory (ENOMEM). Close other programs',
}

/**
 * Returns what failed on the machine and how to fix it, when the error or one of its causes is a failure of the machine.
 * Returns null for any other error. The text ends without a full stop.
 */
export function describeSystemProblem(error: unknown): string | null {
  for (let link = error; link instanceof Error; link = link.cause) {
    const code = 'code' in link ? String(link.code) : ''
    const problem = systemProblems[code]
    if (problem === undefined) continue
    const where = 'path' in link && typeof link.path === 'string' ? `${link.path}: ` : ''
    return `${where}${problem}`
  }
  return null
}

/**
 * Whether a failure during an attempt ends the whole run. A failure of the machine would affect the next attempt too, so it
 * is not recorded as the end of one attempt.
 */
export function isFatalToRun(error: unknown): boolean {
  return error instanceof RunError || describeSystemProblem(error) !== null
}

/** Adds the path of the file to a failure of the file system. A failed write through a descriptor does not name it. */
export function withErrorPath(error: unknown, path: string): unknown {
  return error instanceof Error && 'syscall' in error ? Object.assign(error, { path }) : error
}
