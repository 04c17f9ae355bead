import { extname } from 'node:path'
import { ConfigError } from '../core/errors.ts'
import { readTextFile } from '../system/files.ts'
import { isObject } from '../text/json.ts'
import { joinToOneLine } from '../text/plain-text.ts'
import * as publicModule from './define-config.ts'

const moduleEndings = ['.ts', '.mts', '.js', '.mjs']

/**
 * Reads the options of a config file: a JSON object, or the default export of a JavaScript or TypeScript module. The options
 * are not checked here, because plug-ins that the file names may add options.
 *
 * @throws ConfigError [config-not-found, config-load-failed, config-invalid]
 */
export async function readConfigFile(file: string): Promise<Record<string, unknown>> {
  const ending = extname(file).toLowerCase()
  if (ending !== '.json' && !moduleEndings.includes(ending))
    throw new ConfigError(
      `--config ${file}: the name must end in one of ${[...moduleEndings, '.json'].join(', ')}`,
      { code: 'config-invalid' },
    )
  const text = await readText(file)
  const options = ending === '.json' ? parseJson(file, text) : await loadOptions(file)
  if (!isObject(options)) {
    const expected = ending === '.json' ? 'a JSON object of options' : '`export default defineConfig({ … })`'
    throw new ConfigError(`${file}: the file contains no options. Write ${expected}.`, {
      code: 'config-invalid',
    })
  }
  const entries = Object.entries(options).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries)
}

async function readText(file: string): Promise<string> {
  try {
    return await readTextFile(file)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new ConfigError(
      `--config ${file}: ${code === 'ENOENT' ? 'no such file' : `can't be read (${code})`}. Correct the path.`,
      { cause, code: 'config-not-found' },
    )
  }
}

function parseJson(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new ConfigError(
      `${file}: not valid JSON (${joinToOneLine((cause as Error).message)}). Correct the file.`,
      { cause, code: 'config-load-failed' },
    )
  }
}

async function loadOptions(file: string): Promise<unknown> {
  const { loadFailure, loadModule } = await import('../plugins/load-module.ts')
  try {
    return (await loadModule(file, publicModule)).default
  } catch (cause) {
    throw new ConfigError(`${file}: can't be loaded: ${loadFailure(cause, file)}`, {
      cause,
      code: 'config-load-failed',
    })
  }
}
