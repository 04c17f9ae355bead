import { isIPv6 } from 'node:net'
import { pythonFloat } from '../../src/score/python/number.ts'
import { pythonStrip } from '../../src/score/python/text.ts'
import { countDaysBetween, readDate } from './dates.ts'
import { PythonFailure } from './python-failure.ts'

/** Python's \d matches the decimal digits of every script. */
const number = /[-+]?\p{Nd}*\.\p{Nd}+%?|[-+]?\p{Nd}+\.?\p{Nd}*%?/u

/**
 * Applies a published preprocessor to one value.
 *
 * @param nowMs the time that relative and incomplete dates are read at
 * @throws PythonFailure for an unknown name
 */
export function preprocessValue(name: string, text: string, nowMs: number): string {
  switch (name) {
    case 'norm_str':
      return pythonStrip(text.toLowerCase()).replaceAll(' ', '').replaceAll('*', '')
    case 'extract_number':
      return number.exec(text.replaceAll(',', ''))?.[0] ?? 'NULL'
    case 'norm_date':
      return readDate(text, nowMs)?.text ?? text
    default:
      throw new PythonFailure('AssertionError', `preprocessor ${name} does not exist`)
  }
}

/** Two values that a rule compares. */
export interface Compared {
  readonly response: string
  readonly target: string
  readonly criterion: string | number | null
  readonly nowMs: number
}

/**
 * Applies a published metric that needs no judge to one pair of values.
 *
 * @returns 0 or 1
 * @throws PythonFailure where the published code raises
 */
export function compareByRule(metric: string, pair: Compared): number {
  const { response, target, nowMs } = pair
  switch (metric) {
    case 'exact_match':
      return Number(response.toLowerCase() === target.toLowerCase())
    case 'in_match':
      return Number(target.includes(response))
    case 'number_near':
      return Number(isNear(pair))
    case 'date_near':
      return Number(isNearDate(response, target, nowMs))
    case 'url_match':
      return Number(haveEqualHosts(response, target))
    default:
      throw new PythonFailure('AssertionError', `metric ${metric} does not exist`)
  }
}

function isNear({ response, target, criterion }: Compared): boolean {
  const value = readNumber(response)
  const goldValue = readNumber(target)
  if (value === null || goldValue === null) return value === null && goldValue === null && response === target
  if (typeof criterion !== 'number')
    throw new PythonFailure('TypeError', 'the column has no criterion that is a number')
  return Math.abs(value - goldValue) <= Math.abs(goldValue) * criterion
}

function readNumber(text: string): number | null {
  if (!text.includes('%')) return pythonFloat(text)
  const percent = pythonFloat(text.replaceAll('%', ''))
  return percent === null ? null : percent / 100
}

const mostDays = 31

function isNearDate(response: string, target: string, nowMs: number): boolean {
  const date = readDate(response, nowMs)
  const goldDate = readDate(target, nowMs)
  if (date === null || goldDate === null) return date === goldDate
  if (date.zoned !== goldDate.zoned)
    throw new PythonFailure('TypeError', 'one of the two dates has a time zone and the other has none')
  return Math.abs(countDaysBetween(goldDate, date)) <= mostDays
}

const url = /https?:\/\/[!$-_a-z]+/g

function haveEqualHosts(response: string, target: string): boolean {
  const hosts = findHosts(response)
  const goldHosts = findHosts(target)
  return hosts.size === goldHosts.size && [...hosts].every(host => goldHosts.has(host))
}

function findHosts(text: string): Set<string> {
  return new Set([...text.matchAll(url)].map(([address]) => readHost(address)))
}

function readHost(address: string): string {
  const host = /^[^/]*\/\/([^/?#]*)/.exec(address)![1]!
  const opens = host.includes('[')
  if (opens !== host.includes(']')) throw new PythonFailure('ValueError', 'Invalid IPv6 URL')
  const inner = host.slice(host.indexOf('[') + 1).split(']')[0]!
  if (opens && !isIPv6(inner) && !/^v[\da-f]+\..+/i.test(inner))
    throw new PythonFailure('ValueError', `${inner} is not an IPv6 address`)
  return host
}
