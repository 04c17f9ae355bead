import type { Curve, ReportGroup } from './report.ts'

const option = /(?:^|,)context-tokens=(\d+)/

/** Cell F1, and the share of evidence in the prompt, against tokens of context: a line for each rag variant but for its size. */
export function contextCurves(groups: readonly ReportGroup[]): Curve[] {
  const curves = new Map<string, Curve & { points: { x: number; y: number }[] }>()
  for (const group of groups) {
    const tokens = option.exec(group.variant)?.[1]
    if (tokens === undefined) continue
    const variant = group.variant.replace(option, '').replace(/^,/, '')
    const measured = { cellF1: group.cellF1.mean, evidenceInPrompt: group.evidenceInPrompt }
    for (const [y, value] of Object.entries(measured)) {
      if (value === null) continue
      const { setting, domain, model, profile, judge } = group
      const key = JSON.stringify([setting, domain, model, variant, y, profile, judge])
      const line = { figure: 'context', setting, domain, model, variant, x: 'contextTokens', y } as const
      const curve = curves.get(key) ?? { ...line, points: [] }
      curve.points.push({ x: Number(tokens), y: value })
      curves.set(key, curve)
    }
  }
  const lines = [...curves.values()].filter(curve => curve.points.length > 1)
  return lines.map(line => ({ ...line, points: line.points.toSorted((a, b) => a.x - b.x) }))
}
