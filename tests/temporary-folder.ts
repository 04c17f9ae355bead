import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gives the tests and what they start one folder for temporary files, which goes when they are over. */
export default function giveTemporaryFolder(): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'tablehunt-tests-'))
  process.env.TMPDIR = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
