/** A length of time. Years count as months. Days stay apart, because months have different lengths. */
export interface Duration {
  readonly months: number
  readonly days: number
}

const unitForm =
  'years?|yrs?|months?|weeks?|days?|年|个月|個月|周|星期|天|(?<=年\\s*(?:零|又)?\\s*\\d+)月|(?<=月\\s*(?:零|又)?\\s*\\d+)日'
const partForm = `(?<![\\d.])\\d{1,3}(?:\\.\\d+)?\\s*-?\\s*(?:${unitForm})(?:半|['’](?:s\\b)?)?`

/**
 * A duration in Arabic digits, such as `1 year and 6 months`, `18个月`, `一年半` after `withDigits`. 11月 is a month of the
 * calendar and 2024年 a year, so neither is a duration.
 */
export const durationForm = `(?:${partForm}(?:\\s*(?:,|，|and|零|又)?\\s*${partForm})*|半年)`

const wholeDuration = new RegExp(`^${durationForm}$`, 'i')
const part = new RegExp(`(?<count>\\d+(?:\\.\\d+)?)\\s*-?\\s*(?<unit>${unitForm})(?<half>半)?`, 'gi')

/**
 * Reads a text that is one duration, in English or Chinese. The text must be in lower case with Arabic digits (see
 * `withDigits`).
 *
 * @returns null for any other text
 */
export function readDuration(text: string): Duration | null {
  if (!wholeDuration.test(text)) return null
  if (text === '半年') return { months: 6, days: 0 }
  let months = 0
  let days = 0
  for (const { groups } of text.matchAll(part)) {
    const { count, unit = '', half } = groups!
    const number = Number(count) + (half === undefined ? 0 : 0.5)
    if (/^(?:y|年)/.test(unit)) months += 12 * number
    else if (/^(?:m|个月|個月|月)/.test(unit)) months += number
    else days += /^(?:w|周|星期)/.test(unit) ? 7 * number : number
  }
  return { months, days }
}

/** Whether two durations are equally long. */
export function isSameDuration(left: Duration, right: Duration): boolean {
  return Math.abs(left.months - right.months) < 1e-9 && Math.abs(left.days - right.days) < 1e-9
}
