import type { PromptLanguage } from '../../src/core/language.ts'
import type { AnswerSource } from '../../src/core/prompts.ts'
import type { Question } from '../../src/core/task.ts'
import { canonicalJson, sha256 } from '../../src/system/hash.ts'
import { furtherWords } from './further-words.ts'

type FurtherText = keyof (typeof furtherWords)[PromptLanguage]

/**
 * Returns the texts that the prompts for these questions and sources can contain besides the built-in prompts: those of
 * `further-words.ts`, and the benchmark's own instructions for answers. It is empty for tables and JSON values from named
 * documents, with documents or a web.
 */
export function furtherTexts(
  questions: readonly Question[],
  sources: ReadonlySet<AnswerSource>,
): Partial<Record<FurtherText | 'instructions', unknown>> {
  const forms = questions.flatMap(({ form, turns = [] }) => [form, ...turns.map(turn => turn.form)])
  const isUsed: Record<FurtherText, boolean> = {
    text: forms.some(({ kind }) => kind === 'text'),
    unnamed: questions.some(({ documentNames }) => documentNames.length === 0),
    closedBook: sources.has('memory'),
    furtherTurnOnline: questions.some(({ turns = [] }) => turns.length > 0),
  }
  const usedParts = (Object.keys(isUsed) as FurtherText[]).filter(part => isUsed[part])
  const instructions = forms.flatMap(form => (form.kind === 'text' ? (form.instructions ?? []) : []))
  return {
    ...Object.fromEntries(usedParts.map(part => [part, inEachLanguage(part)])),
    ...(instructions.length > 0 && { instructions: [...new Set(instructions)].sort() }),
  }
}

/** Returns the hash of prompts together with these texts; the unchanged hash when there are none. */
export function hashWith(hash: string, texts: Readonly<Record<string, unknown>>): string {
  return Object.keys(texts).length === 0 ? hash : sha256(canonicalJson({ hash, texts }))
}

function inEachLanguage(part: FurtherText): Record<string, unknown> {
  const languages = Object.keys(furtherWords) as PromptLanguage[]
  return Object.fromEntries(languages.map(language => [language, furtherWords[language][part]]))
}
