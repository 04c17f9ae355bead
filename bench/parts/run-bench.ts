import { benches } from '../registry.ts'
import { moduleInput } from './process.ts'

/** The name of a bench in the registry. */
export type BenchName = keyof typeof benches

/** Runs one bench in this process, so that it does not share memory or a crash with others. Prints its figures as a line of JSON. */
const { run } = benches[moduleInput<BenchName>()]
process.stdout.write(`${JSON.stringify(await run())}\n`)
