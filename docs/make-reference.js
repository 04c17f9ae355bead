// Writes docs/commands.md and docs/scorers.md from the program's own declarations: `npm run reference`.
import { writeFile } from 'node:fs/promises'
import { commandReference } from '../dist/src/commands/reference.js'
import { scorerReference } from '../dist/src/commands/scorer-reference.js'

await writeFile(new URL('commands.md', import.meta.url), await commandReference())
await writeFile(new URL('scorers.md', import.meta.url), scorerReference())
