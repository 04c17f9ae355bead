import type { AnswerKindName } from '../../src/core/metric.ts'
import type { LoadedTasks, Task } from '../../src/core/task.ts'
import type { SkippedRecord, TaskProblem } from '../../src/core/task-problem.ts'
import { validateGold } from './validate-gold.ts'
import { validateQuestion } from './validate-question.ts'

/**
 * Valid tasks, skipped records, and the problems of both.
 *
 * @example
 * import { loadTasks, type ValidatedTasks } from 'tablehunt'
 *
 * const { problems }: ValidatedTasks = await loadTasks('tasks.jsonl')
 * for (const { severity, file, line, message } of problems) console.log(`${severity}: ${file}:${line}: ${message}`)
 */
export interface ValidatedTasks extends LoadedTasks {
  readonly problems: readonly TaskProblem[]
}

/**
 * Validates the tasks of any benchmark: unique ids, questions, names of documents, evidence, facets and golds. Tasks with
 * an error move to `skipped`; tasks with only warnings stay. Documents and scores are not checked.
 *
 * @param path - the value of --tasks; the source of tasks that do not name one
 * @param answerKinds - the kinds of answers that the benchmark declares
 */
export function validateTasks(
  path: string,
  loaded: LoadedTasks,
  answerKinds: readonly AnswerKindName[],
): ValidatedTasks {
  const tasks: Task[] = []
  const skipped: SkippedRecord[] = [...loaded.skipped]
  const problems: TaskProblem[] = [
    ...loaded.skipped.map(record => makeInvalidProblem(path, record)),
    ...(loaded.warnings ?? []),
  ]
  const sources = new Map<string, { readonly file: string; readonly line: number }>()
  for (const task of loaded.tasks) {
    const { taskId } = task.question
    const source = task.source ?? { file: path, line: 1 }
    const goldProblems = [
      ...validateQuestion(task, answerKinds),
      ...[task.gold, ...(task.turnGolds ?? [])].flatMap(validateGold),
    ]
    const first = sources.get(taskId)
    const taskProblems: TaskProblem[] = goldProblems.map(problem => ({ ...problem, ...source, taskId }))
    if (first !== undefined) taskProblems.unshift(makeDuplicateProblem(taskId, source, first))
    else sources.set(taskId, source)
    problems.push(...taskProblems)
    const errors = taskProblems.filter(({ severity }) => severity === 'error')
    if (errors.length === 0) tasks.push(task)
    else skipped.push(makeSkippedRecord(path, taskId, source, errors))
  }
  const order = (a: { line: number }, b: { line: number }): number => a.line - b.line
  return { tasks, skipped: skipped.sort(order), problems: problems.sort(order) }
}

function makeInvalidProblem(
  path: string,
  { line, recordId, problem, code, file }: SkippedRecord,
): TaskProblem {
  return {
    severity: 'error',
    code: code ?? 'invalid-record',
    file: file ?? path,
    line,
    taskId: recordId,
    message: problem,
  }
}

function makeDuplicateProblem(
  taskId: string,
  source: { readonly file: string; readonly line: number },
  first: { readonly file: string; readonly line: number },
): TaskProblem {
  const where = first.file === source.file ? `on line ${first.line}` : `in ${first.file}`
  const message = `the same id as ${where}. Give one of the two tasks another id.`
  return { severity: 'error', code: 'duplicate-task-id', ...source, taskId, message }
}

function makeSkippedRecord(
  path: string,
  recordId: string,
  { file, line }: { readonly file: string; readonly line: number },
  errors: readonly TaskProblem[],
): SkippedRecord {
  return {
    line,
    recordId,
    problem: errors.map(({ message }) => message).join(' '),
    code: errors[0]!.code,
    ...(file === path ? {} : { file }),
  }
}
