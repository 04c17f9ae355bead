import { describe, expect, it } from 'vitest'
import type { Attempt } from '../../src/core/attempt.ts'
import type { CellClass } from '../../src/core/cell-classes.ts'
import type { InterventionKind } from '../../src/core/fork.ts'
import { seededRandom } from '../../src/core/runtime.ts'
import type { Score } from '../../src/core/score.ts'
import { makeCausalWaterfall } from '../../src/report/model/causal-waterfall.ts'
import type { Entry } from '../../src/report/model/entries.ts'
import { makeCausalTables } from '../../src/report/tables/causal-tables.ts'
import { renderTables } from '../../src/report/tables/terminal.ts'

interface MadeFork {
  readonly task: number
  readonly lossClass: CellClass
  readonly kind: InterventionKind
  readonly right: boolean
  readonly isUnscored?: boolean
  readonly lost?: number
  readonly atStep?: number
}

function entry({ task, lossClass, kind, right, isUnscored = false, lost = 1, atStep = 2 }: MadeFork): Entry {
  const taskId = `task-${task}`
  const cell = { goldRow: 0, column: 'c', score: right ? 1 : 1 - lost }
  const score = {
    status: isUnscored ? 'unscored' : 'scored',
    cells: [cell],
    items: [],
    scorer: 's',
    judge: 'rules',
  }
  const fork = {
    ...{ run: 'r', attemptId: taskId, traceSha256: '', atStep, lossClass },
    intervention: { kind, value: null },
    items: [{ id: JSON.stringify([0, 'c']), lost }],
    ...(kind === 'give' ? { tookEffect: true } : {}),
  }
  const attempt = { attemptId: `${taskId}-${kind}`, taskId, fork } as unknown as Attempt
  return { attempt, score: score as unknown as Score, component: taskId, tainted: false } as unknown as Entry
}

/** Forks of tasks of one class: `share` of them come back with the intervention, `luck` of all without it. */
function makeForks(
  lossClass: CellClass,
  kind: InterventionKind,
  tasks: number,
  rightOf: (isChanged: boolean) => boolean,
) {
  return Array.from({ length: tasks }, (_, task) => [
    entry({ task, lossClass, kind, right: rightOf(true) }),
    entry({ task, lossClass, kind: 'none', right: rightOf(false) }),
  ]).flat()
}

describe('the causal waterfall', () => {
  it('covers the made shares in about 95% of 200 campaigns', () => {
    const [share, luck] = [0.6, 0.15]
    const truth = share + (1 - share) * luck
    const covered = { back: 0, chance: 0, difference: 0 }
    for (let seed = 0; seed < 200; seed++) {
      const random = seededRandom(seed)
      const forks = makeForks('not-surfaced', 'give', 30, isChanged => random() < (isChanged ? truth : luck))
      const { cameBack, byChance, difference } = makeCausalWaterfall(forks, null)!.rows[0]!
      if (cameBack!.low! <= truth && truth <= cameBack!.high!) covered.back += 1
      if (byChance!.low! <= luck && luck <= byChance!.high!) covered.chance += 1
      if (difference!.low! <= truth - luck && truth - luck <= difference!.high!) covered.difference += 1
    }
    for (const count of Object.values(covered)) expect(count).toBeGreaterThanOrEqual(182)
  })

  it('doubts a class whose intervention brings nothing back, and not one with few groups', () => {
    const none = makeCausalWaterfall(
      makeForks('not-opened', 'give', 12, () => false),
      null,
    )!
    expect(none.rows[0]!.verdict).toBe('not-confirmed')
    expect(none.doubts).toEqual([
      "not-opened: give brings back fewer than half of these items beyond repetition. The ledger's class does not name their cause.",
    ])
    const few = makeCausalWaterfall(
      makeForks('not-opened', 'give', 4, isChanged => isChanged),
      null,
    )!
    expect(few.rows[0]!.verdict).toBe('unclear')
    expect(few.doubts).toEqual([
      'not-opened: too few groups of tasks, or too wide an interval, to tell. A larger --sample or --repeat narrows the interval.',
    ])
    const all = makeCausalWaterfall(
      makeForks('not-opened', 'give', 12, isChanged => isChanged),
      null,
    )!
    expect([all.rows[0]!.verdict, all.doubts]).toEqual(['confirmed', []])
  })

  it('does not doubt a class because a request to check the answer changes nothing', () => {
    const { doubts } = makeCausalWaterfall(
      makeForks('wrong', 'prompt-note', 12, () => false),
      null,
    )!
    expect(doubts[0]).toContain('A request to check the answer does not undo this loss.')
  })

  it('says in points of all items what comes back, by interventions and by chance', () => {
    const forks = [
      ...makeForks('not-surfaced', 'give', 10, isChanged => isChanged),
      ...makeForks('cut-from-window', 'context-policy', 10, isChanged => isChanged),
    ]
    const { sentence } = makeCausalWaterfall(forks, {
      'not-surfaced': 0.21,
      'cut-from-window': 0.02,
      wrong: 0.11,
    })!
    expect(sentence).toBe(
      'Of 34 points lost online, 21 come back when the missed documents are given (0 by chance alone), 2 when old results are shortened instead of removed (0 by chance alone).',
    )
  })

  it('says of each intervention what comes back by chance from its own turns, and what is unknown', () => {
    const made = { lossClass: 'not-surfaced', right: true } as const
    const forks = Array.from({ length: 10 }, (_, task) => [
      entry({ ...made, task, kind: 'give', atStep: 3 }),
      entry({ ...made, task, kind: 'budget', atStep: 2, right: task < 5 }),
      entry({ ...made, task, kind: 'none', atStep: 3, right: false }),
      entry({ ...made, task, kind: 'none', atStep: 2, right: task < 4 }),
    ]).flat()
    const sentenceOf = (some: readonly Entry[]) =>
      makeCausalWaterfall(some, { 'not-surfaced': 0.2 })!.sentence
    expect(sentenceOf(forks)).toBe(
      'Of 20 points lost online, 20 come back when the missed documents are given (0 by chance alone), 10 with twice the budget (8 by chance alone).',
    )
    const withoutControls = forks.filter(({ attempt }) => attempt.fork!.intervention.kind !== 'none')
    expect(sentenceOf(withoutControls)).toContain('given (an unknown number by chance alone), 10 with')
    const unscored = makeForks('wrong', 'prompt-note', 3, () => false).map(fork => ({ ...fork, score: null }))
    expect(sentenceOf([...forks, ...unscored])).toMatch(/, an unknown number when the agent is asked .*\.$/)
  })

  describe('what a change newly loses', () => {
    const rightAt = (task: number, kind: InterventionKind, right: readonly boolean[]): Entry => {
      const made = entry({ task, lossClass: 'not-opened', kind, right: false })
      const cells = right.map((isRight, goldRow) => ({ goldRow, column: 'd', score: isRight ? 1 : 0 }))
      return { ...made, score: { ...made.score!, cells } } as unknown as Entry
    }
    const measure = (...forks: readonly Entry[]) => {
      const { newlyLost, newlyLostByChance } = makeCausalWaterfall(forks, null)!.rows[0]!
      return { newlyLost, newlyLostByChance }
    }

    it('is a mean over all controls of the turn, without what these lose against each other', () => {
      // The first item is right by chance in every second control, the second one in all controls.
      const controls = [true, false].map(isLucky => rightAt(1, 'none', [isLucky, true]))
      expect(measure(...controls, rightAt(1, 'give', [false, true]))).toEqual({
        ...{ newlyLost: 0, newlyLostByChance: 0.25 },
      })
      expect(measure(...controls, rightAt(1, 'give', [false, false]))).toEqual({
        ...{ newlyLost: 0.5, newlyLostByChance: 0.25 },
      })
    })

    it('is not below zero when a change loses less than chance does', () => {
      const controls = [true, false].map(isLucky => rightAt(1, 'none', [isLucky, true]))
      expect(measure(...controls, rightAt(1, 'give', [true, true])).newlyLost).toBe(0)
    })

    it('contains chance with a single control, and leaves such turns out beside others', () => {
      const single = [rightAt(1, 'none', [true, true]), rightAt(1, 'give', [false, true])]
      expect(measure(...single)).toEqual({ newlyLost: 0.5, newlyLostByChance: null })
      const double = ['none', 'none', 'give'].map(kind => rightAt(2, kind as InterventionKind, [true, true]))
      expect(measure(...single, ...double)).toEqual({ newlyLost: 0, newlyLostByChance: 0 })
      const text = (forks: readonly Entry[]) =>
        renderTables(makeCausalTables(makeCausalWaterfall(forks, null)), { columns: 400 })
      expect(text(single)).toContain('contains what is lost by chance, because each step has one control.')
      expect(text(double)).toContain('newly lost is beyond chance')
    })

    it('is 0 on average for a change without any effect', () => {
      const random = seededRandom(7)
      const forks = Array.from({ length: 300 }, (_, task) =>
        (['none', 'none', 'none', 'give'] as const).map(kind =>
          rightAt(task, kind, [random() < 0.5, random() < 0.9]),
        ),
      ).flat()
      expect(measure(...forks).newlyLost).toBeLessThan(0.02)
      expect(measure(...forks).newlyLostByChance).toBeGreaterThan(0.12)
    })

    it('is unknown without a control', () => {
      expect(measure(rightAt(1, 'give', [true]))).toEqual({ newlyLost: null, newlyLostByChance: null })
    })
  })

  it('weighs what comes back by the share that it is of the gold of its task, as the loss is', () => {
    // Task 0 lost 1 of 2 items, which comes back. Task 1 lost 1 of 10, which does not: 0.5 of 0.6 lost, half of it each.
    const ofTask = (task: number, kind: InterventionKind, right: boolean) => {
      const made = entry({ task, lossClass: 'not-opened', kind, right })
      const others = Array.from({ length: task === 0 ? 1 : 9 }, (_, at) => ({
        ...{ goldRow: at + 1, column: 'c' },
        // The document costs task 1 one of the items that it had.
        score: kind === 'give' && task === 1 && at === 0 ? 0 : 1,
      }))
      return { ...made, score: { ...made.score!, cells: [...made.score!.cells, ...others] } } as Entry
    }
    const forks = [0, 1].flatMap(task => [ofTask(task, 'give', task === 0), ofTask(task, 'none', false)])
    const { rows, sentence } = makeCausalWaterfall(forks, { 'not-opened': 0.3 })!
    expect(rows[0]).toMatchObject({ cameBack: { mean: 0.5 }, backByChance: 0, newlyLost: 0.05 })
    expect(rows[0]!.back).toBeCloseTo(0.25)
    expect(sentence).toContain('Of 30 points lost online, 25 come back when')
  })

  it('leaves unscored forks out, and counts them', () => {
    const forks = makeForks('not-opened', 'give', 6, isChanged => isChanged)
    const unscored = entry({ task: 9, lossClass: 'not-opened', kind: 'give', right: false, isUnscored: true })
    const [row] = makeCausalWaterfall([...forks, unscored], null)!.rows
    expect(row).toMatchObject({ forks: 6, unscored: 1, items: 7 })
    expect(row!.cameBack!.mean).toBe(1)
  })

  it('counts the part of a partial credit that was lost', () => {
    const back = (right: boolean): number =>
      makeCausalWaterfall(
        [entry({ task: 1, lossClass: 'wrong', kind: 'prompt-note', right, lost: 0.2 })],
        null,
      )!.rows[0]!.cameBack!.mean
    expect(back(true)).toBeCloseTo(1)
    expect(back(false)).toBeCloseTo(0)
  })

  it('compares an intervention with the controls of its own turn', () => {
    const made = { lossClass: 'not-surfaced', right: true } as const
    const forks = Array.from({ length: 10 }, (_, task) => [
      entry({ ...made, task, kind: 'give', atStep: 3 }),
      entry({ ...made, task, kind: 'budget', atStep: 2 }),
      entry({ ...made, task, kind: 'none', atStep: 3, right: false }),
      entry({ ...made, task, kind: 'none', atStep: 2 }),
    ]).flat()
    const rows = makeCausalWaterfall(forks, null)!.rows
    expect(rows.map(({ kind, byChance, difference }) => [kind, byChance!.mean, difference!.mean])).toEqual([
      ['give', 0, 1],
      ['budget', 1, 0],
    ])
  })

  it('is null for a run without forks about a class', () => {
    expect(makeCausalWaterfall([], null)).toBeNull()
    expect(makeCausalTables(null)).toEqual([])
  })

  it('is printed with its sentence', () => {
    const forks = makeForks('not-surfaced', 'give', 10, isChanged => isChanged)
    const text = renderTables(makeCausalTables(makeCausalWaterfall(forks, { 'not-surfaced': 0.5 })), {
      columns: 120,
    })
    expect(text).toMatch(
      /not-surfaced +50\.0 +give +10 +10 +100\.0 \[\d+\.\d, 100\.0\] +0\.0 +\+100\.0 +50\.0 +0\.0 +yes/,
    )
    expect(text).toContain('Of 50 points lost online')
  })
})
