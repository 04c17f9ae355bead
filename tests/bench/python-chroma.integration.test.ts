import { expect, it } from 'vitest'
import { benchPython } from '../../bench/parts/environment.ts'
import { measurePythonChroma } from '../../bench/parts/measure-stores.ts'
import { seededRandom } from '../../src/core/runtime.ts'

const python = benchPython()

it.skipIf(python === null)('finds nearly all of the nearest given vectors', async () => {
  const random = seededRandom(5)
  const vector = (): number[] => Array.from({ length: 16 }, () => random() - 0.5)
  const chunks = Array.from({ length: 600 }, vector)
  const fewDocuments = [
    [0, 10],
    [590, 600],
  ]
  const tasks = [
    { query: vector(), rows: [[0, 400]] },
    { query: vector(), rows: fewDocuments },
  ]
  const cost = await measurePythonChroma(python!, { k: 50, written: [8, 32], chunks, tasks })
  expect(cost.recallMean).toBeGreaterThan(0.9)
  expect(cost.recallWorst).toBeLessThanOrEqual(cost.recallMean)
  expect(cost.writtenPerSecond.map(speed => speed > 0)).toEqual([true, true])
})
