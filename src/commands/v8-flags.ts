import { setFlagsFromString } from 'node:v8'

// These functions set flags of V8 for the whole process, so only commands call them, never the API. Results do not change.

/** A run with fewer attempts needs little memory, and more frequent garbage collection would cost it 10% of its time. */
const veryManyAttempts = 3_000

/**
 * Tunes V8 for a run. Functions are compiled at their first call and with less inlining, because it takes seconds until all
 * code of a run is optimised. In a very large run, garbage is collected when the heap has grown by 20% instead of 100%.
 */
export function tuneForAttempts(attempts: number): void {
  setFlagsFromString('--always-sparkplug')
  inlineLess()
  if (attempts >= veryManyAttempts) collectOften()
}

/** Tunes V8 for a command that reads many records: garbage is collected when the heap has grown by 20% instead of 100%. */
export function collectOften(): void {
  setFlagsFromString('--heap-growing-percent=20')
}

/**
 * Tunes V8 for a command that ends before optimised code pays off. Functions are optimised later and with less inlining;
 * otherwise compiling in the background takes about a third of the processor time.
 */
export function tuneForOnePass(): void {
  // V8 12 (Node 22) prints a warning for this flag, which it does not have.
  if (Number.parseInt(process.versions.v8, 10) < 12) setFlagsFromString('--interrupt-budget=400000')
  inlineLess()
}

function inlineLess(): void {
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=100')
}
