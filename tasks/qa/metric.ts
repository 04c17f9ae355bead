import { countCommon, measureOverlap } from '../../src/score/fuzzy/overlap.ts'
import { makeScored, type TextMetric } from '../../src/score/metrics/metric.ts'
import { splitWords } from '../../src/score/metrics/rouge-l.ts'
import { rateStrictly } from '../../src/score/strict/rate-cell.ts'
import { withoutCitationMarks } from '../../src/score/table/raw-table.ts'

const columns = { gold: '', predicted: null, numeric: false }

/** Exact match by the rules of `strict`, and the F1 of the words. */
export const qaMetric: TextMetric = {
  async score({ reference, prediction }) {
    const answers = [prediction, withoutCitationMarks(prediction)].map(withoutFullStop)
    const isEqual = answers.some(text => rateStrictly(reference, text, columns)?.score === 1)
    const [gold, answer] = [reference, prediction].map(splitPlainWords)
    const { f1 } = measureOverlap(countCommon(gold!, answer!), answer!.length, gold!.length)
    const parts = { f1: isEqual ? 1 : f1 }
    return { ...makeScored(Number(isEqual), parts), rank: Number(isEqual) + parts.f1 }
  },
}

/** The words that SQuAD's published code compares, but with each CJK character as a word. */
const splitPlainWords = (text: string): string[] =>
  splitWords(
    text
      .toLowerCase()
      .replace(/[!-/:-@[-`{-~]/g, '')
      .replace(/(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu, ' '),
  )

/** Models end short answers as sentences: `12.` */
const withoutFullStop = (text: string): string => text.trim().replace(/(?<=[^.])[.。]$/, '')
