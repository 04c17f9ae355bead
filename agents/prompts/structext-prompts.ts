import type { Prompts } from '../../src/core/prompts.ts'
import type { PromptTemplate } from './prompt-template.ts'
import { hashOfTemplate, promptsOfTemplates } from './template-prompts.ts'

/** The kinds of prompts of StrucText-Eval. Each is a set of prompts `structext-KIND`. */
export const structextPromptKinds = ['naive', 'self-cot', 'plan-and-solve', 'few-shot', 'rule-hint'] as const
type StructextPromptKind = (typeof structextPromptKinds)[number]

const system =
  'You read texts in structured languages: {language}. Answer a question about one text, and use nothing but this text.'
const text = '# Text\n{reference}\n\n# Question\n{question}'
const only = 'Write the answer itself and nothing else: no explanation and no code fence.'
const tagged = 'End with the answer alone between <answer> and </answer>, without a code fence.'

const words: Readonly<Record<StructextPromptKind, PromptTemplate>> = {
  naive: { system, user: `${only}\n\n${text}\n\n# Answer\n`, example: '' },
  'self-cot': {
    system,
    user: `${text}\n\n# Answer\nFirst work through the text step by step and write down each step. ${tagged}`,
    example: '',
  },
  'plan-and-solve': {
    system,
    user: `${text}\n\n# Answer\nFirst write a plan: which parts of the text decide the answer, and in which order you look at them. Then carry out the plan and write down each result. ${tagged}`,
    example: '',
  },
  'few-shot': {
    system,
    user: `${only}\n\n# Solved examples\n{examples}\n\n${text}\n\n# Answer\n`,
    example: '<example>\n# Text\n{reference}\n\n# Question\n{question}\n\n# Answer\n{answer}\n</example>',
  },
  'rule-hint': { system, user: `${only}\n\n${text}\n\n# Hint\n{hint}\n\n# Answer\n`, example: '' },
}

/** Returns StrucText-Eval's kind of prompts in our words. `--cot` does not change them. */
export function structextPrompts(kind: StructextPromptKind): Prompts {
  const template = words[kind]
  const place = `structext-${kind}`
  const prompts = promptsOfTemplates(({ form, turns, taskId }) => {
    if (form.kind === 'text' && turns === undefined) return { template, place }
    return `--prompts ${place}: these prompts ask for one text, but ${taskId} asks for something else. Use --prompts own.`
  }, hashOfTemplate(template))
  return {
    ...prompts,
    missing: (question, sources) =>
      sources?.has('web') === true
        ? `--prompts ${place}: these prompts do not say how to search. Leave online out of --setting, or use --prompts own.`
        : prompts.missing!(question, sources),
  }
}
