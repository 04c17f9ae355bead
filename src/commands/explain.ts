import { ConfigError, DataError, RunError } from '../core/errors.ts'
import { harmless } from '../core/harmless.ts'

/** What a machine may lack in the middle of anything: no bug, and nothing that another input would mend. */
const lacks: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the disk: make room',
  EDQUOT: 'the quota of the disk is used up: make room',
  EROFS: 'the disk can only be read: have it mounted for writing',
  EIO: 'the disk fails: see to it',
  EMFILE: 'too many files are open: raise the limit (ulimit -n)',
  ENFILE: "too many files are open: raise the system's limit",
  ENOMEM: 'the memory is used up: end something else',
}

/** What a path may be that was to be read or written: another path mends it. */
const refusals: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read or write there',
  EPERM: 'this user may not read or write there',
  EISDIR: 'is a folder where a file is wanted',
  ENOTDIR: 'a file stands where a folder is wanted',
}

/** What went wrong, in one line a person can act on; anything that is not the user's, the run's or the machine's is a bug and shows its stack. */
export function explain(error: unknown): { readonly line: string; readonly code: number } {
  const { line, code } = explained(error)
  return { line: harmless(line), code }
}

function explained(error: unknown): { readonly line: string; readonly code: number } {
  if (error instanceof ConfigError || error instanceof DataError) return { line: error.message, code: 2 }
  if (error instanceof RunError) return { line: error.message, code: 1 }
  const lack = lackOf(error)
  if (lack !== null) return { line: lack, code: 1 }
  const refusal = refusalOf(error)
  if (refusal !== null) return { line: refusal, code: 2 }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { line: `a bug in tablehunt: ${stack}`, code: 1 }
}

function lackOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null
  const words = lacks[String(error.code)]
  if (words === undefined) return null
  const where = 'path' in error && typeof error.path === 'string' ? `${error.path}: ` : ''
  return `${where}${words} (${String(error.code)}); a run goes on with the same command`
}

function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error && 'path' in error)) return null
  const words = refusals[String(error.code)]
  return words === undefined || typeof error.path !== 'string'
    ? null
    : `${error.path}: ${words} (${String(error.code)})`
}
