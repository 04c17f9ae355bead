// Adds up vitest's JSON reports and prints "N passed, N failed, N skipped". Fails when a test failed or none ran.
import { readFileSync } from 'node:fs'

const total = { passed: 0, failed: 0, skipped: 0 }
for (const path of process.argv.slice(2)) {
  const report = JSON.parse(readFileSync(path, 'utf8'))
  const brokenFiles = report.testResults.filter(
    file => file.status === 'failed' && !file.assertionResults.some(test => test.status === 'failed'),
  )
  total.passed += report.numPassedTests
  total.failed += report.numFailedTests + brokenFiles.length
  total.skipped += report.numPendingTests + (report.numTodoTests ?? 0)
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`)
process.exit(total.passed > 0 && total.failed === 0 ? 0 : 1)
