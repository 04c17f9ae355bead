import { setFlagsFromString } from 'node:v8'

/**
 * Has the engine compile later and inline less, for a command that is mostly done before optimised code pays off:
 * compiling in the background would take about a third of a batch's processor time. Results do not change.
 */
export function compileSparingly(): void {
  setFlagsFromString('--interrupt-budget=400000')
  setFlagsFromString('--max-inlined-bytecode-size-cumulative=100')
}
