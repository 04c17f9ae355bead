import { type Metric, passOrFail } from '../metric.ts'
import { pythonStr } from '../python-str.ts'

/** Texts equal as they stand; what is no text as Python writes it. */
export const stringExact: Metric = {
  judged: false,
  compare: ({ gold, predicted }) => passOrFail(pythonStr(gold) === pythonStr(predicted)),
}
