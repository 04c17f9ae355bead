import { existsSync, readdirSync, readFileSync } from 'node:fs'

/** Process ids of Chroma servers over a folder whose path begins so; a closing `\0` asks for that folder alone. */
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
