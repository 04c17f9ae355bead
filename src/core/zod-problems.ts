import { z } from 'zod/v4'

/**
 * Describes each value that does not fit a schema, with its place: `answers: is missing, a list is expected`.
 *
 * @param whole the name of the root value
 */
export function describeZodProblems(error: z.ZodError, whole: string): string[] {
  return error.issues.map(issue => `${z.core.toDotPath(issue.path) || whole}: ${describeIssue(issue)}`)
}

/** Describes the first value that does not fit a schema. */
export function describeZodProblem(error: z.ZodError, whole: string): string {
  return describeZodProblems(error, whole)[0] ?? `${whole}: does not fit`
}

/** The beginnings of the library's default messages. A message that a schema defines is kept. */
const defaultMessage = /^(?:Invalid |Too (?:small|big)|Unrecognized )/

const kinds: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  int: 'a whole number',
  null: 'null',
  number: 'a number',
  object: 'an object',
  record: 'an object',
  string: 'a text',
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (!defaultMessage.test(issue.message)) return issue.message
  switch (issue.code) {
    case 'invalid_type':
      return wrongKind(issue)
    case 'invalid_value':
      return `${issue.values.length === 1 ? '' : 'one of '}${issue.values.join(', ')} is expected`
    case 'too_small':
      return isCounted(issue.origin) && issue.minimum === 1
        ? 'is empty'
        : `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum} ${nameUnits(issue.origin)}expected`
    case 'too_big':
      return `${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum} ${nameUnits(issue.origin)}expected`
    case 'unrecognized_keys':
      return `unknown field ${issue.keys.join(', ')}`
    case 'invalid_union':
      return unionWords(issue)
    default:
      return issue.message
  }
}

function wrongKind(issue: z.core.$ZodIssueInvalidType, kind = nameKind(issue)): string {
  const expected = `${kind} is expected`
  const received = /received (\w+)$/.exec(issue.message)?.[1] ?? ''
  if (received === 'undefined') return `is missing, ${expected}`
  return received === issue.expected || kinds[received] === undefined || issue.expected === 'int'
    ? expected
    : `is ${kinds[received]}, ${expected}`
}

function nameKind({ expected }: z.core.$ZodIssueInvalidType): string {
  return kinds[expected] ?? expected
}

/** Describes what each form of a union expects. */
function unionWords(issue: z.core.$ZodIssueInvalidUnion): string {
  if ('options' in issue && Array.isArray(issue.options))
    return `one of ${issue.options.join(', ')} is expected`
  const firsts = issue.errors.map(([first]) => first)
  const [first] = firsts
  const isKind = (issue: z.core.$ZodIssue | undefined): issue is z.core.$ZodIssueInvalidType =>
    issue?.code === 'invalid_type' && issue.path.length === 0
  if (isKind(first) && firsts.every(isKind)) return wrongKind(first, firsts.map(nameKind).join(' or '))
  const forms = issue.errors.flatMap(([first]) =>
    first === undefined
      ? []
      : [`${first.path.length === 0 ? '' : `${z.core.toDotPath(first.path)} `}${describeIssue(first)}`],
  )
  return [...new Set(forms)].join(', or ') || 'does not fit'
}

function isCounted(origin: string): boolean {
  return ['array', 'string', 'set', 'map', 'object'].includes(origin)
}

function nameUnits(origin: string): string {
  if (origin === 'string') return 'characters '
  return isCounted(origin) ? 'items ' : ''
}
