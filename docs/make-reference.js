// Writes docs/commands.md from the program's own declarations: `npm run reference`.
import { writeFile } from 'node:fs/promises'
import { commandReference } from '../dist/src/commands/reference.js'

await writeFile(new URL('commands.md', import.meta.url), await commandReference())
