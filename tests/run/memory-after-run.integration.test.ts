import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runProcess } from '../../bench/parts/process.ts'
import { packageRoot } from '../../src/system/paths.ts'

/**
 * Makes a run of two attempts in the built program, and prints whether its web is still in memory. A process of its own,
 * because a run keeps more or less in memory depending on how its modules were loaded.
 */
const script = `
const [root, folder] = process.argv.slice(1)
const { executeRun } = await import(root + '/dist/src/run.js')
const { prepareCampaign } = await import(root + '/dist/bench/parts/campaign.js')
const { fixedDelayWeb } = await import(root + '/dist/bench/parts/fixed-delay-web.js')
async function webOfFinishedRun() {
  const web = fixedDelayWeb(0)
  const options = { folder, attempts: 2, steps: 3, turnMs: 0, concurrency: 2 }
  await executeRun(await prepareCampaign(options), { web })
  return new WeakRef(web)
}
const web = await webOfFinishedRun()
// A weak reference holds its object until the turn of the event loop that made it ends.
await new Promise(resolve => setTimeout(resolve, 10))
gc()
process.stdout.write(web.deref() === undefined ? 'released' : 'in memory')
`

it('keeps neither the plan nor the resources of a run in memory after it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-memory-'))
  const node = [process.execPath, '--expose-gc', '--input-type=module', '--eval', script]
  const { stdout } = await runProcess([...node, packageRoot, folder])
  expect(stdout).toBe('released')
})
