import { type Metric, passOrFail } from '../metric.ts'

/** Both true or both false; two values that are both no truth value pass too, as in the published package. */
export const booleanExact: Metric = {
  judged: false,
  compare({ gold, predicted }) {
    const left = typeof gold === 'boolean' ? gold : null
    const right = typeof predicted === 'boolean' ? predicted : null
    return passOrFail(left === right)
  },
}
