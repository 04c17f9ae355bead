import { findBrowser } from '../../../tools/page/browser-path.ts'

/** The Chromium of this machine; null when none is installed. */
export const browserHere = await findBrowser({
  flag: null,
  variable: process.env.TABLEHUNT_CHROMIUM ?? null,
  searchPath: process.env.PATH ?? '',
})

/** A suffix for the names of tests that need a browser. */
export const withoutBrowser = browserHere === null ? ' (skipped: no Chromium on this machine)' : ''
