import { existsSync } from 'node:fs'
import { copyFile, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { readTraceFile } from '../../../logs/reader.ts'
import { tracePath } from '../../../logs/writer.ts'
import { ConfigError } from '../../core/errors.ts'
import { writeFileDurably } from '../../system/atomic-write.ts'
import { ifMissing, makeFolder } from '../../system/files.ts'
import { canonicalJson } from '../../system/hash.ts'
import { withTextChecksum } from '../../system/record-checksum.ts'
import { type ForkPlan, forkPlanPath } from '../plan/fork-plan.ts'

const quotedHash = /"([0-9a-f]{64})"/g

/**
 * Writes a plan of forks to a folder, with the traces of its source attempts and the texts that they refer to, so that the
 * forks can be made without the source run.
 *
 * @param folder the folder `forks` of the run that makes them
 * @throws ConfigError [different-run] when that run exists and has another plan, before anything is written
 */
export async function writeForkPlan(sourceFolder: string, folder: string, plan: ForkPlan): Promise<void> {
  const path = forkPlanPath(folder)
  const text = `${canonicalJson(plan)}\n`
  const earlier = await readFile(path, 'utf8').catch(ifMissing)
  const run = dirname(folder)
  if (earlier !== text && existsSync(join(run, 'manifest.json')))
    throw new ConfigError(
      `${run} contains ${earlier === null ? 'another run' : 'other forks'}. Name another folder with --out.`,
      { code: 'different-run' },
    )
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
  if (earlier !== text) await writeFileDurably(path, text)
}
