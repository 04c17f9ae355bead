import { makeTable, type Table } from '../../core/table.ts'
import type { MeanInterval } from '../../score/statistics/intervals.ts'
import type { CausalRow } from '../model/causal-waterfall.ts'
import type { Report } from '../model/report.ts'

const unit = 'share'

const shareCell = (measure: MeanInterval | null) =>
  measure === null ? null : ({ unit, mean: measure.mean, low: measure.low, high: measure.high } as const)

/** Shows which share of the lost items of each class comes back when one thing is changed. */
export function makeCausalTables(causes: Report['causes']): Table[] {
  if (causes === null) return []
  const { rows, sentence, doubts } = causes
  const unscored = rows.reduce((sum, row) => sum + row.unscored, 0)
  const withoutEffect = rows.filter(row => row.withoutEffect > 0)
  return [
    makeTable({
      title: 'Lost items that come back when one thing is changed',
      rows,
      columns: column => [
        column('class', 'text', row => row.lossClass),
        column('lost', 'share', row => row.lost, { head: 'lost\n(ledger)' }),
        column('intervention', 'text', row => row.intervention),
        column('items', 'count', row => row.items),
        column('forks', 'count', row => row.forks),
        column('come back', 'interval', row => shareCell(row.cameBack), { head: 'come back\n[95%]' }),
        column('by chance', 'mean', row => shareCell(row.byChance), { head: 'by\nchance' }),
        column('difference', 'change', row => row.difference && { unit, ...row.difference }, {
          head: 'difference\n[95%]',
        }),
        column('comes back of lost', 'share', row => row.back, { head: 'back,\nof all' }),
        column('newly lost', 'share', row => row.newlyLost, { head: 'newly\nlost' }),
        column('class confirmed', 'text', row => verdictTexts[row.verdict], { head: 'class\nconfirmed' }),
      ],
      remarks: [
        ...(sentence === null ? [] : [sentence]),
        'lost: percent of all gold items that the source run lost to the class, by its ledger. come back: percent of the forked lost items that are right in the forks. by chance: the same without a change. back, of all: percent of all gold items. newly lost: percent of the gold items of these tasks that are right without the change and wrong with it, over all controls of the step. Means over tasks, intervals over groups of tasks.',
        ...listNewlyLostRemark(rows),
        ...doubts,
        ...withoutEffect.map(
          row =>
            `${row.lossClass}, ${row.intervention}: in ${row.withoutEffect} of ${row.forks} forks the agent made no further call, so that nothing was changed.`,
        ),
        ...(unscored === 0 ? [] : [`${unscored} forks are unscored and left out (see Terminations).`]),
      ],
    }),
  ]
}

/** Says what `newly lost` contains, when it is known of the printed rows. */
function listNewlyLostRemark(rows: readonly CausalRow[]): string[] {
  const known = rows.filter(({ newlyLost }) => newlyLost !== null)
  const uncorrected = known.filter(({ newlyLostByChance }) => newlyLostByChance === null)
  if (known.length === 0) return []
  return uncorrected.length === 0
    ? ['newly lost is beyond chance: without what two controls of a step lose against each other.']
    : [
        `newly lost${uncorrected.length === known.length ? '' : ` (${uncorrected.map(({ lossClass, intervention }) => `${lossClass}, ${intervention}`).join('; ')})`} contains what is lost by chance, because each step has one control. --repeat 2 takes it off.`,
      ]
}

const verdictTexts: Readonly<Record<CausalRow['verdict'], string>> = {
  confirmed: 'yes',
  'not-confirmed': 'no',
  unclear: 'unclear',
}
