import type { Score } from '../../src/core/score.ts'
import { makeTable, type Table } from '../../src/core/table.ts'
import { type BenchmarkTables, groupByName, type TableInput } from '../../src/core/table-layout.ts'

/** An answer with a verdict: what it claims, and whether it is right. */
export interface JudgedConfidence {
  /** 0 to 1. */
  readonly confidence: number
  readonly isCorrect: boolean
}

/** Answers of a bin of a calibration error, by confidence. */
const binSize = 100

/**
 * The calibration error as the published code computes it. The answers are sorted by confidence and divided into bins of 100,
 * the last of which takes the rest. It is the root of the mean squared gap between confidence and accuracy, weighted by the
 * size of the bin. The published code leaves the last bin out of the sum, but not out of the number of answers. It reports 0 for
 * fewer than 100 answers. Answers of one confidence keep their order.
 */
export function computePublishedCalibrationError(answers: readonly JudgedConfidence[]): number {
  return answers.length < binSize ? 0 : computeErrorOver(divideIntoBins(answers).slice(0, -1), answers.length)
}

/** The calibration error over all bins, the last one included. Null without answers. */
export function computeCalibrationError(answers: readonly JudgedConfidence[]): number | null {
  return answers.length === 0 ? null : computeErrorOver(divideIntoBins(answers), answers.length)
}

function divideIntoBins(answers: readonly JudgedConfidence[]): JudgedConfidence[][] {
  const sorted = answers.toSorted((a, b) => a.confidence - b.confidence)
  const count = Math.max(1, Math.floor(sorted.length / binSize))
  return Array.from({ length: count }, (_, at) =>
    sorted.slice(at * binSize, at === count - 1 ? sorted.length : (at + 1) * binSize),
  )
}

function computeErrorOver(bins: readonly (readonly JudgedConfidence[])[], total: number): number {
  const squares = bins.map(bin => {
    const confidence = bin.reduce((sum, answer) => sum + answer.confidence, 0) / bin.length
    const accuracy = bin.filter(({ isCorrect }) => isCorrect).length / bin.length
    return (bin.length / total) * (confidence - accuracy) ** 2
  })
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0))
}

/**
 * The accuracy as the published code computes it: right answers divided by files read. An attempt that was not completed, is
 * empty or has a verdict that cannot be read is wrong. An attempt whose judge failed does not count. Null without attempts.
 */
export function computePublishedAccuracy(scores: readonly Score[]): number | null {
  const counted = scores.filter(
    ({ cause, counts }) => (cause !== 'judge' || counts.unreadableVerdicts === 1) && cause !== 'scorer',
  )
  if (counted.length === 0) return null
  return counted.filter(score => isCompleted(score) && isRight(score)).length / counted.length
}

const isCompleted = ({ counts }: Score): boolean => counts.completedAnswers === 1
const isRight = ({ metrics }: Score): boolean => metrics.browseCompAccuracy === 1

function listJudgedConfidences(scores: readonly Score[]): JudgedConfidence[] {
  return scores.flatMap(score => {
    const { browseCompConfidence: confidence } = score.metrics
    return typeof confidence === 'number' ? [{ confidence, isCorrect: isRight(score) }] : []
  })
}

/** Makes the table of BrowseComp-Plus's leaderboard. */
function makeLeaderboard({ scorer, arms }: TableInput): Table[] {
  if (scorer !== 'browsecomp-plus') return []
  const groups = groupByName(arms, ({ domain }) => domain)
  // A single domain would repeat the rows of all attempts.
  const isWhole = new Set(groups.map(({ name }) => name)).size === 2
  return [
    makeTable({
      title: 'BrowseComp-Plus by arm',
      rows: groups
        .filter(({ name }) => !isWhole || name === 'all')
        .map(({ attempts, ...group }) => ({
          ...group,
          n: attempts.length,
          scores: attempts.flatMap(({ score }) => score ?? []),
        })),
      columns: column => [
        column('domain', 'text', ({ name }) => name),
        column('model', 'model', ({ arm }) => arm.model),
        column('setting', 'arm', ({ arm: { setting, options } }) => ({ setting, options })),
        column('scored', 'count', ({ scores }) => countScored(scores)),
        column('unscored', 'count', ({ n, scores }) => n - countScored(scores)),
        column('Accuracy, published', 'share', ({ scores }) => computePublishedAccuracy(scores)),
        column('Calibration error, published', 'share', ({ scores }) =>
          computePublishedCalibrationError(listJudgedConfidences(scores.filter(isCompleted))),
        ),
        column('Calibration error, all bins', 'share', ({ scores }) =>
          computeCalibrationError(listJudgedConfidences(scores)),
        ),
      ],
      remarks: [
        'Published accuracy: attempts that were not completed are wrong, and attempts whose judge failed do not count.',
        'The published calibration error leaves out the last bin of 100 answers. It is 0 below 200 answers.',
      ],
    }),
  ]
}

const countScored = (scores: readonly Score[]): number =>
  scores.filter(({ status }) => status === 'scored').length

/** The table of BrowseComp-Plus's leaderboard. */
export const browseCompPlusTables: BenchmarkTables = { layouts: [], reportTables: makeLeaderboard }
