import { DataError } from '../../src/core/errors.ts'
import { canonicalLanguage } from '../../src/core/language.ts'
import { nearestName } from '../../src/core/nearest-name.ts'
import type { Prompts } from '../../src/core/prompts.ts'
import type { Question } from '../../src/core/task.ts'
import { readTextFile, whyUnreadable } from '../../src/system/files.ts'
import { canonicalJson, sha256 } from '../../src/system/hash.ts'
import { isObject } from '../../src/text/json.ts'
import { readFirstLine } from '../../src/text/plain-text.ts'
import { benchmarks } from '../../tasks/registry.ts'
import { aoePromptsOfFile } from './aoe-file.ts'
import { benchmarkPromptsOfFile } from './benchmark-file.ts'
import { invalidPrompts } from './prompt-template.ts'

/**
 * Reads prompts from a YAML file. Its top-level keys are names of benchmarks, with the layout of `benchmarkPromptsOfFile`, and
 * languages, with the layout of AOE's published prompts (`aoePromptsOfFile`). A file can have both: AOE's layout is for tasks
 * whose benchmark is not a key. Other keys with plain values are ignored.
 *
 * @param names the values of --prompts that name no file, for the error of a file that cannot be read
 * @throws DataError `unreadable-prompts` or `invalid-prompts`
 */
export async function readPublishedPrompts(file: string, names: readonly string[]): Promise<Prompts> {
  const { ofBenchmarks: benchmarkTexts, ofLanguages: languageTexts } = readParts(
    file,
    await readYaml(file, names),
  )
  const named = Object.keys(benchmarkTexts)
  const aoe = Object.keys(languageTexts).length === 0 ? null : aoePromptsOfFile(file, languageTexts)
  if (named.length === 0 && aoe !== null) return aoe
  const namedPrompts = benchmarkPromptsOfFile(file, benchmarkTexts)
  return aoe === null ? namedPrompts : eitherPrompts(named, namedPrompts, aoe)
}

/** Returns prompts that use `named` for these benchmarks, and `others` for all others. */
function eitherPrompts(names: readonly string[], named: Prompts, otherPrompts: Prompts): Prompts {
  const promptsFor = ({ benchmark }: Question): Prompts => (names.includes(benchmark) ? named : otherPrompts)
  return {
    hash: sha256(canonicalJson({ named: named.hash, others: otherPrompts.hash })),
    missing: (question, sources) => promptsFor(question).missing?.(question, sources) ?? null,
    withDocuments: (question, ...rest) => promptsFor(question).withDocuments(question, ...rest),
    online: (question, ...rest) => promptsFor(question).online(question, ...rest),
    closedBook: (question, ...rest) => promptsFor(question).closedBook(question, ...rest),
    furtherTurn: (question, ...rest) => promptsFor(question).furtherTurn(question, ...rest),
    earlierAnswersAs: question => promptsFor(question).earlierAnswersAs?.(question) ?? 'assistant',
  }
}

async function readYaml(file: string, names: readonly string[]): Promise<unknown> {
  const { parse } = await import('yaml')
  let text: string
  try {
    text = await readTextFile(file)
  } catch (cause) {
    const nearest = nearestName(file, names)
    const suggestion = nearest === null ? '' : `Did you mean '${nearest}'? `
    const fix = `${suggestion}Name a YAML file, or write one of the names that docs/prompts.md lists, such as 'own'.`
    throw new DataError(`--prompts ${file}: ${whyUnreadable(cause)}. ${fix}`, {
      code: 'unreadable-prompts',
      cause,
    })
  }
  try {
    return parse(text)
  } catch (cause) {
    throw invalidPrompts(file, `not YAML (${readFirstLine(cause)}). Correct it.`, cause)
  }
}

interface FileParts {
  readonly ofBenchmarks: Readonly<Record<string, unknown>>
  readonly ofLanguages: Readonly<Record<string, unknown>>
}

/** Divides a file by its keys. A benchmark that is not known may be that of a plug-in, so its prompts are checked too. */
function readParts(file: string, data: unknown): FileParts {
  const keys = 'Write a map whose keys are names of benchmarks, or en or zh.'
  if (!isObject(data)) throw invalidPrompts(file, `not a YAML map. ${keys}`)
  const isKnown = (key: string): boolean => benchmarks.has(key)
  const usedEntries = Object.entries(data).filter(
    ([key, value]) => isKnown(key) || (value !== null && typeof value === 'object'),
  )
  if (usedEntries.length === 0) throw invalidPrompts(file, `it contains no prompts. ${keys}`)
  const isLanguage = ([key]: [string, unknown]): boolean => !isKnown(key) && canonicalLanguage(key) !== null
  return {
    ofBenchmarks: Object.fromEntries(usedEntries.filter(entry => !isLanguage(entry))),
    ofLanguages: Object.fromEntries(usedEntries.filter(isLanguage)),
  }
}
