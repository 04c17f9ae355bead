export {
  bootstrapMean,
  bootstrapRatio,
  bootstrapResamples,
  type MeanInterval,
} from './statistics/bootstrap.ts'
export type { ClusteredValue } from './statistics/clusters.ts'
export { cohensKappa, pearson, spearman } from './statistics/correlation.ts'
export { type PairedDifference, pairedDifference } from './statistics/paired-difference.ts'
export {
  digestOf,
  judgeStability,
  type MeasureStability,
  type ScoreDigest,
  type Stability,
} from './statistics/stability.ts'
export { summarizeTrials, type TrialOutcome, type TrialSummary } from './statistics/trials.ts'
