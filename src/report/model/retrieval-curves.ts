import { withoutOptions } from '../../core/arm.ts'
import { listScoringMetrics, type RunScorers } from './metrics.ts'
import type { ReportGroup } from './report-group.ts'
import type { Curve } from './report-rows.ts'
import { selectFirstScoring } from './scorings.ts'

const contextTokens = 'context-tokens'

/**
 * Computes curves against the number of context tokens. They show the primary metric of each scoring, and the
 * share of evidence in the prompt, which does not depend on the scoring. Rag arms that differ only in
 * context size share a line.
 */
export function makeContextCurves(groups: readonly ReportGroup[], scorers: RunScorers): Curve[] {
  return [
    ...makeCurves(groups, group => {
      const { primary } = listScoringMetrics(scorers, group.scorer)
      const value = primary === null ? null : (group.metrics[primary.key]?.mean ?? null)
      const { scorer, judge } = group
      return primary === null || value === null ? null : { y: primary.key, scorer, judge, value }
    }),
    ...makeCurves(selectFirstScoring(groups), ({ evidenceInPrompt: value }) =>
      value === null ? null : { y: 'evidenceInPrompt', scorer: null, judge: null, value },
    ),
  ]
}

interface CurvePoint {
  readonly y: string
  readonly scorer: string | null
  readonly judge: string | null
  readonly value: number
}

function makeCurves(
  groups: readonly ReportGroup[],
  readPoint: (group: ReportGroup) => CurvePoint | null,
): Curve[] {
  const curves = new Map<string, Curve & { points: { x: number; y: number }[] }>()
  for (const group of groups) {
    const tokens = group.options[contextTokens]
    const point = readPoint(group)
    if (tokens === undefined || point === null) continue
    const options = withoutOptions(group.options, [contextTokens])
    const { setting, domain, model } = group
    const { y, scorer, judge, value } = point
    const line = { figure: 'context', setting, domain, model, options, scorer, judge } as const
    const key = JSON.stringify([line, y])
    const curve = curves.get(key) ?? { ...line, x: 'contextTokens', y, points: [] }
    curve.points.push({ x: Number(tokens), y: value })
    curves.set(key, curve)
  }
  const lines = [...curves.values()].filter(curve => curve.points.length > 1)
  return lines.map(line => ({ ...line, points: line.points.toSorted((a, b) => a.x - b.x) }))
}

/** Computes evidence recall against the number of chunks, with one line for each retriever and domain. */
export function makeEvidenceCurves(groups: readonly ReportGroup[]): Curve[] {
  return selectFirstScoring(groups).flatMap(group => {
    if (group.evidenceRecall === null) return []
    const { setting, domain, model, options } = group
    const points = Object.entries(group.evidenceRecall).map(([k, recall]) => ({ x: Number(k), y: recall }))
    return [
      {
        figure: 'evidence-recall' as const,
        setting,
        domain,
        model,
        options,
        scorer: null,
        judge: null,
        x: 'k',
        y: 'evidenceRecall',
        points,
      },
    ]
  })
}
