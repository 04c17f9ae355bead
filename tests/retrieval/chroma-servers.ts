import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Returns the process ids of Chroma servers whose folder begins with a path. End it with `\0` for that folder only. */
export function serversOn(folder: string): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(pid => {
      const file = `/proc/${pid}/cmdline`
      const command = existsSync(file) ? readFileSync(file, 'utf8') : ''
      return command.includes('cli.mjs') && command.includes(folder)
    })
    .map(Number)
}
