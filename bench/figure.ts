/** The number that a figure should reach: its value, or its ratio. */
export type FigureTarget = ({ readonly atMost: number } | { readonly atLeast: number }) & {
  readonly of?: 'ratio'
}

/** What a bench declares of a figure. This is the only place for a target. */
export interface FigureFacts {
  readonly unit: string
  readonly target?: FigureTarget
}

/** What a bench measures of a figure. */
export interface Measurement {
  /** Null when it could not be measured on this machine; `against` then says why. */
  readonly value: number | null
  /**
   * What the value is compared with, with its number. It says whether the other side was measured in the same run or is
   * a recorded constant: what another program reached at the same task on 2026-11-21, on a shared machine with two cores.
   */
  readonly against: string
  /** The value divided by what it is compared with, which is comparable between machines; null without a comparison. */
  readonly ratio: number | null
}

/** One row of `npm run bench`. The field names are stable. */
export interface BenchFigure extends Measurement {
  /** Its unique name, such as `overhead-ratio`. */
  readonly figure: string
  readonly unit: string
}

/** A figure with the name of its bench, its target and the verdict: a line of `npm run bench -- --json`. */
export interface FigureLine extends BenchFigure {
  readonly bench: string
  readonly target: FigureTarget | null
  /** Whether the figure reaches its target. Null without a target, or when it was not measured. */
  readonly verdict: 'met' | 'missed' | null
}

/** A bench measures one or more figures. */
export interface Bench {
  /** What is measured, in one line. */
  readonly summary: string
  /** How to read the figures, and why a user should care. */
  readonly read: string
  /** What limits the figures, and what was tried: one sentence or two each. */
  readonly notes?: readonly string[]
  /** The figures by their names. The bench can be chosen by them. */
  readonly figures: Readonly<Record<string, FigureFacts>>
  /** Measures every figure. */
  run(): Promise<Readonly<Record<string, Measurement>>>
}

/** Rounds to four significant digits. */
export const rounded = (value: number): number => Number(value.toPrecision(4))

/** Returns the measurement of a value that is compared with a limit: its target, or the target of a larger size. */
export function relativeTo(limit: number, unit: string, value: number): Measurement {
  return { value, against: `a limit of ${limit} ${unit}`, ratio: value / limit }
}

/** Returns the measurement of a figure that cannot be measured on this machine. */
export function skipped(reason: string): Measurement {
  return { value: null, against: `skipped: ${reason}`, ratio: null }
}

/** Runs a bench in this process. @throws Error when it does not measure a figure that it declares */
export async function measureFigures({ figures, run }: Bench): Promise<BenchFigure[]> {
  const measurements = await run()
  return Object.entries(figures).map(([figure, { unit }]) => {
    const measurement = measurements[figure]
    if (measurement === undefined) throw new Error(`${figure} was not measured`)
    const { value, against, ratio } = measurement
    const round = (number: number | null) => (number === null ? null : rounded(number))
    return { figure, value: round(value), unit, against, ratio: round(ratio) }
  })
}

/** Adds the bench, the target and the verdict to a figure. */
export function describeLine(bench: string, { figures }: Bench, figure: BenchFigure): FigureLine {
  const target = figures[figure.figure]?.target ?? null
  return { bench, ...figure, target, verdict: judge(figure, target) }
}

function judge({ value, ratio }: BenchFigure, target: FigureTarget | null): FigureLine['verdict'] {
  const measured = target?.of === 'ratio' ? ratio : value
  if (target === null || measured === null) return null
  const isMet = 'atMost' in target ? measured <= target.atMost : measured >= target.atLeast
  return isMet ? 'met' : 'missed'
}

/** Writes a target in a few words: `at most 300`, `ratio at least 20`; a dash when there is none. */
export function targetText(target: FigureTarget | null): string {
  if (target === null) return '-'
  const of = target.of === 'ratio' ? 'ratio ' : ''
  const [bound, limit] = 'atMost' in target ? ['at most', target.atMost] : ['at least', target.atLeast]
  return `${of}${bound} ${limit.toLocaleString('en-US')}`
}
