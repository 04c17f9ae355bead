import { columnSubject } from './column-subjects.ts'

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
  const direction = before ?? after
  if (degrees === undefined || (minutes !== undefined && mark === undefined)) return null
  if ((before !== undefined && after !== undefined) || (sign !== undefined && direction !== undefined))
    return null
  const size = Number(degrees) + Number(minutes ?? 0) / 60 + Number(seconds ?? 0) / 3600
  const isNegative = sign !== undefined || direction === 'S' || direction === 'W'
  const axis = direction === undefined ? null : 'NS'.includes(direction) ? 'latitude' : 'longitude'
  return { degrees: isNegative ? -size : size, axis, hasMark: mark !== undefined }
}

/**
 * Whether two texts are the same latitude or longitude: `45°30′ N` and 45.5. A number without the sign of degrees counts under
 * a name of coordinates alone.
 */
export function areSameCoordinates(left: string, right: string, column: string): boolean {
  const a = readCoordinate(left)
  const b = a === null ? null : readCoordinate(right)
  if (a === null || b === null || (columnSubject(column) !== 'angle' && !(a.hasMark && b.hasMark)))
    return false
  if (a.axis !== null && b.axis !== null && a.axis !== b.axis) return false
  if (columnSubject(column) !== 'angle' && (a.axis === null) !== (b.axis === null)) return false
  return Math.abs(a.degrees - b.degrees) <= 1e-5 * Math.abs(a.degrees)
}
