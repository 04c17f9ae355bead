import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { codeVersion } from '../records/code-version.ts'
import { openRenderer } from './run-resources.ts'

/** Programs by which two machines may make the same attempt otherwise; null: not here. */
export async function programsOf(env: NodeJS.ProcessEnv): Promise<Record<string, string | null>> {
  return {
    tablehunt: await codeVersion(),
    tesseract: await tesseractVersion(),
    browser: (await openRenderer(null, env))?.name ?? null,
  }
}

const run = promisify(execFile)

/** The first line that tesseract prints of its version; null where it is not installed. */
export async function tesseractVersion(): Promise<string | null> {
  try {
    const { stdout, stderr } = await run('tesseract', ['--version'], { timeout: 10_000 })
    return `${stdout}${stderr}`.split('\n')[0]?.trim() ?? null
  } catch {
    return null
  }
}
