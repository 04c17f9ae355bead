import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { ConfigError } from '../core/errors.ts'
import { isObject } from '../text/json.ts'
import { oneLine } from '../text/plain-text.ts'
import * as publicModule from './define-config.ts'

const moduleEndings = ['.ts', '.mts', '.js', '.mjs']

/**
 * The options of a config file: JSON, or a module whose default export they are (TypeScript too, on any Node). Nothing
 * is validated: plug-ins, which may add options, are named in it. ConfigError says what is wrong in which file.
 */
export async function readConfigFile(file: string): Promise<Record<string, unknown>> {
  const ending = extname(file).toLowerCase()
  if (ending !== '.json' && !moduleEndings.includes(ending))
    throw new ConfigError(`--config ${file}: one of ${[...moduleEndings, '.json'].join(', ')} is read`)
  const text = await readText(file)
  const options = ending === '.json' ? parseJson(file, text) : await loadOptions(file)
  if (!isObject(options)) {
    const mend = ending === '.json' ? 'an object of options' : '`export default defineConfig({ … })`'
    throw new ConfigError(`${file}: ${mend} is expected`)
  }
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

async function loadOptions(file: string): Promise<unknown> {
  const { loadFailure, loadModule } = await import('../plugins/load-module.ts')
  try {
    return (await loadModule(file, publicModule)).default
  } catch (cause) {
    throw new ConfigError(`${file}: can't be loaded: ${loadFailure(cause, file)}`, { cause })
  }
}
