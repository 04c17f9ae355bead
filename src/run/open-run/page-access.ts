import type { BrowserPlace } from '../../../tools/page/browser-path.ts'
import type { PageReader } from '../../../tools/page/page-reader.ts'
import { pageReaders } from '../../../tools/page/registry.ts'
import type { PageRenderer } from '../../../tools/page/renderer.ts'
import { readServiceSettings } from '../../../tools/search/provider.ts'
import type { CommandConfig } from '../../config.ts'
import { isInstalled, optionalParts } from '../../system/optional-packages.ts'

/** Creates the reader of web pages that --page-reader names. */
export function openPageReader({ pageReader }: CommandConfig, env: NodeJS.ProcessEnv): PageReader {
  const entry = pageReaders.get(pageReader)
  return entry.create(readServiceSettings(entry, env))
}

/**
 * Finds the browser that --browser names, or an installed one.
 *
 * @param browser --browser; null: not given
 * @returns null when it is off, or when no browser or no Playwright is installed
 */
export async function findBrowserPlace(
  browser: string | null,
  env: NodeJS.ProcessEnv,
): Promise<BrowserPlace | null> {
  if (browser === 'off' || !optionalParts.browser.packages.every(isInstalled)) return null
  const { findBrowser } = await import('../../../tools/page/browser-path.ts')
  return await findBrowser({
    flag: browser,
    variable: env.TABLEHUNT_CHROMIUM ?? null,
    searchPath: env.PATH ?? '',
  })
}

/**
 * Opens a renderer of pages in the browser of `findBrowserPlace`; null without a browser.
 *
 * @param tell receives what the user must know of the browser, such as a sandbox that could not start
 */
export async function openRenderer(
  browser: string | null,
  env: NodeJS.ProcessEnv,
  tell: (notice: string) => void,
): Promise<PageRenderer | null> {
  const place = await findBrowserPlace(browser, env)
  if (place === null) return null
  const { ChromiumRenderer } = await import('../../../tools/page/browser.ts')
  return new ChromiumRenderer(place, { tell })
}
