import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** By default vitest leaves one processor idle, which on two processors doubles the time. */
const maxWorkers = Math.max(2, availableParallelism() - 1)

/** .ci/run names a file here to count the tests afterwards. */
const results = process.env.TABLEHUNT_TEST_RESULTS

/** The tiers of docs/testing.md. The suffix of a test file says its tier. Tiers run one after the other. */
export default defineConfig({
  test: {
    globalSetup: 'tests/temporary-folder.ts',
    reporters: results === undefined ? ['default'] : ['default', ['json', { outputFile: results }]],
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
          maxWorkers,
          testTimeout: 30_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['tests/**/*.integration.test.ts'],
          pool: 'forks',
          maxWorkers,
          testTimeout: 60_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'slow',
          include: ['tests/**/*.slow.test.ts'],
          pool: 'forks',
          maxWorkers,
          testTimeout: 300_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
