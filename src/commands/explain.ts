import { messageWithoutSecrets } from '../../logs/redact-command.ts'
import { ConfigError, DataError, PluginError, RunError } from '../core/errors.ts'
import { packageRoot } from '../system/paths.ts'
import { describeSystemProblem } from '../system/system-errors.ts'
import { withoutControlCharacters } from '../text/plain-text.ts'

/**
 * Problems of a path that the user named, by the code of the system error. The user can fix them with another
 * path.
 */
const pathProblems: Readonly<Record<string, string>> = {
  EACCES: 'this user may not read or write there. Choose another path, or change its permissions.',
  EPERM: 'this user may not read or write there. Choose another path, or change its permissions.',
  EISDIR: 'is a folder. Name a file.',
  ENOTDIR: 'a part of the path is a file. Name a folder.',
}

/**
 * Explains an error in one line that tells the user what to do, and returns the exit code. An error that neither the user, the
 * run nor the machine caused is a bug, and is printed with its stack.
 */
export function explainError(error: unknown): { readonly line: string; readonly code: number } {
  const { line, code } = describeError(error)
  return { line: messageWithoutSecrets(withoutControlCharacters(line)), code }
}

function describeError(error: unknown): { readonly line: string; readonly code: number } {
  if (error instanceof ConfigError || error instanceof DataError) return { line: withCode(error), code: 2 }
  if (error instanceof RunError) return { line: withCode(error), code: 1 }
  const problem = describeSystemProblem(error)
  if (problem !== null)
    return { line: `${problem}, then run the same command again. A run continues where it stopped.`, code: 1 }
  if (error instanceof PluginError)
    return { line: `${withCode(error)}${describePluginStack(error.cause)}`, code: 1 }
  const pathProblem = describePathProblem(error)
  if (pathProblem !== null) return { line: pathProblem, code: 2 }
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { line: `a bug in tablehunt: ${stack}`, code: 1 }
}

/** Adds the stable code in brackets, so that users can search for it in the documentation. */
function withCode({ message, code }: ConfigError | DataError | PluginError | RunError): string {
  return `${message} [${code}]`
}

/** Returns the part of the stack that is inside the plug-in, for its author. */
function describePluginStack(cause: unknown): string {
  const frames = (cause instanceof Error ? (cause.stack ?? '') : '').split('\n').filter(isFrame)
  const firstOwn = frames.findIndex(frame => frame.includes(packageRoot))
  return frames
    .slice(0, firstOwn < 0 ? undefined : firstOwn)
    .map(frame => `\n${frame}`)
    .join('')
}

const isFrame = (line: string): boolean => /^ +at /.test(line)

function describePathProblem(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error && 'path' in error)) return null
  const problem = pathProblems[String(error.code)]
  return problem === undefined || typeof error.path !== 'string'
    ? null
    : `${error.path}: ${problem} (${String(error.code)})`
}
