import { dirname, relative, resolve } from 'node:path'
import { firstLineOf } from '../text/plain-text.ts'

/**
 * Loads a module of the user's, TypeScript too, on any Node. Local files that it imports are loaded once.
 * @param publicModule what `import … from 'tablehunt'` finds in it, also where the package is not installed beside it
 * @returns its exports
 */
export async function loadModule(
  file: string,
  publicModule: object,
): Promise<{ readonly default?: unknown }> {
  const { createJiti } = await import('jiti')
  const jiti = createJiti(import.meta.url, {
    fsCache: false,
    moduleCache: false,
    interopDefault: false,
    virtualModules: { tablehunt: publicModule },
  })
  return await jiti.import(resolve(file))
}

/** Why a module cannot be loaded, on one line, with the place where that is known. */
export function loadFailure(cause: unknown, file: string): string {
  return `${firstLineOf(cause).trim()}${placeOf(cause, file)}`
}

/** ` (line 3, column 14)`, as the loader or the stack says; '' where neither does. */
function placeOf(cause: unknown, file: string): string {
  if (!(cause instanceof Error)) return ''
  // The loader counts columns from 0. Those of a stack are of the translated code, whose lines are the file's.
  const parsing = /\n\s*(.+):(\d+):(\d+)\s*$/.exec(cause.message)
  if (parsing !== null)
    return inFile(parsing[1]!, file, `line ${parsing[2]}, column ${Number(parsing[3]) + 1}`)
  const frame = /^\s+at (?:.*\()?(\/[^():]+|[A-Za-z]:[^():]+):(\d+):\d+\)?$/m.exec(cause.stack ?? '')
  const isTheirs = frame !== null && !/[\\/]node_modules[\\/]jiti[\\/]/.test(frame[1]!)
  return isTheirs ? inFile(frame[1]!, file, `line ${frame[2]}`) : ''
}

function inFile(path: string, file: string, place: string): string {
  const other = path === resolve(file) ? '' : `${relative(dirname(resolve(file)), path)}, `
  return ` (${other}${place})`
}
