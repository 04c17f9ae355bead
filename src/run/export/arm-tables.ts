import { optionsText } from '../../core/arm.ts'
import { type ArmStanding, listArmStandings, sortLosses } from '../../report/model/arm-standings.ts'
import { listScoringMetrics } from '../../report/model/metrics.ts'
import type { Report } from '../../report/model/report.ts'
import { listScorings } from '../../report/model/scorings.ts'
import { boolean, declareTable, type ExportedRun, integer, json, number, text } from './table.ts'

/** One row for each arm and scoring of a run. */
export const arms = declareTable({
  name: 'arms',
  description:
    'One row for each arm and scoring of a run: score, difference to the baseline, losses and cost, over the tasks that stand side by side ([statistics.md](statistics.md#means-that-stand-side-by-side)).',
  columns: {
    ...text({
      run: 'The name of the run.',
      arm: 'The id of the arm.',
      setting: 'How the question was asked.',
      model: 'The model under test.',
      options: "Options that differ from the defaults; `''` when none does.",
      scorer: 'The scorer.',
      judge: 'The judge.',
      metric: 'The key of the primary metric.',
    }),
    ...boolean({ isBaseline: 'Whether the others are compared with this arm.' }),
    ...integer({
      n: 'Attempts, over all tasks of the arm.',
      scored: 'Attempts with a score, over all tasks of the arm.',
      tasks: 'The tasks of `mean`, losses and cost: those that all arms scored, or else all of the arm.',
      pairedTasks: 'Tasks scored in the arm and in the baseline; null for the baseline.',
    }),
    ...number({
      mean: 'The mean of the metric, in its unit.',
      low: 'The lower end of its 95% interval; null when there are too few components.',
      high: 'The upper end of this interval.',
      ownMean: 'The mean over all tasks of the arm.',
      difference: 'The arm minus the baseline, over `pairedTasks`; null for the baseline.',
      simultaneousLow: 'The lower end of its simultaneous 95% interval for all differences of the scoring.',
      simultaneousHigh: 'The upper end of this interval.',
    }),
    ...number(
      {
        pValueHolm: 'The p-value of the difference, corrected for all differences of the scoring by Holm.',
        lost: 'The share of the gold items that is not correct; null when unknown.',
      },
      '0 to 1',
    ),
    ...text({ largestLoss: 'The class with the largest share of the gold items; null without a loss.' }),
    ...json({ losses: 'The share of the gold items that each class of lost items has.' }),
    ...number({
      usd: 'US dollars for an attempt.',
      wallMs: 'Milliseconds of an attempt.',
      tokens: 'Tokens of an attempt.',
      usdPerCorrectItem: 'What all scored attempts cost, divided by their correct items.',
      wallMsPerCorrectItem: 'The same for milliseconds.',
      tokensPerCorrectItem: 'The same for tokens.',
    }),
  },
  runRows: ({ name, report }: ExportedRun) =>
    listScorings(report.groups).flatMap(scoring =>
      listArmStandings(report, scoring).map(standing => ({ run: name, ...makeArmRow(standing, report) })),
    ),
})

function makeArmRow({ group, own, isBaseline, difference, losses }: ArmStanding, { scorers }: Report) {
  const { arm, setting, model, scorer, judge, efficiency, usd, wallMs, tokens } = group
  const metric = listScoringMetrics(scorers, scorer).primary?.key ?? ''
  const { mean = null, low = null, high = null } = group.metrics[metric] ?? {}
  const { simultaneousLow = null, simultaneousHigh = null, pValueHolm = null } = difference ?? {}
  return {
    arm,
    setting,
    model,
    options: optionsText(group.options),
    scorer,
    judge,
    metric,
    isBaseline,
    n: own.n,
    scored: own.scored,
    tasks: group.tasks,
    pairedTasks: difference?.n ?? null,
    mean,
    low,
    high,
    ownMean: own.metrics[metric]?.mean ?? null,
    difference: difference?.mean ?? null,
    simultaneousLow,
    simultaneousHigh,
    pValueHolm,
    lost: losses.recall === null ? null : 1 - losses.recall,
    largestLoss: sortLosses(losses)[0]?.[0] ?? null,
    losses: Object.fromEntries(losses.classes),
    usd,
    wallMs,
    tokens,
    usdPerCorrectItem: efficiency.usdPerCorrectCell,
    wallMsPerCorrectItem: efficiency.wallMsPerCorrectCell,
    tokensPerCorrectItem: efficiency.tokensPerCorrectCell,
  }
}

/** One row for each difference between two arms of a run. */
export const differences = declareTable({
  name: 'differences',
  description:
    'One row for each difference between two arms of a run, paired over tasks ([statistics.md](statistics.md)).',
  columns: {
    ...text({
      run: 'The name of the run.',
      fromArm: 'The id of the arm that is compared with.',
      toArm: 'The id of the arm that is compared.',
      from: 'The name of `fromArm`: its setting, with its options.',
      to: 'The name of `toArm`.',
    }),
    ...boolean({
      againstFirst: 'False for a difference between two arms of which neither is the default or the first.',
    }),
    ...text({
      domain: 'The domain; `all` for all tasks.',
      model: 'The model, or both models of a difference between models.',
      scorer: 'The scorer.',
      judge: 'The judge.',
      metric: 'The key of the metric.',
    }),
    ...integer({
      tasks: 'Tasks scored in both arms.',
      components: 'Groups of tasks that share documents: the independent units of interval and test.',
    }),
    ...number({
      mean: '`toArm` minus `fromArm`, in the unit of the metric.',
      low: 'The lower end of the 95% interval of this difference alone; null when there are too few components.',
      high: 'The upper end of this interval.',
      simultaneousLow:
        'The lower end of the simultaneous 95% interval for all tests of its table; null like `low`.',
      simultaneousHigh: 'The upper end of this interval.',
      detectable:
        'The smallest difference that 80% of such runs find with `pValueHolm` at most 0.05; null when they find none.',
    }),
    ...number(
      {
        pValue: 'Of a sign-flip permutation test; null for fewer than five components.',
        pValueHolm: '`pValue` corrected for the other p-values of its table by Holm; null like it.',
        leastHolm: 'The least `pValueHolm` that so many components and tests allow; null like it.',
        unseenShare:
          'Present when the intervals are too narrow for such scores: the share of components with other scores that could have gone unseen.',
      },
      '0 to 1',
    ),
  },
  runRows: ({ name, report }: ExportedRun) =>
    report.differences.map(row => ({ ...row, run: name, toArm: row.arm, tasks: row.n })),
})
