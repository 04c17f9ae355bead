import { type Metric, passOrFail } from '../metric.ts'
import { toFloat } from '../python-coercion.ts'

/** Numbers equal; two values that are both no number pass too, as in the published package. */
export const numberExact: Metric = {
  judged: false,
  compare: ({ gold, predicted }) => passOrFail(toFloat(gold) === toFloat(predicted)),
}
