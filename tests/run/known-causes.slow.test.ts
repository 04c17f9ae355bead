import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { tracePath } from '../../logs/writer.ts'
import { modelProviders } from '../../src/models/registry.ts'
import type { CausalRow, CausalWaterfall } from '../../src/report/model/causal-waterfall.ts'
import { planCauses } from '../../src/run/fork/plan-causes.ts'
import { completeForkOptions, openSource } from '../../src/run/fork/source-run.ts'
import { unpackPack } from '../../src/run/pack/unpack.ts'
import { packRuns } from '../../src/run/pack-runs.ts'
import { verifyPack } from '../../src/run/verify-pack.ts'
import { findCauses, madeModel } from './made-causes.ts'

describe('the causal waterfall of a campaign whose causes are known', () => {
  const made = { seed: 5, tasks: 12, responsive: 0.9, luck: 0.1 }
  let remove = (): void => undefined
  let causes: CausalWaterfall
  let folder = ''
  const row = (lossClass: string, kind: string): CausalRow =>
    causes.rows.find(candidate => candidate.lossClass === lossClass && candidate.kind === kind)!

  beforeAll(async () => {
    remove = modelProviders.add('the test', { made: madeModel(made.luck) })
    folder = await mkdtemp(join(tmpdir(), 'causes-'))
    causes = await findCauses({ folder, ...made }, 1)
  }, 120_000)
  afterAll(() => remove())

  it('classes each loss as it was made', () => {
    expect(new Set(causes.rows.map(({ lossClass }) => lossClass))).toEqual(
      new Set(['not-surfaced', 'not-in-view', 'cut-from-window', 'wrong']),
    )
  })

  it.each([
    ['not-surfaced', 'give'],
    ['not-in-view', 'give'],
    ['cut-from-window', 'context-policy'],
  ])('finds the share of %s that %s brings back, in its interval', (lossClass, kind) => {
    const { cameBack, difference, byChance, verdict } = row(lossClass, kind)
    const truth = made.responsive + (1 - made.responsive) * made.luck
    expect(cameBack!.low).toBeLessThan(truth)
    expect(cameBack!.high).toBeGreaterThan(truth)
    expect(byChance!.low).toBeLessThan(made.luck)
    expect(byChance!.high).toBeGreaterThan(made.luck)
    expect(difference!.low).toBeGreaterThan(0)
    expect(verdict).toBe('confirmed')
  })

  it('finds that more searches bring back only what more searches would have found', () => {
    const [given, searched] = [row('not-surfaced', 'give'), row('not-surfaced', 'budget')]
    expect(searched.cameBack!.mean).toBeLessThan(given.cameBack!.mean - 0.15)
    expect(searched.cameBack!.mean).toBeGreaterThan(row('not-surfaced', 'give').byChance!.mean)
  })

  it('says in one sentence what brings the points back', () => {
    expect(causes.sentence).toMatch(
      /^Of [\d.]+ points lost online, [\d.]+ come back when the missed documents are given \([\d.]+ by chance alone\), .*with twice the searches \([\d.]+ by chance alone\).*\.$/,
    )
  })

  it('is among the figures of a pack that verify computes again', async () => {
    const out = join(folder, 'causes.zip')
    await packRuns([join(folder, 'causes')], {
      ...{ out, withheld: [], acceptKeys: false, env: {} },
      citation: { authors: [{ name: 'A' }], title: 'T', licence: 'CC0-1.0' },
    })
    const pack = await unpackPack(out)
    const { isEqual, runs } = await verifyPack(pack, { replay: false })
    await pack.close()
    const figures = runs[0]!.figures.filter(({ figure }) => figure.startsWith('causes: '))
    const { cameBack, difference, lost } = row('not-surfaced', 'give')
    expect(isEqual).toBe(true)
    expect(figures.filter(({ arm }) => /fork-give.*not-surfaced/.test(arm))).toEqual(
      expect.arrayContaining(
        [
          ...[['come back', cameBack!.mean] as const, ['come back, low end of 95%', cameBack!.low] as const],
          ['difference', difference!.mean] as const,
        ].map(([name, value]) =>
          expect.objectContaining({ figure: `causes: ${name}`, value, now: value, checkedFrom: 'scored' }),
        ),
      ),
    )
    expect(figures).toContainEqual(
      expect.objectContaining({ figure: 'causes: lost by the ledger', now: lost, checkedFrom: 'records' }),
    )
  })

  it('names an attempt whose trace has no request of a model, and plans forks of all others', async () => {
    const run = await openSource(join(folder, 'run'))
    const config = await completeForkOptions(run, { out: folder, forks: folder })
    const choice = { sample: 1_000, repeats: 1, seed: 1 }
    const whole = await planCauses(run, config, choice)
    const { attemptId } = whole.plan.forks[0]!
    const path = tracePath(join(folder, 'run'), attemptId)
    const lines = (await readFile(path, 'utf8')).split('\n')
    await writeFile(path, lines.filter(line => !line.includes('"type":"model-called"')).join('\n'))
    const { plan, refusals } = await planCauses(run, config, choice)
    expect(refusals).toEqual([expect.stringContaining(`${attemptId}: its trace has no request of a model`)])
    expect(plan.forks).toEqual(whole.plan.forks.filter(fork => fork.attemptId !== attemptId))
  })
})
