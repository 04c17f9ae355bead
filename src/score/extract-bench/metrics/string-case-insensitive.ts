import { casefold } from '../../python/casefold.ts'
import { type Metric, passOrFail } from '../metric.ts'
import { pythonStr } from '../python-str.ts'

/** Texts equal after full Unicode case folding. */
export const stringCaseInsensitive: Metric = {
  judged: false,
  compare: ({ gold, predicted }) => passOrFail(casefold(pythonStr(gold)) === casefold(pythonStr(predicted))),
}
