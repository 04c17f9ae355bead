import { expect, it } from 'vitest'
import { benchPython } from '../../bench/parts/environment.ts'
import { measurePythonChroma } from '../../bench/parts/python-chroma.ts'
import { seededRandom } from '../../src/core/runtime.ts'

const python = benchPython()

it.skipIf(python === null)('finds nearly all of the nearest given vectors', async () => {
  const random = seededRandom(5)
  const vector = (): Float32Array => Float32Array.from({ length: 16 }, () => random() - 0.5)
  const chunks = Array.from({ length: 600 }, vector)
  const tasks = [
    { query: 0, rows: [[0, 400]] as const },
    {
      query: 1,
      rows: [
        [0, 10],
        [590, 600],
      ] as const,
    },
  ]
  const layout = { dimensions: 16, k: 50, written: [8, 32], tasks }
  const cost = await measurePythonChroma(python!, layout, { chunks, queries: [vector(), vector()] })
  expect(cost.recallMean).toBeGreaterThan(0.9)
  expect(cost.recallWorst).toBeLessThanOrEqual(cost.recallMean)
  expect(cost.writtenPerSecond.map(speed => speed > 0)).toEqual([true, true])
})
