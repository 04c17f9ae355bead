import { everyOption } from '../../src/config.ts'
import {
  type CompareOptions,
  type Comparison,
  compareRuns as compare,
} from '../../src/report/compare/comparison.ts'
import type { ComparedRun } from '../../src/report/compare/run-notes.ts'

/** Compares runs as the program does, which knows what each option separates. */
export function compareRuns(runs: readonly ComparedRun[], options: CompareOptions): Comparison {
  return compare(runs, { options: everyOption(), ...options })
}
