import { describe, expect, it } from 'vitest'
import { promptsVersion } from '../../agents/prompts/words.ts'
import { resolveConfig } from '../../src/config.ts'
import { ConfigError } from '../../src/core/errors.ts'
import { armsOf } from '../../src/run/plan/arms.ts'
import { type RunManifest, recordVersion } from '../../src/run/records/manifest.ts'
import { requireSameRun } from '../../src/run/resources/identity.ts'

const begun = (identity: Record<string, unknown>): RunManifest => ({
  source: 'run',
  recordVersion,
  runId: 'r',
  tablehunt: '0.1.0',
  command: [],
  startedAt: '2026-01-01T00:00:00.000Z',
  endedAt: null,
  config: {},
  identity,
  platform: { node: 'v20', os: 'Linux', arch: 'x64' },
  planned: 1,
  skippedTasks: [],
})
const refusal = (earlier: Record<string, unknown>, now: Record<string, unknown>): ConfigError => {
  try {
    requireSameRun('runs/a', begun(earlier), now)
  } catch (error) {
    if (error instanceof ConfigError) return error
  }
  throw new Error('not refused')
}

describe('resuming a run', () => {
  const now = { prompts: promptsVersion, promptsSha256: 'b' }

  it('is refused under another version of the prompts, with both versions and what to do', () => {
    const error = refusal({ promptsSha256: 'a' }, now)
    expect(error.code).toBe('prompts-version')
    expect(error.message).toMatch(/^runs\/a: .*version 1 of the prompts.*version 2.*another --out/)
  })

  it('is refused under other prompts of the same version', () => {
    expect(refusal({ ...now, promptsSha256: 'a' }, now).code).toBe('different-run')
  })

  it('is allowed under the same prompts', () => {
    expect(() => requireSameRun('runs/a', begun(now), now)).not.toThrow()
  })
})

it('--show-columns is a variant of every setting', () => {
  const config = resolveConfig({ tasks: '-', out: '-', showColumns: true })
  for (const setting of ['offline', 'rag', 'online'])
    for (const { variant } of armsOf(config, setting)) expect(variant).toContain('show-columns=on')
})
