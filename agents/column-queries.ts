import { promptLanguageOf } from '../src/core/language.ts'
import type { Question } from '../src/core/task.ts'
import type { AttemptRun } from './attempt-run.ts'
import { furtherWords } from './prompts/further-words.ts'
import { promptsOfForm } from './prompts/kinds/registry.ts'
import { layOutUser } from './prompts/layout.ts'
import { promptWords } from './prompts/words.ts'
import { askModel } from './single-request.ts'
import type { Ended } from './termination.ts'

/** More columns than these are no schema of a table. */
const mostColumns = 40

/**
 * Returns the queries that the form of the answer gives, such as one for each field of a schema. Otherwise the model
 * states the columns of the answer from the question alone, and each column is a query. The list is empty when the model
 * states no columns. `ended`: the provider or the budget ended the attempt with that call.
 */
export async function columnQueries(
  run: AttemptRun,
  question: Question,
): Promise<{ queries: readonly string[]; ended: Ended | null }> {
  const given = promptsOfForm(question.form).queries(question)
  if (given !== null) return { queries: given, ended: null }
  run.step++
  const language = promptLanguageOf(question.language)
  const isNamed = question.documentNames.length > 0
  const { answer, ended } = await askModel(run, {
    system: isNamed ? promptWords[language].stateSchema : furtherWords[language].unnamed.stateSchema,
    user: layOutUser(question, { documents: null, closing: null }),
  })
  return { queries: readColumns(answer.text).map(queryOf), ended }
}

interface StatedColumn {
  readonly name: string
  readonly about: string
}

/** The columns of a schema block, written as a list of `name:` and `about:` lines or as JSON; each name once. */
export function readColumns(text: string): StatedColumn[] {
  const block = /<schema>([\s\S]*?)(?:<\/schema>|$)/i.exec(text)?.[1] ?? text
  const columns = new Map<string, StatedColumn>()
  let current: string | null = null
  for (const [, field = '', quoted, plain = ''] of block.matchAll(fieldPattern)) {
    const value = (quoted ?? plain).trim()
    if (field.toLowerCase() === 'name') {
      current = value === '' ? null : value
      if (current !== null && !columns.has(current)) columns.set(current, { name: current, about: '' })
    } else if (current !== null && columns.get(current)?.about === '') {
      columns.set(current, { name: current, about: value })
    }
  }
  return [...columns.values()].slice(0, mostColumns)
}

/** `- name: X`, `"name": "X"`, `**name**: X`, one a line or in a row, as `- name: X, about: Y`. */
const fieldPattern =
  /(?:^|[\s{,;，；*"'`-])["'`*]*(name|about|description)["'`*]*\s*[:：]\s*(?:"((?:[^"\\]|\\.)*)"|([^\n]*?)(?=\n|$|[,;，；]\s*["'`*]*(?:name|about|description)["'`*]*\s*[:：]))/gi

function queryOf({ name, about }: StatedColumn): string {
  return about === '' || about === name ? name : `${name}: ${about}`
}
