import type { AnswerKind } from '../../src/core/answer-kind.ts'
import type { AnswerKindName } from '../../src/core/metric.ts'
import type { Gold } from '../../src/core/task.ts'
import { jsonKind } from './json.ts'
import { tableKind } from './table.ts'
import { textKind } from './text.ts'

/** Every kind of answer that a task can ask for, by the kind of its gold. */
export const answerKinds = {
  table: tableKind,
  json: jsonKind,
  text: textKind,
} as const satisfies { readonly [K in AnswerKindName]: AnswerKind<Extract<Gold, { kind: K }>> }

/** Returns the answer kind of a gold value. */
export function findAnswerKind<G extends Gold>(gold: G): AnswerKind<G> {
  return answerKinds[gold.kind] as unknown as AnswerKind<G>
}

/** Whether an answer of the asked kind can be read from a text. */
export function hasAnswer(text: string, { kind }: Pick<Gold, 'kind'>): boolean {
  return answerKinds[kind].read(text).parseStatus === kind
}
