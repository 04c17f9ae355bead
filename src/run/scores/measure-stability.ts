import { scorers } from '../../../tasks/registry.ts'
import { nameRecordedJudge } from '../../score/contract/scorer.ts'
import { measureJudgeStability, type ScoreDigest } from '../../score/statistics/stability.ts'
import type { ScoringStability } from '../records/stability-file.ts'

export function measureStability(
  repeats: readonly (readonly ScoreDigest[])[],
  judge: string,
): ScoringStability[] {
  const scorerNames = [...new Set(repeats.flatMap(digests => digests.map(digest => digest.scorer)))]
  return scorerNames.map(scorer => {
    const scorerDigests = repeats.map(digests => digests.filter(digest => digest.scorer === scorer))
    const { measures, ...flips } = measureJudgeStability(scorerDigests)
    return {
      scorer,
      judge: nameRecordedJudge(scorers.get(scorer), judge),
      repeats: repeats.length,
      measures: [...measures],
      ...flips,
      scores: listMetrics(scorerDigests),
    }
  })
}

/** Returns the metrics of each attempt in each repeat, from which the correlations can be recomputed. */
function listMetrics(repeats: readonly (readonly ScoreDigest[])[]): ScoringStability['scores'] {
  const byAttempt = repeats.map(digests => new Map(digests.map(digest => [digest.attemptId, digest])))
  return [...(byAttempt[0]?.keys() ?? [])].map(attemptId => ({
    attemptId,
    repeats: byAttempt.map(digests => {
      const digest = digests.get(attemptId)
      return digest?.status === 'scored' ? { ...digest.measures } : null
    }),
  }))
}
