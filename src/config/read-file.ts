import { readFile } from 'node:fs/promises'
import { dirname, extname, relative, resolve } from 'node:path'
import { requireKnown } from '../config.ts'
import { ConfigError } from '../core/errors.ts'
import { firstLineOf } from '../core/first-line.ts'
import { isObject } from '../core/is-object.ts'
import { oneLine } from '../core/one-line.ts'
import * as publicModule from './define-config.ts'

const moduleEndings = ['.ts', '.mts', '.js', '.mjs']

/**
 * The options of a config file: JSON, or a module whose default export they are (TypeScript too, on any Node). Nothing
 * is validated but the names. ConfigError says what is wrong in which file.
 */
export async function readConfigFile(file: string): Promise<Record<string, unknown>> {
  const ending = extname(file).toLowerCase()
  if (ending !== '.json' && !moduleEndings.includes(ending))
    throw new ConfigError(`--config ${file}: one of ${[...moduleEndings, '.json'].join(', ')} is read`)
  const text = await readText(file)
  const options = ending === '.json' ? parseJson(file, text) : await loadModule(file)
  if (!isObject(options)) {
    const mend = ending === '.json' ? 'an object of options' : '`export default defineConfig({ … })`'
    throw new ConfigError(`${file}: ${mend} is expected`)
  }
  requireKnown(Object.keys(options), file)
  const given = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(given)
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new ConfigError(
      `--config ${file}: ${code === 'ENOENT' ? 'no such file' : `can't be read (${code})`}`,
    )
  }
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw new ConfigError(`${file}: no JSON: ${oneLine((cause as Error).message)}`, { cause })
  }
}

/** `import … from 'tablehunt'` in it finds this very package, also where the package is not installed beside it. */
async function loadModule(file: string): Promise<unknown> {
  const { createJiti } = await import('jiti')
  const jiti = createJiti(import.meta.url, {
    fsCache: false,
    moduleCache: false,
    interopDefault: false,
    virtualModules: { tablehunt: publicModule },
  })
  try {
    const loaded = await jiti.import<{ default?: unknown }>(resolve(file))
    return loaded.default
  } catch (cause) {
    throw new ConfigError(`${file}: can't be loaded: ${firstLineOf(cause).trim()}${placeOf(cause, file)}`, {
      cause,
    })
  }
}

/** ` (line 3, column 14)`, as the loader says on a line of its own, its columns from 0; '' where it does not. */
function placeOf(cause: unknown, file: string): string {
  const said = /\n\s*(.+):(\d+):(\d+)\s*$/.exec(cause instanceof Error ? cause.message : '')
  if (said === null) return ''
  const [, path = '', line, column] = said
  const other = path === resolve(file) ? '' : `${relative(dirname(file), path)}, `
  return ` (${other}line ${line}, column ${Number(column) + 1})`
}
