import { recordVersion } from '../../src/core/attempt.ts'
import type { RunManifest } from '../../src/run/records/manifest.ts'

/** The manifest of a run that has just begun. */
export function newManifest(over: Partial<RunManifest> = {}): RunManifest {
  return {
    source: 'run',
    recordVersion,
    runId: 'r',
    tablehunt: '0.1.0',
    command: [],
    startedAt: '2026-01-01T00:00:00.000Z',
    endedAt: null,
    codeVersion: '0.1.0',
    prompts: 1,
    config: {},
    identity: {},
    inputs: {},
    programs: {},
    caps: {},
    search: null,
    plannedBySetting: {},
    platform: { node: 'v20', os: 'linux', arch: 'x64' },
    planned: 2,
    skippedTasks: [],
    ...over,
  }
}
