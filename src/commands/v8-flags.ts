import { setFlagsFromString } from 'node:v8'

// Each function sets V8 up for the whole process: for programs whose process is ours. Results do not change.

/** Fewer attempts than these need no care of memory, and collecting more often would cost them a tenth more processor time. */
const veryManyAttempts = 3_000

/**
 * For a run of so many attempts: what is called is compiled at its first call, not after many, and optimised with less
 * inlined, since a run is under way for seconds before its code is all optimised; in a very large run garbage is collected
 * when the heap has grown by a fifth, not by as much again.
 */
export function tuneForAttempts(attempts: number): void {
  setFlagsFromString('--always-sparkplug')
  inlineLess()
  if (attempts >= veryManyAttempts) setFlagsFromString('--heap-growing-percent=20')
}

/**
 * For a command that is mostly done before optimised code pays off: compiles later and inlines less, where compiling in
 * the background would take about a third of the processor time.
 */
export function tuneForOnePass(): void {
  // V8 12 (Node 22) has no such flag, and would complain of it.
  if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString('--interrupt-budget=400000')
  inlineLess()
}

function inlineLess(): void {
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=100')
}
