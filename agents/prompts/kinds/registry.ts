import type { AnswerKindName } from '../../../src/core/metric.ts'
import type { AnswerForm } from '../../../src/core/task.ts'
import { jsonPrompts } from './json.ts'
import type { KindPrompts } from './kind-prompts.ts'
import { tablePrompts } from './table.ts'
import { textPrompts } from './text.ts'

type ByKind = { readonly [K in AnswerKindName]: KindPrompts<Extract<AnswerForm, { kind: K }>> }

const kinds: ByKind = { table: tablePrompts, json: jsonPrompts, text: textPrompts }

/** Returns the prompts for a form of answer. */
export function promptsOfForm(form: AnswerForm): KindPrompts {
  return kinds[form.kind] as KindPrompts
}
