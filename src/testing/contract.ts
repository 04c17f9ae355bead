/** One thing that every part of a kind must do. */
export interface Check {
  /** A sentence about behaviour whose subject is the part. */
  readonly name: string
  /** Rejects with an AssertionError, or with what the part threw, when the part does not do it. */
  run(): Promise<void>
}

/** Makes the checks of one kind of part, for the entry of that name in its registry. */
export type Contract<Sample> = (name: string, sample: Sample) => readonly Check[]

/** The two functions of a test framework that tests are declared by, such as those of vitest or node:test. */
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
