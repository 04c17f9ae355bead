import { readColumnSubject } from './column-subjects.ts'

const coordinate =
  /^(?<sign>[-−])?(?<before>[NSEW])?\s?(?<degrees>\d{1,3}(?:\.\d+)?)\s?(?<mark>°|deg(?:rees)?(?![a-z]))?\s?(?:(?<minutes>[0-5]?\d(?:\.\d+)?)\s?['′’]\s?(?:(?<seconds>[0-5]?\d(?:\.\d+)?)\s?(?:["″”]|''|′′)\s?)?)?(?<after>[NSEW])?$/u

/** A latitude or longitude in degrees, negative in the south and west. */
interface Coordinate {
  readonly degrees: number
  /** Null when the text states no direction. */
  readonly axis: 'latitude' | 'longitude' | null
  readonly hasMark: boolean
}

function readCoordinate(text: string): Coordinate | null {
  const { sign, before, after, degrees, mark, minutes, seconds } = coordinate.exec(text.trim())?.groups ?? {}
  const directions = [sign, before, after].filter(part => part !== undefined)
  if (degrees === undefined || directions.length > 1 || (minutes !== undefined && mark === undefined))
    return null
  const direction = before ?? after
  const size = Number(degrees) + Number(minutes ?? 0) / 60 + Number(seconds ?? 0) / 3600
  const isNegative = sign !== undefined || direction === 'S' || direction === 'W'
  const axis = direction === undefined ? null : 'NS'.includes(direction) ? 'latitude' : 'longitude'
  return { degrees: isNegative ? -size : size, axis, hasMark: mark !== undefined }
}

/**
 * Whether two texts are the same latitude or longitude: `45°30′ N` and 45.5. Unless the name of the column is one of coordinates,
 * both must have the sign of degrees, and both a direction or neither.
 */
export function areSameCoordinates(left: string, right: string, column: string): boolean {
  const a = readCoordinate(left)
  const b = a === null ? null : readCoordinate(right)
  if (a === null || b === null) return false
  const isComplete = a.hasMark && b.hasMark && (a.axis === null) === (b.axis === null)
  if (!isComplete && readColumnSubject(column) !== 'angle') return false
  const isOneAxis = a.axis === null || b.axis === null || a.axis === b.axis
  return isOneAxis && Math.abs(a.degrees - b.degrees) <= 1e-5 * Math.abs(a.degrees)
}
