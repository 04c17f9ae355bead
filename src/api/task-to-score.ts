import { z } from 'zod/v4'
import { validateGold } from '../../tasks/validate/validate-gold.ts'
import { DataError } from '../core/errors.ts'
import type { Gold, JsonGold, TableGold, TextGold } from '../core/gold.ts'
import { type AnswerForm, listGolds, type Question, type ScorableTask } from '../core/task.ts'
import { describeZodProblem } from '../core/zod-problems.ts'

/**
 * A gold that is written by hand. Fields that are left out follow from the others.
 *
 * @example
 * import type { HandMadeGold } from 'tablehunt'
 *
 * const gold: HandMadeGold = { kind: 'text', references: ['Paris', 'the city of Paris'] }
 */
export type HandMadeGold =
  | (Omit<TableGold, 'numericColumns'> & {
      /** Target columns whose values are compared as numbers. Absent: none. */
      readonly numericColumns?: readonly string[]
    })
  | (Omit<JsonGold, 'schemaName' | 'text'> & { readonly schemaName?: string; readonly text?: string })
  | TextGold

/**
 * A task for `score`: a task of `loadTasks`, or a question in words with a gold that is written by hand.
 *
 * @example
 * import { score, type TaskToScore } from 'tablehunt'
 *
 * const task: TaskToScore = {
 *   question: 'What is the capital of France?',
 *   gold: { kind: 'text', references: ['Paris'] },
 * }
 * const { success } = await score('Paris', task)
 */
export type TaskToScore = ScorableTask | { readonly question: string; readonly gold: HandMadeGold }

/**
 * Completes a task that is written by hand, and checks its gold.
 *
 * @throws DataError [invalid-record, empty-gold, unknown-column, key-and-target, numeric-not-target]
 */
export function wholeTask(taskToScore: TaskToScore): ScorableTask {
  const task = isWhole(taskToScore) ? taskToScore : handMadeTask(taskToScore)
  for (const gold of listGolds(task)) {
    const problem = validateGold(gold).find(({ severity }) => severity === 'error')
    if (problem !== undefined)
      throw new DataError(`${task.question.taskId}: ${problem.message}`, { code: problem.code })
  }
  return task
}

function isWhole(task: TaskToScore): task is ScorableTask {
  return typeof task.question !== 'string'
}

function handMadeTask({ question: query, gold }: { question: string; gold: HandMadeGold }): ScorableTask {
  const whole = wholeGold(gold)
  const question: Question = {
    taskId: 'task',
    benchmark: '',
    domain: '',
    language: 'en',
    query,
    documentNames: [],
    form: chooseForm(whole),
  }
  return { question, gold: whole }
}

const texts = z.array(z.string())
const handMadeGold = z.discriminatedUnion('kind', [
  z.looseObject({
    kind: z.literal('table'),
    keyColumns: texts,
    targetColumns: texts,
    numericColumns: texts.default([]),
    rows: z.array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))),
  }),
  z.looseObject({
    kind: z.literal('json'),
    schema: z.json(),
    value: z.json(),
    schemaName: z.string().default('schema'),
    text: z.string().optional(),
  }),
  z.looseObject({ kind: z.literal('text'), references: texts.min(1), items: texts.optional() }),
])

function wholeGold(goldToComplete: HandMadeGold): Gold {
  const { data: gold, error } = handMadeGold.safeParse(goldToComplete)
  if (error !== undefined)
    throw new DataError(
      `the gold is not valid: ${describeZodProblem(error, 'gold')}. Write it as the type HandMadeGold describes.`,
      { code: 'invalid-record' },
    )
  return (gold.kind === 'json' ? { ...gold, text: gold.text ?? JSON.stringify(gold.value) } : gold) as Gold
}

function chooseForm(gold: Gold): AnswerForm {
  if (gold.kind === 'json') return { kind: 'json', schema: gold.schema }
  if (gold.kind === 'text') return { kind: 'text', isList: gold.items !== undefined }
  return { kind: 'table' }
}
