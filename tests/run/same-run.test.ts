import { describe, expect, it } from 'vitest'
import { promptsVersion } from '../../agents/prompts/words.ts'
import { resolveConfig } from '../../src/config.ts'
import { ConfigError } from '../../src/core/errors.ts'
import { listArms } from '../../src/run/plan/arms.ts'
import type { RunManifest } from '../../src/run/records/manifest.ts'
import { requireSameRun } from '../../src/run/records/same-run.ts'
import { newManifest } from './new-manifest.ts'

const begun = (identity: Record<string, unknown>): RunManifest => newManifest({ inputs: {}, identity })
const refusal = (earlier: Record<string, unknown>, now: Record<string, unknown>): ConfigError => {
  try {
    requireSameRun('runs/a', begun(earlier), { inputs: {}, ...now })
  } catch (error) {
    if (error instanceof ConfigError) return error
  }
  throw new Error('not refused')
}

describe('resuming a run', () => {
  const now = { prompts: promptsVersion, promptsSha256: 'b' }

  it('is refused with another version of the prompts, and the error names both versions and the fix', () => {
    const error = refusal({ ...now, prompts: 1 }, now)
    expect(error.code).toBe('prompts-version')
    expect(error.message).toMatch(/^runs\/a: .*version 1 of the prompts.*version 5.*another --out/)
  })

  it('is refused with other prompts of the same version', () => {
    expect(refusal({ ...now, promptsSha256: 'a' }, now).code).toBe('different-run')
  })

  it('names the temperature like any other option when both runs were given one', () => {
    expect(refusal({ ...now, temperature: 0 }, { ...now, temperature: 0.5 }).message).toContain(
      'temperature was 0, is 0.5',
    )
  })

  it('is allowed with the same prompts', () => {
    expect(() => requireSameRun('runs/a', begun(now), { inputs: {}, ...now })).not.toThrow()
  })

  it('is refused in another environment, and the error names what differs', () => {
    const environment = { documentText: 'text-1', ocr: 'tesseract-5.3.0-eng', files: { 'onnx:bge': 'a' } }
    const error = refusal(
      { ...now, environment },
      { ...now, environment: { ...environment, ocr: null, files: { 'onnx:bge': 'b' } } },
    )
    expect(error.code).toBe('different-run')
    expect(error.message).toContain('environment.ocr was "tesseract-5.3.0-eng", is null')
    expect(error.message).toContain('environment.files.onnx:bge was "a", is "b"')
    expect(error.message).not.toContain('documentText')
  })

  it('is refused with another version of an agent, and the error names its file', () => {
    const facts = (hash: string | null) => ({ agentFacts: { 'my.agent': { files: { 'agent.py': hash } } } })
    const messageWith = (hash: string | null) =>
      refusal({ ...now, ...facts('a') }, { ...now, ...facts(hash) }).message
    expect(messageWith('b')).toContain('another run: agent my.agent: the file agent.py has changed. Choose')
    expect(messageWith(null)).toContain('agent my.agent: the file agent.py is missing here')
  })

  it('does not compare facts of the machine that only one of both recorded', () => {
    const later = { inputs: {}, ...now, environment: { documentText: 'text-1', ocr: null } }
    for (const earlier of [now, { ...now, environment: { documentText: 'text-1' } }])
      expect(() => requireSameRun('runs/a', begun(earlier), later)).not.toThrow()
  })
})

it('treats --show-columns as an option of every setting', () => {
  const config = resolveConfig({ tasks: '-', out: '-', showColumns: true })
  for (const setting of ['offline', 'rag', 'online'])
    for (const { options } of listArms(config, setting)) expect(options['show-columns']).toBe('on')
})
