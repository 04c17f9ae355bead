import type { Random } from '../../../src/core/runtime.ts'

/** Returns the next name of a series. */
type NextName = () => string

/** Returns a whole number from `least` to `most`, both included. */
export const pickNumber = (random: Random, least: number, most: number): number =>
  least + Math.floor(random() * (most - least + 1))

/** Returns one of several values. */
export const pick = <T>(random: Random, values: readonly T[]): T =>
  values[pickNumber(random, 0, values.length - 1)]!

/** Writes a number with the digits of an alphabet, the lowest first: a, …, z, ab, bb, …. */
function writeDigits(number: bigint, alphabet: readonly string[]): string[] {
  const base = BigInt(alphabet.length)
  const digits: string[] = []
  let rest = number
  do {
    digits.push(alphabet[Number(rest % base)]!)
    rest /= base
  } while (rest > 0n)
  return digits
}

/** Returns a series of names that never repeat. */
export function nameSeries(
  alphabet: readonly string[],
  start: number | bigint = 0,
  separator = '',
): NextName {
  let number = BigInt(start)
  return () => writeDigits(number++, alphabet).join(separator)
}

export const lowerCase = [...'abcdefghijklmnopqrstuvwxyz']
export const upperCase = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
/** The words of paragraphs. */
export const paragraphWords =
  'apple banana cafe dentist essence far groot halo idiot jargon kangaroo lamb monkey nob oops perish qualify ravish salvage transformer unique vigor wake X-ray yogurt zen'.split(
    ' ',
  )
