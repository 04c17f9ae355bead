import { answersFromWeb } from '../../../agents/registry.ts'
import type { RunConfig } from '../../config.ts'
import { runProgram } from '../../system/run-program.ts'
import { readCodeVersion } from '../records/code-version.ts'
import type { Programs, ProgramsWithOwn } from '../records/manifest.ts'
import { findBrowserPlace } from './page-access.ts'

/**
 * Finds the versions of programs that may change results. Null: not installed, or not used (--browser off, or no setting
 * that searches the web).
 */
export async function findPrograms(
  { setting, browser }: RunConfig,
  env: NodeJS.ProcessEnv,
): Promise<ProgramsWithOwn> {
  const [tablehunt, tesseract, browserName] = await Promise.all([
    readCodeVersion(),
    readTesseractVersion(),
    readBrowserVersion(setting.some(answersFromWeb) ? browser : 'off', env),
  ])
  return { tablehunt, node: process.version, tesseract, browser: browserName }
}

/**
 * Lists the programs whose versions differ, such as `node: v22.0.0, the run began with v20.0.0`.
 *
 * @param was the words before the other version
 */
export function listOtherPrograms(here: Programs, there: Programs, was: string): string[] {
  return Object.entries(there)
    .filter(([name, version]) => (here[name] ?? null) !== version)
    .map(([name, version]) => `${name}: ${here[name] ?? 'none'}, ${was} ${version ?? 'none'}`)
}

/** Returns the first line of tesseract's version; null when it is not installed. */
export async function readTesseractVersion(): Promise<string | null> {
  return await readVersionLine('tesseract')
}

async function readBrowserVersion(browser: string | null, env: NodeJS.ProcessEnv): Promise<string | null> {
  const place = await findBrowserPlace(browser, env)
  if (place === null) return null
  const name = `chromium (${place.foundBy})`
  // Browsers on Windows open a window instead of printing their version.
  return process.platform === 'win32' ? name : ((await readVersionLine(place.path)) ?? name)
}

async function readVersionLine(program: string): Promise<string | null> {
  try {
    const { stdout, stderr } = await runProgram(program, ['--version'], 10_000)
    return `${stdout}${stderr}`.trim().split('\n')[0] ?? null
  } catch {
    return null
  }
}
