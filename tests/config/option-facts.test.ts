import { describe, expect, it } from 'vitest'
import { readEnvironment } from '../../src/config/gather-options.ts'
import { listOptions, type OptionName, resolveConfig, runOptions } from '../../src/config.ts'
import type { OptionSpec } from '../../src/core/option-spec.ts'

const options = Object.entries<OptionSpec>(runOptions)
const namesWhere = (test: (option: OptionSpec) => boolean): string[] =>
  options.filter(([, option]) => test(option)).map(([name]) => name)

describe('an option says', () => {
  it('that it changes the course of a run alone, when a run can be resumed with another value', () => {
    expect(namesWhere(({ changes }) => changes === 'course').sort()).toEqual(
      [
        ...[
          'baseUrl',
          'browser',
          'cache',
          'chroma',
          'concurrency',
          'dryRun',
          'hostInterval',
          'isolate',
          'out',
          'queue',
          'queueSecret',
        ],
        ...['record', 'requestTimeout', 'resume', 'retry'],
        ...['runBudgetTokens', 'runBudgetUsd', 'runBudgetSearchCalls'],
      ].sort(),
    )
    expect(namesWhere(({ changes }) => changes === 'display')).toEqual(['failUnder', 'json'])
  })

  it('that runs record what it names instead of a path or an address', () => {
    expect(namesWhere(({ recordedBy }) => recordedBy === 'contents').sort()).toEqual(
      [
        ...[
          'agent',
          'agents',
          'docs',
          'forks',
          'judgePrompts',
          'mcp',
          'model',
          'plugins',
          'prices',
          'prompts',
        ],
        ...['readerModel', 'tasks'],
      ].sort(),
    )
  })

  it('which commands take it', () => {
    expect(listOptions('report')).toEqual(['failUnder'])
    expect(listOptions('tasks')).toEqual(['plugins', 'docs', 'benchmark', 'spreadsheet', 'cache'])
    expect(listOptions('score')).toContain('judgePrompts')
  })

  it('that it is one of the dozen in `run --help`', () => {
    expect(namesWhere(({ flag }) => flag === 'common').length).toBeLessThanOrEqual(13)
  })
})

describe('an option that only a config file sets', () => {
  const names = namesWhere(({ flag }) => flag === 'none') as OptionName[]

  it('is one of the definitions, weights and prompts that are too long or too rare for a flag', () => {
    expect(names.sort()).toEqual(
      [
        ...['agents', 'checkpointTokens', 'forks', 'judgePrompts', 'mcpCharge', 'spreadsheet'],
        ...['weightCachedInput', 'weightOutput'],
      ].sort(),
    )
  })

  it('is refused as a variable, and the message names the field and the file', () => {
    expect(() => readEnvironment({ TABLEHUNT_WEIGHT_OUTPUT: '4' })).toThrow(
      expect.objectContaining({
        code: 'config-file-only',
        message: expect.stringMatching(/^TABLEHUNT_WEIGHT_OUTPUT: .* weightOutput to tablehunt\.config\.ts/),
      }),
    )
  })

  it('is named by its field when its value is wrong', () => {
    expect(() => resolveConfig({ tasks: 't', out: 'o', weightOutput: -1 })).toThrow(/^weightOutput: /)
  })
})
