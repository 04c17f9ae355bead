import type { PromptMessages, Prompts } from '../../src/core/prompts.ts'
import { sha256 } from '../../src/system/hash.ts'
import { benchmarks } from '../../tasks/registry.ts'
import { aoePrompts } from './aoe-prompts.ts'
import { ownPrompts } from './own-prompts.ts'
import type { PromptTemplate } from './prompt-template.ts'
import { hashOfTemplate, promptsOfTemplates } from './template-prompts.ts'

/** The kinds of prompts of StrucText-Eval. Each is a set of prompts `structext-KIND`. */
const structextPromptKinds = ['naive', 'self-cot', 'plan-and-solve', 'few-shot', 'rule-hint'] as const
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
function structextPrompts(kind: StructextPromptKind): Prompts {
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

const steps = `Before you write the table, describe its form step by step:
1. How many tables are needed, and what is each of them called?
2. For each table: how many columns and rows does it have, and what are their names, in order?
3. Which syntax does the asked form need: separators, tags or commands, alignment, borders, caption?
4. Which value of the text belongs into each cell? Leave a cell empty when the text has no value for it.
Then write the table so that it has exactly the form that you described.`

/**
 * Returns the prompts of `--prompts format-cot`: the built-in prompts, with a description of the table's form as a
 * first step, after FormatCoT (Struc-Bench, arXiv 2309.08963). The words are ours.
 */
function formatCotPrompts(): Prompts {
  const tablehuntPrompts = ownPrompts()
  const withSteps = ({ system, user }: PromptMessages): PromptMessages => ({
    system,
    user: `${user}\n\n${steps}`,
  })
  return {
    ...tablehuntPrompts,
    hash: sha256(`${tablehuntPrompts.hash}\n${steps}`),
    withDocuments: (question, documents, chainOfThought) =>
      withSteps(tablehuntPrompts.withDocuments(question, documents, chainOfThought)),
    online: (question, chainOfThought) => withSteps(tablehuntPrompts.online(question, chainOfThought)),
    closedBook: (question, chainOfThought) =>
      withSteps(tablehuntPrompts.closedBook(question, chainOfThought)),
  }
}

/** The built-in prompts by their names in --prompts. */
const builtIn: Readonly<Record<string, () => Prompts>> = {
  own: ownPrompts,
  'aoe-conventions': aoePrompts,
  'format-cot': formatCotPrompts,
  ...Object.fromEntries(
    structextPromptKinds.map(kind => [`structext-${kind}`, () => structextPrompts(kind)]),
  ),
}

/** Returns the built-in prompts or a benchmark's own prompts of that name; null when the name is that of a file. */
function namedSet(name: string): (() => Prompts | Promise<Prompts>) | null {
  if (Object.hasOwn(builtIn, name)) return builtIn[name]!
  const prompts = benchmarks.has(name) ? benchmarks.get(name).prompts : null
  return typeof prompts === 'function' ? prompts : null
}

/** Lists the names of built-in prompts, and of benchmarks with prompts of their own. */
function namesOfSets(): string[] {
  return [...Object.keys(builtIn), ...benchmarks.names().filter(isNamedSet)]
}

/** Returns whether a value of --prompts names built-in prompts or a benchmark's own prompts, and not a file. */
export function isNamedSet(name: string): boolean {
  return namedSet(name) !== null
}

/**
 * Loads the prompts that --prompts names, from a file if necessary. published-prompts.ts describes the layout of the file.
 *
 * @throws DataError `unreadable-prompts` or `invalid-prompts`
 */
export async function loadPrompts(name: string): Promise<Prompts> {
  const named = namedSet(name)
  if (named !== null) return await named()
  const { readPublishedPrompts } = await import('./published-prompts.ts')
  return await readPublishedPrompts(name, namesOfSets())
}
