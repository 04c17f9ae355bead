import { expect, it } from 'vitest'
import { describeScores, orderRows, searchText } from '../../../src/report/app/index-rows.ts'
import { createReloader, withUpdate } from '../../../src/report/app/live-data.ts'
import type { AttemptColumns, PageArm, PageData } from '../../../src/report/page/page-data.ts'
import type { IndexRow, LiveUpdate, RunRow } from '../../../src/report/page/served-data.ts'

const arm = (id: string): PageArm => ({
  ...{ id, name: id, setting: id, agent: null, model: 'm', options: {}, run: 0, isControl: false },
})
const task = (id: string) => ({ id, domain: 'd', language: 'en', question: '' })

/** Attempts of the form [id, task, arm, value]. */
function columns(rows: readonly (readonly [string, number, number, number | null])[]): AttemptColumns {
  const zeros = rows.map(() => 0)
  return {
    id: rows.map(([id]) => id),
    task: rows.map(([, at]) => at),
    arm: rows.map(([, , at]) => at),
    ...{ trial: zeros, ending: zeros, endings: ['agent / answered'], flags: zeros },
    ...{ opened: zeros, tokens: zeros, usd: zeros, wallMs: zeros },
    values: { cellF1: rows.map(([, , , value]) => value) },
  }
}

const page = {
  arms: [arm('offline')],
  tasks: [task('a')],
  attempts: columns([['a.offline', 0, 0, 0.5]]),
} as unknown as PageData

const update: LiveUpdate = {
  progress: { state: 'running', planned: 4, done: 3, failed: 0 },
  isReplaced: false,
  arms: [arm('online'), arm('offline')],
  tasks: [task('b'), task('a')],
  attempts: columns([
    ['b.online', 0, 0, 1],
    ['a.offline', 1, 1, 0.75],
  ]),
}

it('adds new attempts with their tasks and arms, and replaces an attempt that was made again', () => {
  const { arms, tasks, attempts } = withUpdate(page, update)
  expect(arms.map(({ id }) => id)).toEqual(['offline', 'online'])
  expect(tasks.map(({ id }) => id)).toEqual(['a', 'b'])
  expect(attempts).toMatchObject({
    id: ['b.online', 'a.offline'],
    task: [1, 0],
    arm: [1, 0],
    values: { cellF1: [1, 0.75] },
  })
})

it('loads the overview once for all attempts that end during a load and its pause', async () => {
  const steps: (() => void)[] = []
  const wait = (): Promise<void> => new Promise(resolve => steps.push(resolve))
  let [loads, nowMs] = [0, 0]
  const pauses: number[] = []
  const reload = createReloader(
    () => {
      loads += 1
      nowMs += 2_000
      return loads === 2 ? Promise.reject(new Error('gone')) : wait()
    },
    {
      now: () => nowMs,
      pause: ms => {
        pauses.push(ms)
        return wait()
      },
    },
  )
  const goOn = async (): Promise<void> => {
    steps.shift()?.()
    await new Promise(setImmediate)
  }
  reload()
  for (let attempt = 0; attempt < 5; attempt++) reload()
  expect(loads).toBe(1)
  await goOn()
  reload()
  await goOn()
  // The second load fails, and the next request loads again.
  expect(loads).toBe(2)
  await goOn()
  expect(loads).toBe(2)
  reload()
  expect(loads).toBe(3)
  expect(pauses).toEqual([8_000, 8_000])
})

it('leaves the data of the page as they are when no attempt has ended', () => {
  expect(withUpdate(page, { ...update, attempts: columns([]) })).toBe(page)
})

const row = (name: string, over: Partial<RunRow>): IndexRow => ({
  ...{ name, startedAt: '2026-01-01', state: 'done', planned: 1, done: 1, failed: 0, note: '', tags: [] },
  ...{ models: ['m'], metric: null, arms: [] },
  ...over,
})
const rows: readonly IndexRow[] = [
  { name: 'broken', state: 'broken', problem: 'manifest.json is damaged' },
  row('older', { arms: [{ name: 'rag', mean: 0.9 }] }),
  row('newer', { startedAt: '2026-02-01', arms: [{ name: 'rag', mean: 0.2 }], tags: ['Paper'] }),
]

it('sorts runs by any column, those that cannot be read last', () => {
  const names = (column: 'startedAt' | 'score', isDown: boolean) =>
    orderRows(rows, { column, isDown }).map(({ name }) => name)
  expect(names('startedAt', true)).toEqual(['newer', 'older', 'broken'])
  expect(names('score', true)).toEqual(['older', 'newer', 'broken'])
  expect(names('score', false)).toEqual(['newer', 'older', 'broken'])
})

it('finds runs by tag, arm, state and problem', () => {
  const found = (text: string) => rows.filter(one => searchText(one).includes(text)).map(({ name }) => name)
  expect([found('paper'), found('rag'), found('damaged')]).toEqual([
    ['newer'],
    ['older', 'newer'],
    ['broken'],
  ])
})

it('names the model that all arms of a run share', () => {
  const describe = (over: Partial<RunRow>) => describeScores(row('r', over) as RunRow)
  const metric = { label: 'Cell F1' } as RunRow['metric']
  expect(describe({ metric, models: ['openai:a'] })).toBe('Cell F1 · openai:a')
  expect(describe({ models: ['openai:a'] })).toBe('no score yet · openai:a')
  // The names of arms then contain the models.
  expect(describe({ metric, models: ['openai:a', 'openai:b'] })).toBe('Cell F1')
  expect(describe({ models: [] })).toBe('no score yet')
})
