import { readPeriod } from './dates.ts'

const clockNames =
  /\b(?:start|starts|end|ends|begin\w*|departures?|arrivals?|open\w*|clos\w*|kick-?off|check-?(?:in|out)|sunrise|sunset|time of day|posted|published|scheduled?|local|utc|gmt|uhrzeit|abfahrt|ankunft|heure|hora)\b|时刻|出发|到达|开始|结束/iu

/** Whether the name of a column says that its values are times of day, which are no durations. */
export const namesClock = (column: string): boolean => clockNames.test(column)

const namedTimes: Readonly<Record<string, number>> = { noon: 43_200, midnight: 0 }
const timeOfDay =
  /^(?<hour>[01]?\d|2[0-4])(?:[:.h](?<minute>[0-5]\d))?(?::(?<second>[0-5]\d)(?:\.0+)?)?\s?(?<sign>[ap]\.?m\.?|uhr|h|o'clock)?$/iu

/** Reads a time of day in seconds, with or without am and pm: `14:30`, `2:30 pm`, `14.30 Uhr`. Null for any other text. */
function readTimeOfDay(text: string): number | null {
  const named = namedTimes[text.toLowerCase()]
  if (named !== undefined) return named
  const { hour, minute, second, sign = '' } = timeOfDay.exec(text)?.groups ?? {}
  if (hour === undefined || (sign === '' && !/[:h]/i.test(text))) return null
  const isHalf = /^[ap]/i.test(sign)
  if (isHalf && (Number(hour) > 12 || Number(hour) === 0)) return null
  const hours = isHalf ? (Number(hour) % 12) + (/^p/i.test(sign) ? 12 : 0) : Number(hour)
  return 3600 * hours + 60 * Number(minute ?? 0) + Number(second ?? 0)
}

const statesTime = /\d\s?(?:[ap]\.?m|uhr|o'clock)|(?:noon|midnight)$/i
/** A date with a time, in either order: `2024-03-31T14:30:00Z`, `14:30, 31 March 2024`. */
const moments = [
  /^(?<date>.*\d.*?)(?:T(?=\d)|,?\s(?:at\s|um\s|à\s)?\s?)(?<time>\d{1,2}[:.h]\d\d\S*(?:\s\S+){0,2}|noon|midnight)$/i,
  /^(?<time>\d{1,2}[:.h]\d\d\S*?(?:\s(?:[ap]\.?m\.?|uhr|utc|gmt))*|noon|midnight),?\s(?:on\s|am\s)?(?<date>\D*\d.*)$/i,
]
const zone = /\s?(?:(?<utc>z|utc|gmt|[+-]00:?00)|(?<offset>[+-]\d\d:?\d\d))$/i

/** Reads a time of day, perhaps after or before a date and with the zone UTC, as a text by which equal ones are recognised. */
function readMoment(text: string): { readonly date: string | null; readonly time: string } | null {
  const split = moments.map(form => form.exec(text)?.groups).find(groups => groups !== undefined)
  const date = split === undefined ? null : readPeriod(split.date!)
  const written = date === null ? text : split!.time!
  const { utc, offset } = zone.exec(written)?.groups ?? {}
  const seconds = readTimeOfDay(written.replace(zone, ''))
  return seconds === null || offset !== undefined
    ? null
    : { date, time: `${seconds}${utc === undefined ? '' : ' UTC'}` }
}

/** Whether two texts are the same time of day, of which one says so, or the same time of the same day: 14:30 and 2:30 pm. */
export function areSameTimes(gold: string, predicted: string, column: string): boolean {
  const [left, right] = [readMoment(gold), readMoment(predicted)]
  if (left === null || left.time !== right?.time || left.date !== right.date) return false
  return left.date !== null || [gold, predicted].some(text => statesTime.test(text)) || namesClock(column)
}
