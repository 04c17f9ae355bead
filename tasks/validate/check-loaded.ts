import { z } from 'zod/v4'
import { ConfigError } from '../../src/core/errors.ts'
import { answerKindNames } from '../../src/core/metric.ts'
import type { LoadedTasks } from '../../src/core/task.ts'
import { describeZodProblems } from '../../src/core/zod-problems.ts'

const form = z.looseObject({ kind: z.enum(answerKindNames) })
const texts = z.array(z.string())
const gold = z.discriminatedUnion(
  'kind',
  [
    z.looseObject({
      kind: z.literal('table'),
      keyColumns: texts,
      targetColumns: texts,
      numericColumns: texts,
      rows: z.array(z.looseObject({})),
    }),
    z.looseObject({ kind: z.literal('json'), schemaName: z.string(), text: z.string() }),
    z.looseObject({ kind: z.literal('text'), references: texts, items: texts.optional() }),
  ],
  {
    error: issue =>
      issue.code === 'invalid_union' ? `kind is one of ${answerKindNames.join(', ')}` : undefined,
  },
)

const loadedTasks = z.looseObject({
  tasks: z.array(
    z.looseObject({
      question: z.looseObject({
        taskId: z.string(),
        domain: z.string(),
        language: z.string(),
        query: z.string(),
        documentNames: texts,
        form,
        turns: z.array(z.looseObject({ query: z.string(), form })).optional(),
      }),
      gold,
      turnGolds: z.array(gold).optional(),
      documents: z.array(z.looseObject({ name: z.string() })),
      optionalDocuments: z.array(z.string()).optional(),
      evidence: z.looseObject({ kind: z.enum(['documents', 'urls', 'judgements']) }).nullable(),
    }),
  ),
  skipped: z.array(z.looseObject({ line: z.number(), recordId: z.string().nullable(), problem: z.string() })),
})

/**
 * Checks the types of the tasks that a plug-in's benchmark loaded, because a plug-in in JavaScript has no type checker.
 * `validateTasks` checks their content.
 *
 * @throws ConfigError `invalid-tasks` with the member that is wrong
 */
export function checkLoaded(
  benchmark: string,
  plugin: string,
  loaded: unknown,
): asserts loaded is LoadedTasks {
  const { success, error } = loadedTasks.safeParse(loaded)
  if (success) return
  const [first, ...further] = describeZodProblems(error, 'what it returned')
  const more = further.length === 0 ? '' : `, and ${further.length} more`
  throw new ConfigError(
    `plug-in ${plugin}: benchmark ${benchmark}: load() did not return tasks: ${first}${more}. See docs/benchmarks.md.`,
    { code: 'invalid-tasks' },
  )
}
