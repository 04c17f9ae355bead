import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { type BenchCommand, readCommandLine, UsageError } from '../../bench/command-line.ts'
import type { Bench, BenchFigure } from '../../bench/figure.ts'
import { runProcess } from '../../bench/parts/process.ts'
import { readRecordedRun } from '../../bench/recorded-run.ts'
import { type BenchPlace, runBenches } from '../../bench/run-benches.ts'
import { benchReference } from '../../docs/bench-reference.ts'
import { packageRoot } from '../../src/system/paths.ts'

const machine = { node: 'v20.0.0', platform: 'linux x64', cpu: 'a processor', cores: 2, memoryGb: 8 }
const figure = (name: string, value: number): BenchFigure => ({
  figure: name,
  value,
  unit: 'ms',
  against: 'nothing',
  ratio: null,
})
const bench = (name: string, atMost: number): Bench => ({
  summary: `what ${name} measures`,
  read: 'How to read it.',
  figures: { [`${name}-ms`]: { unit: 'ms', target: { atMost } } },
  run: async () => ({}),
})
const benches = { quick: bench('quick', 10), slow: bench('slow', 10) }

let file: string
let printed: string
let measured: string[]
beforeEach(async () => {
  file = join(await mkdtemp(join(tmpdir(), 'bench-')), 'recorded-run.json')
  printed = ''
  measured = []
})

function run(
  results: Readonly<Record<string, number | Error>>,
  options: Partial<BenchCommand & BenchPlace> = {},
): Promise<string[]> {
  const all = { benches: Object.entries(benches), record: file, keepsRecorded: false }
  const command = { ...all, isResumed: false, isHelp: false, isJson: true, ...options }
  const measure = async (name: string): Promise<BenchFigure[]> => {
    measured.push(name)
    const result = results[name]!
    if (result instanceof Error) throw result
    return [figure(`${name}-ms`, result)]
  }
  const print = (text: string): void => {
    printed += text
  }
  return runBenches(command, { measure, machine, print, warn: () => {}, ...options })
}

describe('a run of the benches', () => {
  it('prints each figure with its target and the verdict', async () => {
    await run({ quick: 3, slow: 30 })
    const lines = printed
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines[0]).toEqual({
      bench: 'quick',
      ...figure('quick-ms', 3),
      target: { atMost: 10 },
      verdict: 'met',
    })
    expect(lines[1].verdict).toBe('missed')
  })

  it('goes on after a bench that fails, and returns its name', async () => {
    expect(await run({ quick: new Error('out of paper'), slow: 5 })).toEqual(['quick'])
    expect((await readRecordedRun(file))?.benches).toMatchObject({
      quick: { figures: null },
      slow: { figures: [{ value: 5 }] },
    })
  })

  it('runs only what failed or is missing when it is resumed', async () => {
    await run({ quick: 3, slow: new Error('out of paper') })
    measured = []
    expect(await run({ slow: 7 }, { keepsRecorded: true, isResumed: true })).toEqual([])
    expect(measured).toEqual(['slow'])
    expect((await readRecordedRun(file))?.benches).toMatchObject({
      quick: { figures: [{ value: 3 }] },
      slow: { figures: [{ value: 7 }] },
    })
  })

  it('says that nothing is left when every bench is recorded', async () => {
    await run({ quick: 3, slow: 5 })
    const resumed = { keepsRecorded: true, isResumed: true, isJson: false }
    printed = ''
    measured = []
    expect(await run({}, resumed)).toEqual([])
    expect(printed).toBe(`Nothing is left to run. ${file} has the figures of all 2 benches.\n`)
    let warned = ''
    printed = ''
    const warn = (text: string): void => {
      warned += text
    }
    await run({}, { ...resumed, isJson: true, warn, benches: [['slow', benches.slow]] })
    expect([printed, warned]).toEqual([
      '',
      `Nothing is left to run. ${file} has the figures of this bench.\n`,
    ])
    expect(measured).toEqual([])
  })

  it('is not mixed with a run of another machine', async () => {
    await run({ quick: 3, slow: 5 })
    const elsewhere = { keepsRecorded: true, machine: { ...machine, cores: 64 } }
    await expect(run({ quick: 3, slow: 5 }, elsewhere)).rejects.toThrow('another machine')
  })
})

describe('the command line of the benches', () => {
  const all = Object.entries(benches)

  it('chooses benches by their names or their figures, and all without a name', () => {
    const chosen = (...names: string[]) => readCommandLine(names, all).benches.map(([name]) => name)
    expect([chosen(), chosen('slow'), chosen('quick-ms', 'quick')]).toEqual([
      ['quick', 'slow'],
      ['slow'],
      ['quick'],
    ])
  })

  it.each([
    [['nosuch'], "unknown bench or figure 'nosuch'. The benches are quick, slow. docs/bench.md"],
    [['slow-m'], "unknown bench or figure 'slow-m'. Did you mean 'slow-ms'? The benches are quick, slow."],
    [['--nosuch'], "Unknown option '--nosuch'. --help lists the options."],
    [['--resume'], 'Add --record FILE'],
  ])('rejects %j in one line', (args, words) => {
    expect(() => readCommandLine(args, all)).toThrow(UsageError)
    expect(() => readCommandLine(args, all)).toThrow(words)
  })

  it('ends with 2 for a wrong name', async () => {
    const command = [process.execPath, join(packageRoot, 'dist', 'bench', 'bench.js'), 'nosuch']
    await expect(runProcess(command)).rejects.toThrow(/ended with 2: bench: unknown bench or figure 'nosuch'/)
  })
})

describe('the page of speed', () => {
  it('warns about figures of a busy machine', () => {
    const recorded = {
      date: '2026-01-02',
      load: 9.5,
      nodeStartMs: 60,
      seconds: 1,
      figures: [figure('slow-ms', 3)],
    }
    const page = (load: number) =>
      benchReference(benches, { machine, benches: { slow: { ...recorded, load } } })
    expect(page(9.5)).toContain('**The machine was busy with other programs**')
    expect(page(0.2)).not.toContain('busy')
  })

  it('states what was measured, what was missed and what is not recorded', async () => {
    await run({ slow: 30 }, { benches: [['slow', benches.slow]] })
    const page = benchReference(benches, (await readRecordedRun(file))!)
    expect(page).toContain('| `slow-ms` | 30 ms | - | at most 10 | missed | nothing |')
    expect(page).toContain('0 of 1 targets are met. Missed: `slow-ms`.')
    expect(page).toMatch(/### quick\n\nWhat quick measures\. How to read it\.\n\nNot recorded yet\./)
  })
})
