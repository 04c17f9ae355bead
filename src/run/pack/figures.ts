import { listArmStandings } from '../../report/model/arm-standings.ts'
import { scoringMetrics } from '../../report/model/metrics.ts'
import type { Report } from '../../report/model/report.ts'
import { scorings } from '../../report/model/scorings.ts'
import type { PackedFigure } from './pack-layout.ts'

/** Figures of summaries, beside those of the primary metric. */
const headlines: ReadonlySet<string> = new Set(['scored', 'p Holm', 'lost', 'US$ per attempt'])

/** Lists the figures of a report, arm by arm: counts, means with their intervals, differences to the baseline, losses and costs. */
export function listFigures(run: string, report: Report): PackedFigure[] {
  return scorings(report.groups).flatMap(scoring =>
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
      const { primary, all } = scoringMetrics(report.scorers, own.scorer)
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

/** Whether two figures are equal. Sums may be rounded differently on another processor. */
export function areEqualFigures(first: number | null, second: number | null): boolean {
  if (first === null || second === null) return first === second
  return Math.abs(first - second) <= 1e-9 * Math.max(1, Math.abs(first), Math.abs(second))
}
