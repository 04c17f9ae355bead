import { dirname, relative, resolve } from 'node:path'
import { readFirstLine } from '../text/plain-text.ts'

/**
 * Loads a JavaScript or TypeScript module of the user, with any supported version of Node.
 *
 * @param publicModule the exports of `tablehunt` for the module, which needs no installed package
 * @returns the exports of the module
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

/** Says on one line why a module cannot be loaded, with the line and column when they are known. */
export function loadFailure(cause: unknown, file: string): string {
  return `${readFirstLine(cause).trim()}${findPlace(cause, file)}`
}

/** Returns ` (line 3, column 14)` from the loader's message or the stack; '' when neither contains a place. */
function findPlace(cause: unknown, file: string): string {
  if (!(cause instanceof Error)) return ''
  // The loader counts columns from 0. A stack has the columns of the translated code, but the lines of the file.
  const parsing = /\n\s*(.+):(\d+):(\d+)\s*$/.exec(cause.message)
  if (parsing !== null)
    return describePlace(parsing[1]!, file, `line ${parsing[2]}, column ${Number(parsing[3]) + 1}`)
  const frame = /^\s+at (?:.*\()?(\/[^():]+|[A-Za-z]:[^():]+):(\d+):\d+\)?$/m.exec(cause.stack ?? '')
  const isTheirs = frame !== null && !/[\\/]node_modules[\\/]jiti[\\/]/.test(frame[1]!)
  return isTheirs ? describePlace(frame[1]!, file, `line ${frame[2]}`) : ''
}

function describePlace(path: string, file: string, place: string): string {
  const otherFile = path === resolve(file) ? '' : `${relative(dirname(resolve(file)), path)}, `
  return ` (${otherFile}${place})`
}
