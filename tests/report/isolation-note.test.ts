import { expect, it } from 'vitest'
import { writeIsolationNote } from '../../src/report/model/record-notes.ts'
import { makeAttempt } from './records.ts'

const attempt = (agent: string, isolation?: 'bubblewrap' | 'container' | 'none') => ({
  ...makeAttempt({ task: 't', setting: 'online' }),
  ...{ agent, options: { agent } },
  ...(isolation === undefined ? {} : { isolation }),
})

it('names the arms whose agents could read the tasks, at most three, each once', () => {
  expect(
    writeIsolationNote([attempt('tablehunt'), attempt('a', 'bubblewrap'), attempt('b', 'container')]),
  ).toBeNull()
  const open = ['a', 'a', 'b'].map(agent => attempt(agent, 'none'))
  expect(writeIsolationNote([...open, attempt('c', 'bubblewrap')])).toBe(
    'not isolated: agents of online [agent=a], online [agent=b] could read the tasks with their answers (--isolate)',
  )
  expect(writeIsolationNote(['a', 'b', 'c', 'd', 'e'].map(agent => attempt(agent, 'none')))).toContain(
    'agents of online [agent=a], online [agent=b], online [agent=c] and 2 more arms could',
  )
})
