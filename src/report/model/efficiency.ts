import { hasChangedClock } from '../../core/attempt.ts'
import { correctItems } from '../../core/score.ts'
import { meanOf } from '../../score/statistics/clusters.ts'
import { byDomain, type Entry, isScored } from './entries.ts'
import { meanOver, meanSpent, type Pooling } from './measures.ts'
import type { Efficiency } from './report-group.ts'

/** Returns the billed input and output tokens of an attempt, or null when either is unknown. */
export function tokensOf(entry: Entry): number | null {
  const { inputTokens, outputTokens } = entry.attempt.usage
  return inputTokens === null || outputTokens === null ? null : inputTokens + outputTokens
}

function correctCellsOf(entry: Entry): number | null {
  return isScored(entry) ? correctItems(entry.score) : null
}

/** Returns spending per correct item. Pooled by domain, it is null when the value of any domain is unknown. */
function perCorrectCell(
  entries: readonly Entry[],
  read: (entry: Entry) => number | null,
  pooling: Pooling,
): number | null {
  if (pooling === 'tasks') return spentPerCell(entries, read)
  const own = byDomain(entries.filter(isScored)).map(([, group]) => spentPerCell(group, read))
  const known = own.filter(value => value !== null)
  return own.length === 0 || known.length < own.length ? null : meanOf(known)
}

/** Divides what the scored attempts spent by their correct items. Returns null without any correct item. */
function spentPerCell(entries: readonly Entry[], read: (entry: Entry) => number | null): number | null {
  const scored = entries.filter(isScored)
  const correct = scored.reduce((sum, entry) => sum + (correctCellsOf(entry) ?? 0), 0)
  if (correct === 0) return null
  let spent = 0
  for (const entry of scored) {
    const value = read(entry)
    if (value === null) return null
    spent += value
  }
  return spent / correct
}

/** Providers leave out cached tokens when there are none, so the mean is null only when no attempt reports any. */
function cachedOf(entries: readonly Entry[], pooling: Pooling): number | null {
  const named = entries.some(entry => entry.attempt.usage.cachedInputTokens !== null)
  const read = ({ attempt: { usage } }: Entry): number | null =>
    usage.inputTokens === null ? null : (usage.cachedInputTokens ?? 0)
  return named ? meanOver(entries, read, pooling) : null
}

/** Computes where the tokens, time and money of these attempts went. */
export function efficiencyOf(entries: readonly Entry[], pooling: Pooling): Efficiency {
  const over = (read: (entry: Entry) => number | null) => meanOver(entries, read, pooling)
  const spent = (read: (entry: Entry) => number | null) => meanSpent(entries, read, pooling)
  const perCell = (read: (entry: Entry) => number | null) => perCorrectCell(entries, read, pooling)
  return {
    inputTokens: spent(entry => entry.attempt.usage.inputTokens),
    cachedInputTokens: cachedOf(entries, pooling),
    outputTokens: spent(entry => entry.attempt.usage.outputTokens),
    workingMs: over(entry => entry.attempt.usage.workingMs),
    usdModel: spent(entry => entry.attempt.usage.usdModel),
    usdSearch: spent(entry => entry.attempt.usage.usdSearch),
    usdFetch: spent(entry => entry.attempt.usage.usdFetch),
    usdJudge: spent(entry => entry.score?.judgeUsage.usd ?? null),
    correctCells: over(correctCellsOf),
    tokensPerCorrectCell: perCell(tokensOf),
    usdPerCorrectCell: perCell(entry => entry.attempt.usage.usd),
    wallMsPerCorrectCell: perCell(entry =>
      hasChangedClock(entry.attempt) ? null : entry.attempt.usage.wallMs,
    ),
  }
}
