import { setFlagsFromString } from 'node:v8'

/** Fewer attempts than these need no care, and collecting more often would cost them a tenth more processor time. */
const manyAttempts = 3_000

/**
 * For a run of many attempts, has garbage collected when the heap has grown by a fifth, not by as much again. It holds
 * for the whole process: for programs whose process is ours.
 */
export function keepHeapSmall(attempts: number): void {
  if (attempts >= manyAttempts) setFlagsFromString('--heap-growing-percent=20')
}
