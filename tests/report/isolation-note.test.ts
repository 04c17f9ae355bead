import { expect, it } from 'vitest'
import { isolationNote } from '../../src/report/model/record-notes.ts'
import { makeAttempt } from './records.ts'

const attempt = (agent: string, isolation?: 'bubblewrap' | 'container' | 'none') => ({
  ...makeAttempt({ task: 't', setting: 'online' }),
  ...{ agent, options: { agent } },
  ...(isolation === undefined ? {} : { isolation }),
})

it('names the arms whose agents could read the tasks, at most three, each once', () => {
  expect(
    isolationNote([attempt('tablehunt'), attempt('a', 'bubblewrap'), attempt('b', 'container')]),
  ).toBeNull()
  const open = ['a', 'a', 'b'].map(agent => attempt(agent, 'none'))
  expect(isolationNote([...open, attempt('c', 'bubblewrap')])).toBe(
    'not isolated: agents of online [agent=a], online [agent=b] could read the tasks with their answers (--isolate)',
  )
  expect(isolationNote(['a', 'b', 'c', 'd', 'e'].map(agent => attempt(agent, 'none')))).toContain(
    'agents of online [agent=a], online [agent=b], online [agent=c] and 2 more arms could',
  )
})
