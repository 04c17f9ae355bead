import { expect, it } from 'vitest'
import { z } from 'zod/v4'
import { describeZodProblem, describeZodProblems } from '../../src/core/zod-problems.ts'

const schema = z.strictObject({
  answers: z.array(z.record(z.string(), z.unknown())).min(1),
  query: z.string().min(1),
  tries: z.int().min(0).max(9),
  share: z.number().gt(0),
  cut: z.enum(['even', 'head']),
  id: z.union([z.string(), z.number()]),
  own: z.string().refine(text => text === 'right', 'the right word is expected'),
})
const fits = { answers: [{}], query: 'q', tries: 1, share: 0.5, cut: 'even', id: 1, own: 'right' }

it.each([
  [{ answers: undefined }, 'answers: is missing, a list is expected'],
  [{ answers: {} }, 'answers: is an object, a list is expected'],
  [{ answers: [] }, 'answers: is empty'],
  [{ answers: [3] }, 'answers[0]: is a number, an object is expected'],
  [{ query: '' }, 'query: is empty'],
  [{ tries: 1.5 }, 'tries: a whole number is expected'],
  [{ tries: -1 }, 'tries: at least 0 expected'],
  [{ tries: 10 }, 'tries: at most 9 expected'],
  [{ share: 0 }, 'share: more than 0 expected'],
  [{ cut: 'tail' }, 'cut: one of even, head is expected'],
  [{ id: null }, 'id: is null, a text or a number is expected'],
  [{ own: 'wrong' }, 'own: the right word is expected'],
  [{ more: 1 }, 'record: unknown field more'],
])('says in plain words what does not fit: %j', (change, words) => {
  const { error } = schema.safeParse({ ...fits, ...change })
  expect(describeZodProblem(error!, 'record')).toBe(words)
})

it('names every place, or the whole value when its kind is wrong', () => {
  const { error } = schema.safeParse({ ...fits, query: 1, share: 'much' })
  expect(describeZodProblems(error!, 'record')).toEqual([
    'query: is a number, a text is expected',
    'share: is a text, a number is expected',
  ])
  expect(describeZodProblem(schema.safeParse([]).error!, 'record')).toBe(
    'record: is a list, an object is expected',
  )
})
