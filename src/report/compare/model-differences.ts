import { optionsText } from '../../core/arm.ts'
import { pairedDifference } from '../../score/statistics/paired-difference.ts'
import { settingLabel } from '../model/arm-names.ts'
import type { ReportArms } from '../model/arms.ts'
import { type Entry, groupBy, groupByKey } from '../model/entries.ts'
import type { TestedRow } from '../model/holm-rows.ts'
import { metricValues } from '../model/measures.ts'
import { metricsOf, type RunScorers } from '../model/metrics.ts'

/** Computes what each model gains over the models before it in the same setting with the same options, paired over tasks. */
export function modelDifferences(
  entries: readonly Entry[],
  scorers: RunScorers,
  arms: ReportArms,
): TestedRow[] {
  const families = groupBy(groupByKey(entries), ({ key }) =>
    JSON.stringify([key.scorer, key.judge, key.setting, optionsText(key.options)]),
  )
  return [...families.values()].flatMap(family =>
    family.flatMap((from, at) =>
      family.slice(at + 1).flatMap(to =>
        metricsOf(scorers, to.key.scorer).compared.flatMap(({ key, range }) => {
          const found = pairedDifference(
            metricValues(from.entries, key),
            metricValues(to.entries, key),
            range,
          )
          if (found === null) return []
          const { scorer, judge } = to.key
          const label = settingLabel(to.key)
          const names = { from: `${label} · ${from.key.model}`, to: `${label} · ${to.key.model}` }
          const { model } = to.key
          const ids = { arm: arms.idOf(to.key), fromArm: arms.idOf(from.key), againstFirst: at === 0 }
          const row = { ...names, ...ids, domain: 'all', model, scorer, judge, ...found }
          return [{ ...row, metric: key }]
        }),
      ),
    ),
  )
}
