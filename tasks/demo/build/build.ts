import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { demoPaths } from '../demo.ts'
import { distractors, documents, records } from './contents.ts'
import { renderPdf } from './pdf.ts'

/**
 * Writes the demo's documents, look-alikes and tasks. Run it after a change of the invented data:
 *   npm run build && node dist/tasks/demo/build/build.js [CJK-FONT-COLLECTION]
 * The font is Noto Sans CJK, a TrueType collection. The PDFs contain only the used characters.
 */
const defaultFont = '/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc'

const font = process.argv[2] ?? defaultFont
for (const [folder, contents] of [
  [demoPaths.documents, documents],
  [demoPaths.distractors, distractors],
] as const) {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
  for (const document of contents) {
    writeFileSync(join(folder, document.fileName), await renderPdf(document, font))
  }
}
writeFileSync(demoPaths.tasks, records.map(record => `${JSON.stringify(record)}\n`).join(''))
process.stdout.write(
  `${documents.length} documents, ${distractors.length} look-alikes, ${records.length} tasks\n`,
)
