import { promptLanguageOf } from '../src/core/language.ts'
import type { Question } from '../src/core/task.ts'
import type { AttemptRun } from './attempt-run.ts'
import { furtherWords } from './prompts/further-words.ts'
import { promptsOfForm } from './prompts/kinds/registry.ts'
import { layOutUser } from './prompts/layout.ts'
import { promptWords } from './prompts/words.ts'
import { askModel } from './single-request.ts'
import type { Ended } from './termination.ts'

/** Stated columns beyond this number are ignored. */
const maxColumns = 40

/**
 * Returns the queries for `--rag-query column`. If the form of the answer defines them, such as one for each field of a
 * schema, these are used. Otherwise the model lists the columns of the answer from the question, and each column becomes a
 * query. The list is empty when the model names no columns. `ended` is set when the provider or the budget ended the
 * attempt during that call.
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

/**
 * Reads the columns of a schema block, written as `name:` and `about:` lines or as JSON. Each name is returned once.
 */
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
  return [...columns.values()].slice(0, maxColumns)
}

/**
 * Matches `- name: X`, `"name": "X"` and `**name**: X`, on separate lines or on one line, as in `- name: X, about:
 * Y`.
 */
const fieldPattern =
  /(?:^|[\s{,;，；*"'`-])["'`*]*(name|about|description)["'`*]*\s*[:：]\s*(?:"((?:[^"\\]|\\.)*)"|([^\n]*?)(?=\n|$|[,;，；]\s*["'`*]*(?:name|about|description)["'`*]*\s*[:：]))/gi

function queryOf({ name, about }: StatedColumn): string {
  return about === '' || about === name ? name : `${name}: ${about}`
}
