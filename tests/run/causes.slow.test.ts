import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { modelProviders } from '../../src/models/registry.ts'
import { findCauses, madeModel } from './made-causes.ts'

/** How many campaigns are made, and the seed of the first. A campaign takes some seconds. */
const seeds = Number(process.env.TABLEHUNT_CAUSE_SEEDS ?? 2)
const firstSeed = Number(process.env.TABLEHUNT_CAUSE_FIRST_SEED ?? 0)

it('covers the made share of each cause in most campaigns', { timeout: 60_000 * seeds }, async () => {
  const made = { tasks: 12, responsive: 0.7, luck: 0.1 }
  const remove = modelProviders.add('the test', { made: madeModel(made.luck) })
  const truth = made.responsive + (1 - made.responsive) * made.luck
  const half = (truth + made.luck) / 2
  const expected: readonly (readonly [string, string, number])[] = [
    ['not-surfaced', 'give', truth],
    // Half of the tasks need more searches.
    ['not-surfaced', 'budget', half],
    ['not-in-view', 'give', truth],
    ['cut-from-window', 'context-policy', truth],
    // Half of the wrong answers are not changed by anything.
    ['wrong', 'prompt-note', half],
  ]
  const covered = { cameBack: 0, byChance: 0, difference: 0, rows: 0, differences: 0 }
  try {
    for (let seed = firstSeed; seed < firstSeed + seeds; seed++) {
      const folder = await mkdtemp(join(tmpdir(), 'causes-'))
      const { rows } = await findCauses({ folder, seed, ...made }, 1)
      for (const [lossClass, kind, share] of expected) {
        const row = rows.find(candidate => candidate.lossClass === lossClass && candidate.kind === kind)!
        const { cameBack, byChance, difference } = row
        const isIn = (value: number, { low, high }: { low: number | null; high: number | null }): number =>
          low !== null && high !== null && low <= value && value <= high ? 1 : 0
        covered.rows += 1
        covered.cameBack += isIn(share, cameBack!)
        covered.byChance += isIn(made.luck, byChance!)
        if (difference?.low == null) continue
        covered.differences += 1
        covered.difference += isIn(share - made.luck, difference)
      }
      await rm(folder, { recursive: true })
      console.log(`campaigns up to seed ${seed}:`, covered)
    }
  } finally {
    remove()
  }
  expect(covered.cameBack / covered.rows).toBeGreaterThan(0.8)
  expect(covered.byChance / covered.rows).toBeGreaterThan(0.8)
  expect(covered.difference / covered.differences).toBeGreaterThan(0.8)
})
