import { ConfigError, DataError, PluginError, RunError } from '../core/errors.ts'
import { packageRoot } from '../system/paths.ts'
import { systemProblemOf } from '../system/system-errors.ts'
import { withoutControlCharacters } from '../text/plain-text.ts'

/** What a path may be that was to be read or written: another path mends it. */
const refusals: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read or write there',
  EPERM: 'this user may not read or write there',
  EISDIR: 'is a folder where a file is wanted',
  ENOTDIR: 'a file stands where a folder is wanted',
}

/** What went wrong, in one line a person can act on; anything that is not the user's, the run's or the machine's is a bug and shows its stack. */
export function explainError(error: unknown): { readonly line: string; readonly code: number } {
  const { line, code } = explained(error)
  return { line: withoutControlCharacters(line), code }
}

function explained(error: unknown): { readonly line: string; readonly code: number } {
  if (error instanceof ConfigError || error instanceof DataError) return { line: withCode(error), code: 2 }
  if (error instanceof RunError) return { line: withCode(error), code: 1 }
  const lack = systemProblemOf(error)
  if (lack !== null) return { line: `${lack}; a run goes on with the same command`, code: 1 }
  if (error instanceof PluginError) return { line: `${withCode(error)}${stackOf(error.cause)}`, code: 1 }
  const refusal = refusalOf(error)
  if (refusal !== null) return { line: refusal, code: 2 }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { line: `a bug in tablehunt: ${stack}`, code: 1 }
}

/** The stable code follows the message in brackets, so that readers can search for it in the documentation. */
function withCode({ message, code }: ConfigError | DataError | PluginError | RunError): string {
  return code === null ? message : `${message} [${code}]`
}

/** Where a plug-in failed, for its author: the part of the stack above our own code. */
function stackOf(cause: unknown): string {
  const frames = (cause instanceof Error ? (cause.stack ?? '') : '').split('\n').filter(isFrame)
  const ours = frames.findIndex(frame => frame.includes(packageRoot))
  return frames
    .slice(0, ours < 0 ? undefined : ours)
    .map(frame => `\n${frame}`)
    .join('')
}

const isFrame = (line: string): boolean => /^ +at /.test(line)

function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error && 'path' in error)) return null
  const words = refusals[String(error.code)]
  return words === undefined || typeof error.path !== 'string'
    ? null
    : `${error.path}: ${words} (${String(error.code)})`
}
