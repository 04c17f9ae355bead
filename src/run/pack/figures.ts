import { listArmStandings } from '../../report/model/arm-standings.ts'
import { listScoringMetrics } from '../../report/model/metrics.ts'
import type { Report } from '../../report/model/report.ts'
import { listScorings } from '../../report/model/scorings.ts'
import type { PackedFigure } from './pack-layout.ts'

/** Figures of summaries, beside those of the primary metric. */
const headlines: ReadonlySet<string> = new Set(['scored', 'p Holm', 'lost', 'US$ per attempt'])

/**
 * Lists the figures of a report, arm by arm: counts, means with their intervals, differences to the baseline, losses and costs;
 * then those of the table of causes.
 */
export function listFigures(run: string, report: Report): PackedFigure[] {
  return [...listArmFigures(run, report), ...listCauseFigures(run, report)]
}

function listArmFigures(run: string, report: Report): PackedFigure[] {
  return listScorings(report.groups).flatMap(scoring =>
    listArmStandings(report, scoring).flatMap(({ own, difference, losses }) => {
      const figure = (
        from: PackedFigure['from'],
        name: string,
        value: number | null | undefined,
        unit: PackedFigure['unit'] = 'share',
      ): PackedFigure => {
        const isHeadline = headlines.has(name) || name.startsWith(primary?.label ?? '\n')
        return { run, arm: own.arm, scoring, figure: name, unit, from, isHeadline, value: value ?? null }
      }
      const { primary, all } = listScoringMetrics(report.scorers, own.scorer)
      return [
        figure('records', 'attempts', own.n, 'count'),
        figure('scores', 'scored', own.scored, 'count'),
        ...all.flatMap(({ key, label, unit }) => {
          const metric = own.metrics[key]
          if (metric === undefined) return []
          const mean = figure('scores', label, metric.mean, unit)
          if (key !== primary?.key) return [mean]
          return [
            mean,
            figure('scores', `${label}, low end of 95%`, metric.low, unit),
            figure('scores', `${label}, high end of 95%`, metric.high, unit),
          ]
        }),
        ...(difference === null || primary === null
          ? []
          : [
              figure('scores', `${primary.label} minus baseline`, difference.mean, primary.unit),
              figure('scores', 'p Holm', difference.pValueHolm, 'points'),
            ]),
        ...(losses.recall === null ? [] : [figure('classes', 'lost', 1 - losses.recall)]),
        ...losses.classes.map(([name, share]) => figure('classes', `lost: ${name}`, share)),
        figure('records', 'US$ per attempt', own.usd, 'points'),
        figure('records', 'tokens per attempt', own.tokens, 'points'),
        figure('records', 'seconds per attempt', own.wallMs === null ? null : own.wallMs / 1000, 'points'),
      ]
    }),
  )
}

/** Lists the figures of the table of causes, which is about the first scoring. */
function listCauseFigures(run: string, { causes, arms, groups }: Report): PackedFigure[] {
  const [scoring = 'none'] = listScorings(groups)
  return (causes?.rows ?? []).flatMap(row => {
    const ofRow = arms.filter(
      ({ options }) => options.cause === row.lossClass && options.fork === row.intervention,
    )
    const figure = (
      from: PackedFigure['from'],
      name: string,
      value: number | null | undefined,
      unit: PackedFigure['unit'] = 'share',
    ): PackedFigure => ({
      ...{ run, arm: ofRow.map(({ id }) => id).join(', '), scoring, figure: `causes: ${name}`, unit, from },
      isHeadline: unit === 'share' && !name.includes(' end of '),
      value: value ?? null,
    })
    return [
      figure('records', 'lost by the ledger', row.lost),
      figure('records', 'items', row.items, 'count'),
      figure('scores', 'forks', row.forks, 'count'),
      figure('scores', 'come back', row.cameBack?.mean),
      figure('scores', 'come back, low end of 95%', row.cameBack?.low),
      figure('scores', 'come back, high end of 95%', row.cameBack?.high),
      figure('scores', 'by chance', row.byChance?.mean),
      figure('scores', 'difference', row.difference?.mean),
      figure('scores', 'difference, low end of 95%', row.difference?.low),
      figure('scores', 'difference, high end of 95%', row.difference?.high),
      figure('scores', 'comes back of lost', row.back),
      figure('scores', 'comes back of lost by chance', row.backByChance),
      figure('scores', 'newly lost', row.newlyLost),
    ]
  })
}

/** Whether two figures are equal. Sums may be rounded differently on another processor. */
export function areEqualFigures(first: number | null, second: number | null): boolean {
  if (first === null || second === null) return first === second
  return Math.abs(first - second) <= 1e-9 * Math.max(1, Math.abs(first), Math.abs(second))
}
