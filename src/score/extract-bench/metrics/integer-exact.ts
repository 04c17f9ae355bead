import { type Metric, passOrFail } from '../metric.ts'
import { toInteger } from '../python-coercion.ts'

/** Whole numbers equal, fractions cut; two values that are both none pass too, as in the published package. */
export const integerExact: Metric = {
  judged: false,
  compare: ({ gold, predicted }) => passOrFail(toInteger(gold) === toInteger(predicted)),
}
