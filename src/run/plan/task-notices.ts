import type { ValidatedTasks } from '../../../tasks/validate/validate-tasks.ts'
import type { TaskPlace } from '../../core/task-problem.ts'

/** Returns the place of a task for a person: `tasks.jsonl:12 (financial_1_4_en)`. */
export function placeOfProblem({ file, line, taskId }: TaskPlace): string {
  return `${file}:${line}${taskId === null ? '' : ` (${taskId})`}`
}

/**
 * Returns what a run reports about its tasks before it starts. It reports every record that is left out, and
 * the first warning of each kind with the number of the others.
 *
 * @param path the path of --tasks
 */
export function listTaskNotices({ skipped, problems }: ValidatedTasks, path: string): string[] {
  const leftOut = skipped.map(({ line, recordId, problem, file = path }) => {
    const place = placeOfProblem({ file, line, taskId: recordId })
    return `${place}: left out: ${problem}`
  })
  // An empty gold cell is legitimate when the documents do not contain the value.
  const warnings = problems.filter(({ severity, code }) => severity === 'warning' && code !== 'empty-gold')
  const codes = new Set(warnings.map(({ code }) => code))
  const firsts = [...codes].map(code => {
    const [first, ...more] = warnings.filter(problem => problem.code === code)
    const moreText =
      more.length === 0 ? '' : ` (and ${more.length} more like it: tablehunt tasks check lists them)`
    return `${placeOfProblem(first!)}: ${first!.message} [${code}]${moreText}`
  })
  return [...leftOut, ...firsts]
}
