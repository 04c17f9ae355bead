import { moduleInput } from './process.ts'

export interface WaitsInput {
  readonly attempts: number
  readonly concurrency: number
  /** Of one attempt, one after the other, in milliseconds. */
  readonly waitsMs: readonly number[]
}

/** Does the waiting of a campaign and nothing else, and prints the milliseconds it took as a line of JSON. */
const { attempts, concurrency, waitsMs } = moduleInput<WaitsInput>()
const startedAt = performance.now()
let begun = 0
const waitOnEach = async (): Promise<void> => {
  while (begun++ < attempts) for (const ms of waitsMs) await new Promise(resolve => setTimeout(resolve, ms))
}
await Promise.all(Array.from({ length: concurrency }, waitOnEach))
process.stdout.write(`${JSON.stringify(performance.now() - startedAt)}\n`)
