import type { Reporter, TestModule, TestSpecification, Vitest } from 'vitest/node'

const everyMs = 5_000
const named = 3

/**
 * Prints a line every few seconds: how many tests and files are done, and which files run. Ends a run that takes too long,
 * with the names of the files that had not ended.
 */
export class ProgressReporter implements Reporter {
  private readonly limitMs: (projects: readonly string[]) => number
  private vitest: Vitest | null = null
  private timer: NodeJS.Timeout | null = null
  private startedAt = 0
  private files = 0
  private filesDone = 0
  private tests = 0
  private testsDone = 0
  private failed = 0
  private readonly running = new Set<string>()

  /** @param limitMs - the longest time for the projects of a run, in milliseconds */
  constructor(limitMs: (projects: readonly string[]) => number) {
    this.limitMs = limitMs
  }

  onInit(vitest: Vitest): void {
    this.vitest = vitest
  }

  onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.startedAt = performance.now()
    Object.assign(this, { files: specifications.length, filesDone: 0, tests: 0, testsDone: 0, failed: 0 })
    const limitMs = this.limitMs([...new Set(specifications.map(({ project }) => project.name))])
    this.timer = setInterval(() => {
      const elapsedMs = performance.now() - this.startedAt
      this.print(`progress: ${this.describe(elapsedMs)}`)
      if (elapsedMs > limitMs) this.giveUp(limitMs)
    }, everyMs)
  }

  onTestModuleStart({ relativeModuleId }: TestModule): void {
    this.running.add(relativeModuleId)
  }

  onTestModuleCollected({ children }: TestModule): void {
    this.tests += [...children.allTests()].length
  }

  onTestCaseResult(test: Parameters<NonNullable<Reporter['onTestCaseResult']>>[0]): void {
    this.testsDone += 1
    if (test.result().state === 'failed') this.failed += 1
  }

  onTestModuleEnd({ relativeModuleId }: TestModule): void {
    this.filesDone += 1
    this.running.delete(relativeModuleId)
  }

  onTestRunEnd(): void {
    if (this.timer !== null) clearInterval(this.timer)
  }

  private describe(elapsedMs: number): string {
    const names = [...this.running]
    const more = names.length > named ? ` and ${names.length - named} more` : ''
    const failures = this.failed === 0 ? '' : `, ${this.failed} failed`
    const tests = `${this.testsDone} of ${this.tests} loaded tests`
    const now = names.length === 0 ? '' : `, running ${names.slice(0, named).join(', ')}${more}`
    return `${tests}, ${this.filesDone} of ${this.files} files${failures}, ${Math.round(elapsedMs / 1000)} s${now}`
  }

  private giveUp(limitMs: number): void {
    const minutes = Math.round(limitMs / 60_000)
    this.print(
      `stopped: the tests took longer than ${minutes} minutes. Not ended: ${[...this.running].join(', ')}`,
    )
    process.exit(1)
  }

  private print(line: string): void {
    this.vitest?.logger.log(line)
  }
}
