import type { Curve, ReportGroup } from './report.ts'
import { firstScoringOf } from './report-table.ts'

const option = /(?:^|,)context-tokens=(\d+)/

/**
 * Cell F1 by each scoring, and the share of evidence in the prompt, which none changes, against tokens of context: a line for
 * each rag variant but for its size.
 */
export function contextCurves(groups: readonly ReportGroup[]): Curve[] {
  const curves = new Map<string, Curve & { points: { x: number; y: number }[] }>()
  const add = (
    group: ReportGroup,
    y: string,
    value: number | null,
    scoring: Pick<Curve, 'profile' | 'judge'>,
  ) => {
    const tokens = option.exec(group.variant)?.[1]
    if (tokens === undefined || value === null) return
    const variant = group.variant.replace(option, '').replace(/^,/, '')
    const { setting, domain, model } = group
    const key = JSON.stringify([setting, domain, model, variant, y, scoring])
    const line = {
      figure: 'context',
      setting,
      domain,
      model,
      variant,
      ...scoring,
      x: 'contextTokens',
      y,
    } as const
    const curve = curves.get(key) ?? { ...line, points: [] }
    curve.points.push({ x: Number(tokens), y: value })
    curves.set(key, curve)
  }
  for (const group of groups)
    add(group, 'cellF1', group.cellF1.mean, { profile: group.profile, judge: group.judge })
  for (const group of firstScoringOf(groups)) add(group, 'evidenceInPrompt', group.evidenceInPrompt, {})
  const lines = [...curves.values()].filter(curve => curve.points.length > 1)
  return lines.map(line => ({ ...line, points: line.points.toSorted((a, b) => a.x - b.x) }))
}
