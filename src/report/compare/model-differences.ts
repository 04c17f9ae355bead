import { pairedDifference } from '../../score/statistics/paired-difference.ts'
import { settingLabel } from '../model/arm-names.ts'
import { type Entry, groupBy, groupByKey } from '../model/entries.ts'
import { bootstrapSeed, metricValues } from '../model/measures.ts'
import { metricKeys } from '../model/metrics.ts'
import type { DifferenceRow } from '../model/report.ts'

/** What each model gains over those before it in the same setting and variant, paired over tasks. */
export function modelDifferences(entries: readonly Entry[]): DifferenceRow[] {
  const families = groupBy(groupByKey(entries), ({ key }) =>
    JSON.stringify([key.profile, key.judge, key.setting, key.variant]),
  )
  return [...families.values()].flatMap(family =>
    family.flatMap((from, at) =>
      family.slice(at + 1).flatMap(to =>
        metricKeys.flatMap(metric => {
          const found = pairedDifference(
            metricValues(from.entries, metric),
            metricValues(to.entries, metric),
            bootstrapSeed,
          )
          if (found === null) return []
          const { n, mean, low, high, pValue } = found
          const { profile, judge } = to.key
          const label = settingLabel(to.key)
          const names = { from: `${label} · ${from.key.model}`, to: `${label} · ${to.key.model}` }
          return [
            {
              ...names,
              domain: 'all',
              model: to.key.model,
              profile,
              judge,
              n,
              metric,
              mean,
              low,
              high,
              pValue,
            },
          ]
        }),
      ),
    ),
  )
}
