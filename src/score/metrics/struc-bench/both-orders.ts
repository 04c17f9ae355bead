import { notScored, scored, type TextMetric } from '../metric.ts'

/** A judge's ratings of two tables, each usually 0 to 10. */
export interface TableRatings {
  readonly content: number
  readonly structure: number
}

/** How a judge model is asked to rate two tables. */
export interface TableRating {
  readonly maxOutputTokens: number
  promptOf(first: string, second: string): string
  /** Returns null for a reply that cannot be read. The judge is then asked again. */
  parse(reply: string): TableRatings | null
}

/**
 * Makes a metric that asks a judge model to rate content and structure, with the two tables in both orders. Its value
 * is the mean of all ratings over 10, between 0 and 1. Without both replies an answer is not scored.
 */
export function ratedInBothOrders({ maxOutputTokens, promptOf, parse }: TableRating): TextMetric {
  return {
    async score({ reference, prediction, judge }) {
      if (judge.kind !== 'model') return notScored('needs a judge model')
      const ask = (first: string, second: string) =>
        judge.ask({ prompt: promptOf(first, second), maxOutputTokens, parse })
      const outcomes = await Promise.all([ask(prediction, reference), ask(reference, prediction)])
      const [one, other] = outcomes.map(outcome => outcome.value)
      if (!one || !other)
        return notScored(outcomes.find(outcome => outcome.failure !== null)?.failure ?? 'the judge failed')
      const content = (one.content + other.content) / 2
      const structure = (one.structure + other.structure) / 2
      return scored(Math.min(1, Math.max(0, (content + structure) / 20)), { content, structure })
    },
  }
}
