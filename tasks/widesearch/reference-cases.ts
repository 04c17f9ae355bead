import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { z } from 'zod/v4'
import { DataError } from '../../src/core/errors.ts'
import { describeZodProblem } from '../../src/core/zod-problems.ts'
import { readBatch } from '../../src/score/batch-file.ts'
import { readTextFileSync } from '../../src/system/files.ts'
import { type EvaluationResult, evaluateAsPublished, noFigures } from './evaluate.ts'
import { evaluationSchema } from './settings.ts'

const form = '{ cases: [{ id, task, now, answer, judge }], tasks: { NAME: { evaluation, gold_csv } } }'

const taskSchema = z.object({ evaluation: evaluationSchema, gold_csv: z.string() })
const caseSchema = z.object({
  id: z.string(),
  task: z.string(),
  now: z.iso.datetime(),
  answer: z.string().nullable(),
  judge: z.array(z.object({ reply: z.string().nullable() })),
})
const fileSchema = z.object({
  cases: z.array(caseSchema),
  tasks: z.record(z.string(), taskSchema).default({}),
})

type ReferenceTask = z.infer<typeof taskSchema>
type ReferenceFile = z.infer<typeof fileSchema>

/**
 * Scores reference cases of WideSearch's code, in order, and yields one JSON line { id, metrics, error } for each. The
 * clock and the judge's replies come from the case: the n-th call gets the n-th reply. Tasks that the file does not
 * contain are read from `widesearch.jsonl` and `widesearch_gold` beside it.
 *
 * @throws ConfigError [unreadable-batch]
 * @throws DataError [empty-batch, invalid-case]
 */
export async function* scoreReferenceCases(file: string): AsyncGenerator<string> {
  const folder = dirname(file)
  for await (const { one, task } of readBatch(file, form, data => readCases(data, folder))) {
    const replies = one.judge.map(({ reply }) => reply)
    const result = await evaluateAsPublished({
      answer: one.answer,
      goldCsv: task.gold_csv,
      evaluation: task.evaluation,
      ask: async () => replies.shift() ?? null,
      nowMs: Date.parse(one.now),
    })
    const error = result.outcome === 'error' ? result.exception : null
    yield JSON.stringify({ id: one.id, metrics: collectMetrics(result), error })
  }
}

function collectMetrics(result: EvaluationResult): Record<string, unknown> {
  if (result.outcome !== 'scored') {
    const error = result.outcome === 'error' ? { error: result.exception } : {}
    return { outcome: result.outcome, ...error, ...noFigures }
  }
  return {
    outcome: 'scored',
    ...result.figures,
    gold_rows: result.goldRows,
    answer_rows: result.answerRows,
    matched_rows: result.rows.length,
    sums: Object.fromEntries(result.sums),
  }
}

function* readCases(
  data: Buffer,
  folder: string,
): Generator<{ one: ReferenceFile['cases'][number]; task: ReferenceTask }> {
  const parsed = fileSchema.safeParse(JSON.parse(data.toString('utf8')))
  if (!parsed.success) throw new SyntaxError(describeZodProblem(parsed.error, 'file'))
  const { cases, tasks } = parsed.data
  const published = readPublishedTasks(folder)
  for (const referenceCase of cases) {
    const task =
      tasks[referenceCase.task] ?? findTask(published.get(referenceCase.task), referenceCase.task, folder)
    yield { one: referenceCase, task }
  }
}

function readPublishedTasks(folder: string): Map<string, unknown> {
  const file = join(folder, 'widesearch.jsonl')
  if (!existsSync(file)) return new Map()
  const lines = readTextFileSync(file).split('\n')
  const records = lines.flatMap(line =>
    line.trim() === '' ? [] : [JSON.parse(line) as Record<string, unknown>],
  )
  return new Map(records.map(record => [String(record.instance_id), record.evaluation]))
}

function findTask(evaluation: unknown, name: string, folder: string): ReferenceTask {
  const gold = join(folder, 'widesearch_gold', `${name}.csv`)
  if (typeof evaluation !== 'string' || !existsSync(gold))
    throw new SyntaxError(`task ${name} is neither in the file nor in ${folder}`)
  const parsed = evaluationSchema.safeParse(JSON.parse(evaluation))
  if (!parsed.success)
    throw new DataError(
      `${folder}: task ${name}: ${describeZodProblem(parsed.error, 'evaluation')}. Correct the task.`,
      { code: 'invalid-case' },
    )
  return { evaluation: parsed.data, gold_csv: readTextFileSync(gold) }
}
