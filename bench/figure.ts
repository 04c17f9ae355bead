/** One row of `npm run bench`. The field names are stable. */
export interface BenchFigure {
  /** Its unique name, such as `overhead-ratio`. */
  readonly figure: string
  /** Null when it could not be measured on this machine; `against` then says why. */
  readonly value: number | null
  readonly unit: string
  /**
   * What the value is compared with, with its number. It says whether the other side was measured in the same run or is
   * a recorded constant.
   */
  readonly against: string
  /**
   * The value divided by what it is compared with, which is comparable between machines; null without a
   * comparison.
   */
  readonly ratio: number | null
}

/** The number that a figure should reach: its value, or its ratio. */
export type FigureTarget = ({ readonly atMost: number } | { readonly atLeast: number }) & {
  readonly of?: 'ratio'
}

/** Whether a figure reaches its target. Null without a target, or when the figure was not measured. */
export type FigureVerdict = 'met' | 'missed' | null

/** A figure with the name of its bench, its target and the verdict: a line of `npm run bench -- --json`. */
export interface FigureLine extends BenchFigure {
  readonly bench: string
  readonly target: FigureTarget | null
  readonly verdict: FigureVerdict
}

/** A bench measures one or more figures. */
export interface Bench {
  /** What is measured, in one line. */
  readonly summary: string
  /** How to read the figures. */
  readonly read: string
  /** Why a user should care, as one sentence. */
  readonly why?: string
  /** What limits the figures, and what was tried: one sentence or two each. */
  readonly notes?: readonly string[]
  /** The names of its figures, by which the bench can be chosen. */
  readonly figures: readonly string[]
  /** The targets by the name of their figure. This is the only place for a target. */
  readonly targets?: Readonly<Record<string, FigureTarget>>
  /** Measures the figures. */
  run(): Promise<readonly BenchFigure[]>
}

/** Returns a figure that is compared with nothing but a number: its target, or the target of a larger size. */
export function relativeTo(
  limit: number,
  { figure, value, unit }: { readonly figure: string; readonly value: number; readonly unit: string },
): BenchFigure {
  return {
    figure,
    value,
    unit,
    against: `a limit of ${limit} ${unit}`,
    ratio: Number((value / limit).toFixed(2)),
  }
}

/** Returns a figure that cannot be measured on this machine, with the reason. */
export function skipped(figure: string, unit: string, reason: string): BenchFigure {
  return { figure, value: null, unit, against: `skipped: ${reason}`, ratio: null }
}

/** Adds the bench, the target and the verdict to a figure. */
export function describeLine(bench: string, { targets }: Bench, figure: BenchFigure): FigureLine {
  const target = targets?.[figure.figure] ?? null
  return { bench, ...figure, target, verdict: judge(figure, target) }
}

/** Compares a figure with its target. */
function judge({ value, ratio }: BenchFigure, target: FigureTarget | null): FigureVerdict {
  if (target === null) return null
  const measured = target.of === 'ratio' ? ratio : value
  if (measured === null) return null
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
