import { Parser } from 'expr-eval-fork'
import { z } from 'zod/v4'
import { ToolError } from '../src/core/errors.ts'
import { type CalendarDate, periodRules, readDate } from '../src/text/dates.ts'
import { langChainTool } from './langchain-tool.ts'
import type { ToolFactory } from './tool.ts'

const schema = z.object({
  expressions: z
    .array(z.string().trim().min(1).max(1_000))
    .min(1)
    .max(50)
    .describe(
      'Expressions such as "(5131 - 4936) / 4936 * 100" or "days(\\"2024-01-31\\", \\"2024-03-31\\")", without thousands separators.',
    ),
})

/** calculate evaluates arithmetic expressions and differences of dates. It needs no web and no budget. */
export const createCalculate: ToolFactory = () =>
  langChainTool({
    name: 'calculate',
    description: `Calculates arithmetic expressions and differences between dates exactly. It knows + - * / ^ % and ${functionNames.join(', ')}. Returns one line for each expression.`,
    schema,
    async run({ expressions }) {
      const answered = expressions.map(answerOne)
      const [failure] = answered.flatMap(({ error }) => error ?? [])
      if (failure !== undefined && answered.every(({ error }) => error !== null)) throw failure
      const text = answered.map(({ line }) => line).join('\n')
      return [text, { truncated: false, observations: [] }]
    },
  })

function answerOne(expression: string): { readonly line: string; readonly error: ToolError | null } {
  try {
    return { line: `${expression} = ${calculate(expression)}`, error: null }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error
    return { line: `${expression}: ${error.message}`, error }
  }
}

/** Deep nesting uses the stack. Calculations of agents are shorter than this. */
const maxChars = 1_000
const dayMs = 86_400_000

/** Functions that an expression may call. Lists are flattened: `sum(1, 2)` and `sum([1, 2])` are the same. */
const functions: Readonly<Record<string, (...given: unknown[]) => number>> = {
  abs: (...args) => Math.abs(only(args)),
  sqrt: (...args) => Math.sqrt(only(args)),
  ln: (...args) => Math.log(only(args)),
  log10: (...args) => Math.log10(only(args)),
  exp: (...args) => Math.exp(only(args)),
  floor: (...args) => Math.floor(only(args)),
  ceil: (...args) => Math.ceil(only(args)),
  round: (...args) => round(numbers(args)),
  min: (...args) => Math.min(...atLeastOne(args)),
  max: (...args) => Math.max(...atLeastOne(args)),
  sum: (...args) => numbers(args).reduce((sum, value) => sum + value, 0),
  mean: (...args) => atLeastOne(args).reduce((sum, value) => sum + value, 0) / numbers(args).length,
  days: (...args) => computeDateDifference(args, countDays),
  months: (...args) => computeDateDifference(args, countMonths),
  years: (...args) => computeDateDifference(args, (from, to) => Math.trunc(countMonths(from, to) / 12)),
}

/** The names of the functions, for the tool's description. */
const functionNames = Object.keys(functions)

/**
 * Evaluates an arithmetic expression. No code is executed, and assignments, comparisons and member access do not exist.
 *
 * @returns the result with at most 15 significant digits
 * @throws ToolError `bad-input` for anything other than a finite number
 */
function calculate(expression: string): string {
  if (expression.length > maxChars) throw wrong(`the expression has more than ${maxChars} characters`)
  let result: unknown
  try {
    result = createParser().evaluate(replaceSigns(expression))
  } catch (error) {
    if (error instanceof ToolError) throw error
    throw wrong(error instanceof Error ? error.message : String(error))
  }
  if (typeof result !== 'number') throw wrong('the result is not a number')
  if (!Number.isFinite(result)) throw wrong('the result is too large, or not defined')
  return String(Number(result.toPrecision(15)))
}

function wrong(problem: string): ToolError {
  return new ToolError(
    'bad-input',
    `${problem}. Write numbers without thousands separators and units, dates as texts such as "2024-03-31", and only + - * / ^ % ( ) and the functions ${functionNames.join(', ')}.`,
  )
}

/** Creates a parser that knows only our functions. */
function createParser(): Parser {
  const off = [
    'assignment',
    'comparison',
    'concatenate',
    'conditional',
    'factorial',
    'fndef',
    'in',
    'logical',
  ]
  const parser = new Parser({
    allowMemberAccess: false,
    operators: Object.fromEntries(off.map(name => [name, false])),
  })
  const { '-': minus, '+': plus } = parser.unaryOps as Record<string, unknown>
  // Without a prototype, names such as `constructor` are unknown.
  parser.unaryOps = Object.assign(Object.create(null), { '-': minus, '+': plus })
  parser.functions = Object.assign(Object.create(null), functions)
  parser.consts = Object.assign(Object.create(null), { PI: Math.PI, E: Math.E })
  return parser
}

function replaceSigns(expression: string): string {
  return expression.normalize('NFKC').replace(/[×∙·]/g, '*').replace(/÷/g, '/').replace(/[−–]/g, '-')
}

function numbers(args: readonly unknown[]): number[] {
  return args.flat().map(value => {
    if (typeof value === 'number') return value
    throw wrong(`${JSON.stringify(value)} is not a number`)
  })
}

function atLeastOne(args: readonly unknown[]): number[] {
  const values = numbers(args)
  if (values.length === 0) throw wrong('a function has no arguments')
  return values
}

function only(args: readonly unknown[]): number {
  const values = numbers(args)
  if (values.length === 1) return values[0]!
  throw wrong('a function that takes one number has none or several')
}

/** `round(2.345, 2)`; without digits, to a whole number. Halves are rounded away from zero, as in tables. */
function round([value, digits = 0, ...more]: readonly number[]): number {
  if (value === undefined || more.length > 0 || !Number.isInteger(digits) || Math.abs(digits) > 15)
    throw wrong('round takes a number and, if needed, how many decimals, such as round(2.345, 2)')
  const scale = 10 ** digits
  return (Math.sign(value) * Math.round(Number((Math.abs(value) * scale).toPrecision(15)))) / scale
}

type Day = CalendarDate & { readonly month: number; readonly day: number }

function computeDateDifference(args: readonly unknown[], difference: (from: Day, to: Day) => number): number {
  if (args.length !== 2) throw wrong('days, months and years take two dates')
  const [from, to] = args.map(readDay)
  return difference(from!, to!)
}

function readDay(value: unknown): Day {
  const date = typeof value === 'string' ? readDate(value, periodRules) : null
  if (date === null || date.month === null || date.day === null)
    throw wrong(`${JSON.stringify(value)} is not a day`)
  return { ...date, month: date.month, day: date.day }
}

function countDays(from: Day, to: Day): number {
  const [first, last] = [from, to].map(({ year, month, day }) => Date.UTC(year, month - 1, day))
  return Math.round((last! - first!) / dayMs)
}

/** Whole months; negative when the first date is the later one. */
function countMonths(from: Day, to: Day): number {
  const months = (to.year - from.year) * 12 + to.month - from.month
  if (months > 0 && to.day < from.day) return months - 1
  return months < 0 && to.day > from.day ? months + 1 : months
}
