import { findBrowser } from '../../../tools/page/browser-path.ts'

/** The Chromium of this machine; null where it has none. */
export const browserHere = await findBrowser({
  flag: null,
  variable: process.env.TABLEHUNT_CHROMIUM ?? null,
  searchPath: process.env.PATH ?? '',
})

/** Ends the name of a test that needs one. */
export const withoutBrowser = browserHere === null ? ' (skipped: no Chromium on this machine)' : ''
