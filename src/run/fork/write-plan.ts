import { copyFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readTraceFile } from '../../../logs/reader.ts'
import { tracePath } from '../../../logs/writer.ts'
import { writeFileDurably } from '../../system/atomic-write.ts'
import { ifMissing, makeFolder } from '../../system/files.ts'
import { canonicalJson } from '../../system/hash.ts'
import { withTextChecksum } from '../../system/record-checksum.ts'
import { type ForkPlan, forkPlanPath } from '../plan/fork-plan.ts'

const quotedHash = /"([0-9a-f]{64})"/g

/**
 * Writes a plan of forks to a folder, with the traces of its source attempts and the texts that they refer to, so that the
 * forks can be made without the source run.
 */
export async function writeForkPlan(sourceFolder: string, folder: string, plan: ForkPlan): Promise<void> {
  const blobs = join('traces', 'blobs')
  await makeFolder(join(folder, blobs))
  for (const attemptId of new Set(plan.forks.map(fork => fork.attemptId))) {
    // The trace of a fork is written with the part that it refers to, and no longer refers to it.
    const { events } = await readTraceFile(tracePath(sourceFolder, attemptId))
    const whole = events.filter(({ type }) => type !== 'forked')
    const lines = whole.map(event => `${withTextChecksum(JSON.stringify(event))}\n`)
    await writeFileDurably(tracePath(folder, attemptId), lines.join(''))
    for (const [, hash] of lines.join('').matchAll(quotedHash))
      await copyFile(join(sourceFolder, blobs, hash!), join(folder, blobs, hash!)).catch(ifMissing)
  }
  const path = forkPlanPath(folder)
  const text = `${canonicalJson(plan)}\n`
  if ((await readFile(path, 'utf8').catch(ifMissing)) !== text) await writeFileDurably(path, text)
}
