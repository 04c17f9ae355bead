import { pythonStr } from '../../../src/score/python/json-value.ts'
import { casefold } from '../../../src/text/plain-text.ts'
import { type Metric, passOrFail } from '../metric.ts'
import { toFloat, toInteger } from '../python-coercion.ts'

/**
 * `boolean_exact`: both true or both false. Two values that are not booleans pass too: a defect of the published
 * package that is kept.
 */
export const booleanExact: Metric = {
  judged: false,
  compare({ gold, predicted }) {
    const left = typeof gold === 'boolean' ? gold : null
    const right = typeof predicted === 'boolean' ? predicted : null
    return passOrFail(left === right)
  },
}

/**
 * `integer_exact`: equal whole numbers after truncation. Two values that are not numbers pass too: a defect of the
 * published package that is kept.
 */
export const integerExact: Metric = {
  judged: false,
  compare: ({ gold, predicted }) => passOrFail(toInteger(gold) === toInteger(predicted)),
}

/**
 * `number_exact`: equal numbers. Two values that are not numbers pass too: a defect of the published package that is
 * kept.
 */
export const numberExact: Metric = {
  judged: false,
  compare: ({ gold, predicted }) => passOrFail(toFloat(gold) === toFloat(predicted)),
}

/** `string_exact`: equal texts. Other values are compared as Python's str() writes them. */
export const stringExact: Metric = {
  judged: false,
  compare: ({ gold, predicted }) => passOrFail(pythonStr(gold) === pythonStr(predicted)),
}

/** `string_case_insensitive`: equal texts after full Unicode case folding. */
export const stringCaseInsensitive: Metric = {
  judged: false,
  compare: ({ gold, predicted }) => passOrFail(casefold(pythonStr(gold)) === casefold(pythonStr(predicted))),
}
