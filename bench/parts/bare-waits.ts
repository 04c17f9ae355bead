import { moduleInput } from './process.ts'

export interface WaitsInput {
  readonly attempts: number
  readonly concurrency: number
  /** The waits of one attempt in order, in milliseconds. */
  readonly waitsMs: readonly number[]
}

/** Waits as a campaign does, without any work. Prints the milliseconds as a line of JSON. */
const { attempts, concurrency, waitsMs } = moduleInput<WaitsInput>()
const startedAt = performance.now()
let begun = 0
const waitOnEach = async (): Promise<void> => {
  while (begun++ < attempts) for (const ms of waitsMs) await new Promise(resolve => setTimeout(resolve, ms))
}
await Promise.all(Array.from({ length: concurrency }, waitOnEach))
process.stdout.write(`${JSON.stringify(performance.now() - startedAt)}\n`)
