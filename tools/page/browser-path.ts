import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { ConfigError } from '../../src/core/errors.ts'
import { findProgram, isProgram } from '../../src/system/find-program.ts'

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
  const installed = await playwrightBrowser(process.env)
  if (installed !== null && isProgram(installed)) return { path: installed, foundBy: 'Playwright' }
  for (const place of [...commands, ...commonPaths]) {
    const path = findProgram(place, { path: search.searchPath })
    if (path !== null) return { path, foundBy: 'system' }
  }
  return null
}

/**
 * Returns the path of Playwright's own browser, whether it is installed or not; null when Playwright has installed none.
 * Loading Playwright to ask it takes a fifth of the time until an online run calls its model.
 */
async function playwrightBrowser(env: NodeJS.ProcessEnv): Promise<string | null> {
  // npm's configuration may name the folder too.
  const isNamed = Object.keys(env).some(name => /playwright_browsers_path$/i.test(name))
  if (!isNamed && !playwrightFolders(env).some(folder => existsSync(folder))) return null
  const { chromium } = await import('playwright')
  return chromium.executablePath()
}

/** Lists the folders into which Playwright installs browsers by default: on Linux, macOS and Windows. */
export function playwrightFolders(env: NodeJS.ProcessEnv): string[] {
  const caches = [
    env.XDG_CACHE_HOME || join(homedir(), '.cache'),
    join(homedir(), 'Library', 'Caches'),
    env.LOCALAPPDATA || join(homedir(), 'AppData', 'Local'),
  ]
  return caches.map(cache => join(cache, 'ms-playwright'))
}
