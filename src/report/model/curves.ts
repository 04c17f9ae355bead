import { firstScoringOf } from '../tables/report-table.ts'
import type { Curve, ReportGroup } from './report.ts'

/** Evidence recall against the number of chunks, one line a retriever and domain, whatever the scorings. */
export function evidenceCurves(groups: readonly ReportGroup[]): Curve[] {
  return firstScoringOf(groups).flatMap(group => {
    if (group.evidenceRecall === null) return []
    const { setting, domain, model, variant } = group
    const points = Object.entries(group.evidenceRecall).map(([k, recall]) => ({ x: Number(k), y: recall }))
    return [
      {
        figure: 'evidence-recall' as const,
        setting,
        domain,
        model,
        variant,
        profile: null,
        judge: null,
        x: 'k',
        y: 'evidenceRecall',
        points,
      },
    ]
  })
}
