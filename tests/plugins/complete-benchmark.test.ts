import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadPrompts } from '../../agents/prompts/load.ts'
import { completeBenchmark } from '../../src/plugins/plugin-kinds.ts'
import { hashTaskInputs } from '../../src/run/records/task-inputs.ts'
import type { BenchmarkDefinition } from '../../tasks/benchmark.ts'
import { benchmarks } from '../../tasks/registry.ts'

const definition: BenchmarkDefinition = {
  summary: 'capitals',
  load: async () => ({ tasks: [], skipped: [] }),
}

/** Uses the benchmark `capitals` with these members. */
async function withBenchmark(members: object, use: () => Promise<void>): Promise<void> {
  const capitals = completeBenchmark({ ...definition, ...members })
  const remove = benchmarks.add('mine', { capitals })
  try {
    await use()
  } finally {
    remove()
  }
}

describe('the benchmark of a plug-in', () => {
  it.each([[null], [{}], [{ hash: 'a', online: () => null }]])(
    'is rejected when prompts() returns %j',
    async prompts => {
      await withBenchmark({ prompts: async () => prompts }, async () => {
        await expect(loadPrompts('capitals')).rejects.toMatchObject({
          code: 'plugin-invalid',
          message: expect.stringMatching(
            /^plug-in mine: benchmark capitals: prompts\(\) returned no prompts/,
          ),
        })
      })
    },
  )

  it.each([[[]], [null], [[3]]])('is rejected when inputs() returns %j', async inputs => {
    await withBenchmark({ inputs: async () => inputs }, async () => {
      await expect(hashOfInputs()).rejects.toMatchObject({
        code: 'plugin-invalid',
        message: expect.stringContaining('plug-in mine: benchmark capitals: inputs('),
      })
    })
  })

  it('keeps the message of inputs() when it throws', async () => {
    const inputs = async () => Promise.reject(new Error('the index is broken'))
    await withBenchmark({ inputs }, async () => {
      await expect(hashOfInputs()).rejects.toThrow('plug-in mine: benchmark capitals: the index is broken')
    })
  })
})

async function hashOfInputs(): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'tablehunt-inputs-'))
  try {
    await writeFile(join(folder, 'tasks.txt'), 'France\n')
    return await hashTaskInputs({ tasks: join(folder, 'tasks.txt'), benchmark: 'capitals' })
  } finally {
    await rm(folder, { recursive: true })
  }
}
