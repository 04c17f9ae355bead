import { casefold } from '../../python/casefold.ts'
import { type Metric, passOrFail } from '../metric.ts'
import { toFloat, toInteger } from '../python-coercion.ts'
import { pythonStr } from '../python-str.ts'

/** Both true or both false; two values that are both no truth value pass too, as in the published package. */
export const booleanExact: Metric = {
  judged: false,
  compare({ gold, predicted }) {
    const left = typeof gold === 'boolean' ? gold : null
    const right = typeof predicted === 'boolean' ? predicted : null
    return passOrFail(left === right)
  },
}

/** Whole numbers equal, fractions cut; two values that are both none pass too, as in the published package. */
export const integerExact: Metric = {
  judged: false,
  compare: ({ gold, predicted }) => passOrFail(toInteger(gold) === toInteger(predicted)),
}

/** Numbers equal; two values that are both no number pass too, as in the published package. */
export const numberExact: Metric = {
  judged: false,
  compare: ({ gold, predicted }) => passOrFail(toFloat(gold) === toFloat(predicted)),
}

/** Texts equal as they stand; what is no text as Python writes it. */
export const stringExact: Metric = {
  judged: false,
  compare: ({ gold, predicted }) => passOrFail(pythonStr(gold) === pythonStr(predicted)),
}

/** Texts equal after full Unicode case folding. */
export const stringCaseInsensitive: Metric = {
  judged: false,
  compare: ({ gold, predicted }) => passOrFail(casefold(pythonStr(gold)) === casefold(pythonStr(predicted))),
}
