// Writes the pages that are generated from the program's own declarations: `npm run reference`.
import { mkdir, writeFile } from 'node:fs/promises'
import { createJiti } from 'jiti'
import { benchmarkReference } from '../dist/src/commands/benchmark-reference.js'
import { commandReference } from '../dist/src/commands/reference.js'
import { scorerReference } from '../dist/src/commands/scorer-reference.js'

const jiti = createJiti(import.meta.url)
const { recordReference } = await jiti.import('./record-reference.ts')
const { partReference } = await jiti.import('./part-reference.ts')
const { recordSchemas } = await jiti.import('./record-schemas.ts')
const { benchReference } = await jiti.import('./bench-reference.ts')
const { readRecordedRun, recordedRunFile } = await jiti.import('../bench/recorded-run.ts')
const { benches } = await jiti.import('../bench/registry.ts')

await writeFile(new URL('commands.md', import.meta.url), await commandReference())
await writeFile(new URL('benchmark-list.md', import.meta.url), benchmarkReference())
await writeFile(new URL('scorers.md', import.meta.url), scorerReference())
await writeFile(new URL('parts.md', import.meta.url), partReference())
await writeFile(new URL('records.md', import.meta.url), recordReference())
await writeFile(
  new URL('bench.md', import.meta.url),
  benchReference(benches, await readRecordedRun(recordedRunFile)),
)
const schemas = new URL('schemas/', import.meta.url)
await mkdir(schemas, { recursive: true })
for (const [name, text] of recordSchemas()) await writeFile(new URL(name, schemas), text)
