import { writePipeTable } from '../src/text/pipe-table.ts'

/** The number that a figure should reach: its value, or its ratio. */
export type FigureTarget = ({ readonly atMost: number } | { readonly atLeast: number }) & {
  readonly of?: 'ratio'
}

/** What a bench measures of a figure. */
export interface MeasuredFigure {
  /** Null when it could not be measured on this machine; `against` then says why. */
  readonly value: number | null
  /**
   * What the value is compared with, with its number. It says whether the other side was measured in the same run or is
   * a recorded constant: what another program reached at the same task on 2026-11-21, on a shared machine with two cores.
   */
  readonly against: string
  /** The value divided by that of the comparison, so that machines can be compared. Null without a comparison. */
  readonly ratio: number | null
}

/** A bench measures one or more figures. */
export interface Bench {
  /** What is measured, in one line. */
  readonly summary: string
  /** How to read the figures, and why a user should care. */
  readonly read: string
  /** What limits the figures, and what was tried: one sentence or two each. */
  readonly notes?: readonly string[]
  /** The figures by their unique names. This is the only place for a target. */
  readonly figures: Readonly<Record<string, { readonly unit: string; readonly target?: FigureTarget }>>
  /** Measures every figure. */
  run(): Promise<Readonly<Record<string, MeasuredFigure>>>
}

/** A measured figure in the recorded run. The field names are stable. */
export interface BenchFigure extends MeasuredFigure {
  readonly figure: string
  readonly unit: string
}

/** A line of `npm run bench -- --json`. */
export interface FigureLine extends BenchFigure {
  readonly bench: string
  readonly target: FigureTarget | null
  /** Null without a target, or when the figure was not measured. */
  readonly verdict: 'met' | 'missed' | null
}

/** Rounds to four significant digits. */
export const rounded = (value: number): number => Number(value.toPrecision(4))

/** Returns the measurement of a value that is compared with a limit: its target, or the target of a larger size. */
export function relativeTo(limit: number, unit: string, value: number): MeasuredFigure {
  return { value, against: `a limit of ${limit} ${unit}`, ratio: value / limit }
}

/** Returns the measurement of a figure that cannot be measured on this machine. */
export function skipped(reason: string): MeasuredFigure {
  return { value: null, against: `skipped: ${reason}`, ratio: null }
}

/** Runs a bench in this process. @throws Error when it does not measure a figure that it declares */
export async function measureFigures({ figures, run }: Bench): Promise<BenchFigure[]> {
  const measurements = await run()
  const round = (value: number | null): number | null => (value === null ? null : rounded(value))
  return Object.entries(figures).map(([figure, { unit }]) => {
    const measurement = measurements[figure]
    if (measurement === undefined) throw new Error(`${figure} was not measured`)
    const { value, against, ratio } = measurement
    return { figure, value: round(value), unit, against, ratio: round(ratio) }
  })
}

/** Adds the bench, the target and the verdict to a figure. */
export function describeLine(bench: string, { figures }: Bench, figure: BenchFigure): FigureLine {
  const target = figures[figure.figure]?.target ?? null
  const measured = target?.of === 'ratio' ? figure.ratio : figure.value
  if (target === null || measured === null) return { bench, ...figure, target, verdict: null }
  const isMet = 'atMost' in target ? measured <= target.atMost : measured >= target.atLeast
  return { bench, ...figure, target, verdict: isMet ? 'met' : 'missed' }
}

/** Writes figures as a Markdown table. */
export function writeFigureTable(lines: readonly FigureLine[]): string {
  const rows = lines.map(({ figure, value, unit, ratio, target, verdict, against }) => {
    const number = value?.toLocaleString('en-US', { maximumFractionDigits: 4 })
    const valueText = number === undefined ? '-' : `${number} ${unit}`
    return [`\`${figure}\``, valueText, String(ratio ?? '-'), targetText(target), verdict ?? '-', against]
  })
  return writePipeTable([['figure', 'value', 'ratio', 'target', 'verdict', 'compared with'], ...rows])
}

/** Writes a target in a few words: `at most 300`, `ratio at least 20`; a dash when there is none. */
function targetText(target: FigureTarget | null): string {
  if (target === null) return '-'
  const of = target.of === 'ratio' ? 'ratio ' : ''
  const [bound, limit] = 'atMost' in target ? ['at most', target.atMost] : ['at least', target.atLeast]
  return `${of}${bound} ${limit.toLocaleString('en-US')}`
}
