import type { Prompts } from '../../src/core/prompts.ts'
import type { Question } from '../../src/core/task.ts'
import { canonicalJson, sha256 } from '../../src/system/hash.ts'
import { isObject } from '../../src/text/json.ts'
import { invalidPrompts, type PromptTemplate, readTemplate } from './prompt-template.ts'
import { hashOfTemplate, type PlacedTemplate, promptsOfTemplates } from './template-prompts.ts'

/** The prompts of one benchmark. */
interface PromptEntry {
  /** The facet whose value chooses the template; null when there is one template. */
  readonly by: string | null
  /** By the value of the facet. */
  readonly templates: ReadonlyMap<string, PromptTemplate>
}

/** The key of the only template of an entry. */
const only = ''

/**
 * Reads the parts of a prompt file that are named after benchmarks:
 *
 *     struc-bench:
 *       system: |               # optional
 *       user: |                 # contains {question}, and {documents} or {reference}
 *     longtablebench:
 *       by: turns               # a facet, domain or language: each of its values has texts of its own
 *       single:
 *         user: |
 *       multi:
 *         user: |
 *         next: |               # a later question of a conversation, with {question}
 *         earlierAnswers: system
 *
 * `PromptTemplate` has all fields, and docs/prompts.md describes them.
 *
 * @param parts the values of the file, by benchmark
 * @throws DataError `invalid-prompts`
 */
export function benchmarkPromptsOfFile(file: string, parts: Readonly<Record<string, unknown>>): Prompts {
  const entries = new Map(Object.entries(parts).map(([key, value]) => [key, readEntry(file, key, value)]))
  return promptsOfTemplates(question => findTemplate(entries, question, file), hashEntries(entries))
}

function readEntry(file: string, key: string, value: unknown): PromptEntry {
  if (!isObject(value) || !('by' in value))
    return { by: null, templates: new Map([[only, readOne(file, key, value)]]) }
  const { by, ...values } = value
  if (typeof by !== 'string')
    throw invalidPrompts(file, `${key}.by: a text is expected. Write the name of a facet.`)
  const templates = Object.entries(values).map(
    ([name, template]) => [name, readOne(file, `${key}.${name}`, template)] as const,
  )
  if (templates.length === 0)
    throw invalidPrompts(file, `${key}: there are no prompts beside by. Add them for each value of ${by}.`)
  return { by, templates: new Map(templates) }
}

function readOne(file: string, place: string, value: unknown): PromptTemplate {
  const template = readTemplate(value, place)
  if (typeof template === 'string') throw invalidPrompts(file, template)
  return template
}

/** Returns the template for a question, or a message that says why there is none. */
function findTemplate(
  entries: ReadonlyMap<string, PromptEntry>,
  question: Question,
  file: string,
): PlacedTemplate | string {
  const { benchmark } = question
  const entry = entries.get(benchmark)
  if (entry === undefined)
    return `${file}: the key ${benchmark} is missing. The file has prompts for ${[...entries.keys()].join(', ')}. Add the key, or use other prompts.`
  if (entry.by === null) return { template: entry.templates.get(only)!, place: `${file}: ${benchmark}` }
  const facets: Record<string, string> = {
    language: question.language,
    ...question.facets,
    domain: question.domain,
  }
  const value = facets[entry.by]
  if (value === undefined)
    return `${file}: ${benchmark}.by: this task has no facet ${entry.by}. Write one of ${Object.keys(facets).sort().join(', ')}.`
  const template = entry.templates.get(value)
  if (template === undefined)
    return `${file}: ${benchmark}.${value} is missing, and this task has ${entry.by} ${value}. Add it.`
  return { template, place: `${file}: ${benchmark}.${value}` }
}

/** Returns the hash of the only template, as earlier versions did, or one of all templates with their places. */
function hashEntries(entries: ReadonlyMap<string, PromptEntry>): string {
  const hashes = [...entries].flatMap(([key, { by, templates }]) =>
    [...templates].map(([value, template]) => ({ place: [key, by, value], hash: hashOfTemplate(template) })),
  )
  const [first, ...otherHashes] = hashes
  return otherHashes.length === 0 ? first!.hash : sha256(canonicalJson(hashes))
}
