import { existsSync } from 'node:fs'

/** Where a Chromium is on this machine; null where there is none. */
export const chromiumPath: string | null =
  [
    process.env.TABLEHUNT_CHROMIUM,
    '/usr/bin/chromium-headless-shell',
    '/usr/bin/chromium',
    '/usr/bin/google-chrome',
    '/usr/bin/microsoft-edge',
  ].find(path => path !== undefined && existsSync(path)) ?? null

export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
]
