import { availableParallelism, loadavg } from 'node:os'
import { defineConfig } from 'vitest/config'
import { ProgressReporter } from './tests/progress-reporter.ts'

const processors = availableParallelism()

/**
 * How many times longer a test may take than on an idle machine: twice as long, and more when others use the machine. Only
 * slow tests that repeat a whole campaign name a time of their own.
 */
const patience = Math.min(8, 2 + Math.floor((loadavg()[0] ?? 0) / processors))
const seconds = (idle: number): number => idle * 1000 * patience

/** A run is given up after this time, whatever hangs. */
const limitMs = (projects: readonly string[]): number => seconds(projects.includes('slow') ? 30 * 60 : 6 * 60)

const reporters = ['default', new ProgressReporter(limitMs)] as const

/** .ci/run names a file here to count the tests afterwards. */
const results = process.env.TABLEHUNT_TEST_RESULTS || undefined

/** Integration tests that replace modules, watch connections or load plug-ins: each has a process of its own. */
const ownProcess = [
  'tests/plugins/*.integration.test.ts',
  'tests/run/chroma-not-started.integration.test.ts',
  'tests/run/durable-records.integration.test.ts',
  'tests/run/replay.integration.test.ts',
  'tests/retrieval/onnx-identity.integration.test.ts',
  'tests/testing/embedders.integration.test.ts',
]

/** The tiers of docs/testing.md. The suffix of a test file says its tier. Tiers run one after the other. */
export default defineConfig({
  test: {
    globalSetup: 'tests/temporary-folder.ts',
    experimental: { fsModuleCache: true },
    reporters: results === undefined ? [...reporters] : [...reporters, ['json', { outputFile: results }]],
    expect: { poll: { timeout: seconds(10) } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/**/*.{integration,slow}.test.ts'],
          // Modules are loaded once for each worker: unit tests share no state that one of them changes.
          pool: 'threads',
          isolate: false,
          maxWorkers: processors,
          testTimeout: seconds(30),
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['tests/**/*.integration.test.ts'],
          exclude: ownProcess,
          pool: 'forks',
          // As above: loading the modules for every file took longer than a third of the tests.
          isolate: false,
          setupFiles: 'tests/forget-plugins.ts',
          // One more than there are processors: these tests also wait for servers.
          maxWorkers: processors + 1,
          testTimeout: seconds(60),
          hookTimeout: seconds(60),
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'integration-alone',
          include: ownProcess,
          pool: 'forks',
          maxWorkers: processors + 1,
          testTimeout: seconds(60),
          hookTimeout: seconds(60),
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: ['tests/**/*.slow.test.ts'],
          pool: 'forks',
          maxWorkers: processors + 1,
          testTimeout: seconds(300),
          hookTimeout: seconds(300),
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
