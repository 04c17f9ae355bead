import { expect, it } from 'vitest'
import { listFailedServiceLines } from '../../src/commands/run-for-terminal.ts'
import type { Attempt } from '../../src/core/attempt.ts'
import type { Termination } from '../../src/core/termination.ts'
import { ServiceWatch } from '../../src/run/attempt/service-watch.ts'

const models = new Set(['openai:a', 'openai:b'])
const clockAt = (time: { ms: number }) => ({ now: () => time.ms, sleep: async () => undefined })

const ended = (model: string, termination: Partial<Termination>, setting = 'offline'): Attempt =>
  ({
    model,
    setting,
    termination: { cause: 'agent', reason: 'answered', detail: null, lastHealthyStep: 0, ...termination },
  }) as Attempt

const refused = (service: string, detail = `${service}: HTTP 401: no`): Partial<Termination> => ({
  cause: 'provider',
  reason: 'auth',
  detail,
  fatalService: service,
})

const notThere = (service: string): Partial<Termination> => ({
  cause: 'provider',
  reason: 'unavailable',
  detail: `${service}: ECONNREFUSED`,
  fatalService: service,
})

const planned = (model: string, setting: 'offline' | 'online' = 'offline') => ({
  model,
  setting,
  control: null,
})

const watchAt = (time = { ms: 0 }): ServiceWatch => new ServiceWatch(models, clockAt(time))

it('stops using a model at its third identical failure, and no other model', () => {
  const watch = watchAt()
  expect([1, 2, 3].map(() => watch.ended(ended('openai:a', refused('openai:a'))))).toEqual([
    false,
    false,
    true,
  ])
  expect(watch.givenUp(planned('openai:a'))).toBe('openai:a')
  expect(watch.givenUp(planned('openai:b'))).toBeNull()
})

it('continues after a success in between, and after failures that differ', () => {
  const watch = watchAt()
  watch.ended(ended('openai:a', refused('openai:a')))
  watch.ended(ended('openai:a', refused('openai:a')))
  watch.ended(ended('openai:a', {}))
  watch.ended(ended('openai:a', refused('openai:a')))
  watch.ended(ended('openai:a', refused('openai:a', 'openai:a: HTTP 404: another')))
  expect(watch.ended(ended('openai:a', refused('openai:a')))).toBe(false)
  expect(watch.givenUp(planned('openai:a'))).toBeNull()
})

it('treats failures that differ only in a number as identical', () => {
  const watch = watchAt()
  const failures = [7, 8, 9].map(n =>
    ended('openai:a', refused('openai:a', `request ${n} of key 0123456789abcdef`)),
  )
  expect(failures.map(failure => watch.ended(failure))).toEqual([false, false, true])
})

it('stops the settings that need a search service, for all models', () => {
  const watch = watchAt()
  for (const model of ['openai:a', 'openai:b', 'openai:a'])
    watch.ended(ended(model, { ...refused('serper'), lastHealthyStep: 1 }, 'online'))
  expect(watch.givenUp(planned('openai:b', 'online'))).toBe('serper')
  expect(watch.givenUp(planned('openai:b'))).toBeNull()
})

it('waits two minutes for a server that has answered before, but not for one that never answered', () => {
  const time = { ms: 0 }
  const watch = watchAt(time)
  watch.ended(ended('openai:a', {}))
  for (const ms of [0, 10_000, 119_000]) {
    time.ms = ms
    expect(watch.ended(ended('openai:a', notThere('openai:a')))).toBe(false)
  }
  time.ms = 120_000
  expect(watch.ended(ended('openai:a', notThere('openai:a')))).toBe(true)
  expect([1, 2, 3].map(() => watch.ended(ended('openai:b', notThere('openai:b'))))).toEqual([
    false,
    false,
    true,
  ])
})

it('starts no more attempts of a failing model than the decision requires', async () => {
  const watch = watchAt()
  const one = planned('openai:a')
  for (let n = 0; n < 4; n++) expect(await watch.enter(one)).toBeNull()
  const failing = (): void => {
    watch.ended(ended('openai:a', refused('openai:a')))
    watch.left(one)
  }
  failing()
  const fifth = watch.enter(one)
  failing()
  failing()
  expect(await fifth).toBe('openai:a')
})

it('reports a model that never answered, even below three failures, and no model that did', () => {
  const watch = watchAt()
  watch.ended(ended('openai:a', refused('openai:a')))
  watch.ended(ended('openai:b', refused('openai:b')))
  watch.ended(ended('openai:b', {}))
  expect(watch.failures()).toMatchObject([{ service: 'openai:a', failed: 1, isGivenUp: false }])
})

it("reports the service's message, the missing attempts and the fix", () => {
  const watch = watchAt()
  for (let n = 0; n < 3; n++)
    watch.ended(
      ended('openai:a', refused('openai:a', 'openai:a: HTTP 401: {"error":{"message":"Bad key."}}')),
    )
  watch.skip('openai:a')
  expect(listFailedServiceLines(watch.failures(), 'runs/x')).toEqual([
    "openai:a failed: HTTP 401: Bad key. 3 attempts failed and 1 was not made. Check the API key (OPENAI_API_KEY) and the account's credit, then run the same command with --out runs/x: it repeats all of them. [provider-failed]",
  ])
})
