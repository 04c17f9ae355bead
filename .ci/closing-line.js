// Prints the closing line of a test run from vitest's JSON report; fails where no test ran.
import { readFileSync } from 'node:fs'

const report = JSON.parse(readFileSync(process.argv[2], 'utf8'))
const skipped = report.numPendingTests + (report.numTodoTests ?? 0)
const brokenFiles = report.testResults.filter(
  file => file.status === 'failed' && file.assertionResults.length === 0,
)
const failed = report.numFailedTests + brokenFiles.length
console.log(`${report.numPassedTests} passed, ${failed} failed, ${skipped} skipped`)
process.exit(report.numPassedTests > 0 && failed === 0 ? 0 : 1)
