// Writes the pages that are generated from the program's own declarations: `npm run reference`.
import { writeFile } from 'node:fs/promises'
import { createJiti } from 'jiti'
import { commandReference } from '../dist/src/commands/reference.js'
import { scorerReference } from '../dist/src/commands/scorer-reference.js'

const { recordReference } = await createJiti(import.meta.url).import('./record-reference.ts')

await writeFile(new URL('commands.md', import.meta.url), await commandReference())
await writeFile(new URL('scorers.md', import.meta.url), scorerReference())
await writeFile(new URL('record-format.md', import.meta.url), recordReference())
