import { solveCsv } from './solvers/csv.ts'
import { solveDocument } from './solvers/headings.ts'
import { solveObjects } from './solvers/objects.ts'
import { solveTree } from './solvers/tree.ts'
import { solveXml } from './solvers/xml.ts'
import type { StructextLanguage } from './task-table.ts'
import { taskOfQuestion } from './task-table.ts'

/**
 * Answers a question of StrucText-Eval from the text that it is about, by parsing the text.
 *
 * @returns the answer; null when the question is none of the 29 tasks, or the text has no answer to it
 */
export function solveStructext(
  language: StructextLanguage,
  question: string,
  reference: string,
): string | null {
  const match = taskOfQuestion(language, question)
  if (match === null) return null
  const template = { template: match.task.template, parameters: match.parameters, reference }
  if (language === 'csv') return solveCsv(template)
  if (language === 'tree') return solveTree(template)
  if (language === 'xml') return solveXml(template)
  if (language === 'json' || language === 'yaml') return solveObjects(language, template)
  return solveDocument(language, template)
}
