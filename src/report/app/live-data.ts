import { useEffect, useState } from 'preact/hooks'
import type { AttemptColumns, PageData } from '../page/page-data.ts'
import type { LiveUpdate, RunProgress, ServedRun } from '../page/served-data.ts'
import { loadPageData } from './read-page.ts'

/** The data of a page with what was added while it is open. */
interface LiveData {
  readonly data: PageData
  /** The data as the server last summed them up, with means, comparisons and figures over all attempts so far. */
  readonly overview: PageData
  /** Null before the server has said how far the run is, and in a file. */
  readonly progress: RunProgress | null
  /** Whether the records were written anew, so that the page must be loaded again. */
  readonly isReplaced: boolean
}

/** Returns the data of the page. While the server of `view` shows a run, attempts are added as they end. */
export function useLiveData(loaded: PageData, served: ServedRun | null): LiveData {
  const [live, setLive] = useState<LiveData>({
    ...{ data: loaded, overview: loaded, progress: null, isReplaced: false },
  })
  useEffect(() => {
    if (served === null) return
    const loadOverview = createReloader(async () => {
      const overview = await loadPageData()
      setLive(before => ({ ...before, overview }))
    })
    const events = new EventSource(`events?after=${encodeURIComponent(served.position)}`)
    events.addEventListener('update', ({ data }: MessageEvent<string>) => {
      const update = JSON.parse(data) as LiveUpdate
      if (update.attempts.id.length > 0 || update.isReplaced) loadOverview()
      setLive(before => ({
        ...before,
        data: withUpdate(before.data, update),
        progress: update.progress,
        isReplaced: before.isReplaced || update.isReplaced,
      }))
    })
    return () => events.close()
  }, [loaded, served])
  return live
}

/** After a load, the next one waits for this time, and for so many times as long as the load took. */
const [leastPauseMs, pauseFactor] = [1_000, 4]

/**
 * Returns a function that asks for a load. One load runs at a time, with a pause after it, and requests in the meantime
 * lead to one more. A load that fails is left to the next request.
 */
export function createReloader(
  load: () => Promise<void>,
  { now, pause }: ReloaderClock = browserClock,
): () => void {
  let [isBusy, isAsked] = [false, false]
  const run = async (): Promise<void> => {
    isBusy = true
    do {
      isAsked = false
      const startedAt = now()
      await load().catch(() => undefined)
      await pause(Math.max(leastPauseMs, pauseFactor * (now() - startedAt)))
      // Another request may have come during the pause.
    } while (isAsked)
    isBusy = false
  }
  return () => {
    if (isBusy) isAsked = true
    else void run()
  }
}

/** What tests replace. */
interface ReloaderClock {
  /** Milliseconds. */
  now(): number
  pause(ms: number): Promise<void>
}

const browserClock: ReloaderClock = {
  now: () => performance.now(),
  pause: ms => new Promise(resolve => setTimeout(resolve, ms)),
}

/** Adds the attempts of an update to the data of a page. An attempt that was made again replaces the earlier one. */
export function withUpdate(data: PageData, update: LiveUpdate): PageData {
  const { attempts: added } = update
  if (added.id.length === 0) return data
  const arms = withNew(data.arms, update.arms)
  const tasks = withNew(data.tasks, update.tasks)
  const armAt = update.arms.map(({ id }) => arms.findIndex(arm => arm.id === id))
  const taskAt = update.tasks.map(({ id }) => tasks.findIndex(task => task.id === id))
  const endings = [...new Set([...data.attempts.endings, ...added.endings])]
  const moved: AttemptColumns = {
    ...added,
    task: added.task.map(at => taskAt[at] ?? -1),
    arm: added.arm.map(at => armAt[at] ?? -1),
    ending: added.ending.map(at => endings.indexOf(added.endings[at] ?? '')),
  }
  const again = new Set(added.id)
  const unchanged = data.attempts.id.map((id, at) => (again.has(id) ? -1 : at)).filter(at => at >= 0)
  return { ...data, arms, tasks, attempts: joinColumns(data.attempts, unchanged, { ...moved, endings }) }
}

function withNew<T extends { readonly id: string }>(items: readonly T[], added: readonly T[]): readonly T[] {
  const ids = new Set(items.map(({ id }) => id))
  return [...items, ...added.filter(({ id }) => !ids.has(id))]
}

/** Puts rows of one set of columns before another. */
function joinColumns(
  first: AttemptColumns,
  firstRows: readonly number[],
  second: AttemptColumns,
): AttemptColumns {
  const join = <T>(left: readonly T[], right: readonly T[]): T[] => [
    ...firstRows.map(at => left[at]!),
    ...right,
  ]
  const keys = Object.keys({ ...first.values, ...second.values })
  const none = (columns: AttemptColumns): null[] => columns.id.map(() => null)
  return {
    id: join(first.id, second.id),
    task: join(first.task, second.task),
    arm: join(first.arm, second.arm),
    trial: join(first.trial, second.trial),
    ending: join(first.ending, second.ending),
    endings: second.endings,
    flags: join(first.flags, second.flags),
    opened: join(first.opened, second.opened),
    tokens: join(first.tokens, second.tokens),
    usd: join(first.usd, second.usd),
    wallMs: join(first.wallMs, second.wallMs),
    ...(first.bounds === undefined && second.bounds === undefined
      ? {}
      : { bounds: { ...first.bounds, ...second.bounds } }),
    values: Object.fromEntries(
      keys.map(key => [key, join(first.values[key] ?? none(first), second.values[key] ?? none(second))]),
    ),
  }
}
