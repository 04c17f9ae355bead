/**
 * One thing that every part of a kind must do.
 *
 * @example
 * import { type Check, pluginChecks } from 'tablehunt/testing'
 *
 * const namesOf = (checks: readonly Check[]): string[] => checks.map(({ name }) => name)
 * for (const { part, checks } of await pluginChecks('./euro.ts', {})) console.log(part, namesOf(checks))
 */
export interface Check {
  /** A sentence about behaviour whose subject is the part. */
  readonly name: string
  /** Rejects with an AssertionError, or with what the part threw, when the part does not do it. */
  run(): Promise<void>
}

/** Makes the checks of one kind of part, for the entry of that name in its registry. */
export type Contract<Sample> = (name: string, sample: Sample) => readonly Check[]

/**
 * The two functions of a test framework that declare tests, such as those of vitest or node:test.
 *
 * @example
 * import type { TestFramework } from 'tablehunt/testing'
 *
 * // Prints the names of the tests in place of running them.
 * const printer: TestFramework = {
 *   describe: (name, body) => {
 *     console.log(name)
 *     body()
 *   },
 *   it: name => console.log(`  ${name}`),
 * }
 */
export interface TestFramework {
  /** Groups the tests of one part. */
  describe(name: string, body: () => void): unknown
  /** Declares one test. It passes when `body` resolves. */
  it(name: string, body: () => Promise<void>): unknown
}

/** Declares a test for each check. */
export function declareTests(title: string, checks: readonly Check[], { describe, it }: TestFramework): void {
  describe(title, () => {
    for (const check of checks) it(check.name, async () => await check.run())
  })
}
