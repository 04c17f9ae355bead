import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { ConfigError } from '../../src/core/errors.ts'

/** A browser that was found. */
export interface BrowserPlace {
  readonly path: string
  readonly foundBy: '--browser' | 'TABLEHUNT_CHROMIUM' | 'Playwright' | 'system'
}

/** Where to look for a browser; null when not set. */
export interface BrowserSearch {
  /** --browser PATH. */
  readonly flag: string | null
  /** TABLEHUNT_CHROMIUM. */
  readonly variable: string | null
  /** PATH. */
  readonly searchPath: string
}

/** The headless shell comes first: it starts faster and needs half the memory. */
const commands = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
  'microsoft-edge-stable',
]

const commonPaths = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

/**
 * Finds the Chromium to use. The order is: --browser, TABLEHUNT_CHROMIUM, the one that Playwright installed, the
 * system's.
 *
 * @returns null when no browser is installed
 * @throws ConfigError `browser-not-found` when the named path is not a program
 */
export async function findBrowser(search: BrowserSearch): Promise<BrowserPlace | null> {
  for (const [foundBy, path] of [
    ['--browser', search.flag],
    ['TABLEHUNT_CHROMIUM', search.variable],
  ] as const) {
    if (path === null || path === '') continue
    if (isProgram(path)) return { path: resolve(path), foundBy }
    throw new ConfigError(`${foundBy}: ${path} is not a program; give the path of Chromium, Chrome or Edge`, {
      code: 'browser-not-found',
    })
  }
  const { chromium } = await import('playwright')
  const own = chromium.executablePath()
  if (own !== '' && isProgram(own)) return { path: own, foundBy: 'Playwright' }
  const folders = search.searchPath.split(delimiter).filter(folder => folder !== '')
  const system = [...commands.flatMap(name => folders.map(folder => join(folder, name))), ...commonPaths]
  const path = system.find(isProgram)
  return path === undefined ? null : { path, foundBy: 'system' }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch (error) {
    if (error instanceof Error && 'code' in error) return false
    throw error
  }
}
