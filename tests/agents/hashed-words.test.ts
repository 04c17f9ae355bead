import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { aoeWords } from '../../agents/prompts/aoe-words.ts'
import { furtherTexts, hashWith } from '../../agents/prompts/further-texts.ts'
import { noteTexts } from '../../agents/prompts/notes.ts'
import { ownPrompts } from '../../agents/prompts/own-prompts.ts'
import { promptsVersion, promptWords } from '../../agents/prompts/words.ts'
import { settings } from '../../agents/registry.ts'
import { languageSentence } from '../../src/core/language.ts'
import { promptExamples } from '../../src/core/prompts.ts'
import type { Question } from '../../src/core/task.ts'
import { canonicalJson, sha256 } from '../../src/system/hash.ts'
import { packageRoot } from '../../src/system/paths.ts'

/** Returns every text in a value. Functions are called with placeholders. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value === 'function') return [String(value('FIRST', 'SECOND'))]
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(textsIn) : []
}

const question: Question = {
  ...{ taskId: 'q', benchmark: 'aoe', domain: 'd', language: 'en', query: 'q', documentNames: [] },
  form: { kind: 'text' },
  turns: [{ query: 'r', form: { kind: 'text' } }],
}

it("the benchmark's own instructions for answers are part of the hash of a run's prompts", () => {
  const hashOf = (instructions: string): string => {
    const form = { kind: 'text' as const, instructions }
    return hashWith(
      'h',
      furtherTexts(
        [
          { ...question, form },
          { ...question, form },
        ],
        new Set(['documents']),
      ),
    )
  }
  expect(hashOf('Write a list.')).toBe(hashOf('Write a list.'))
  expect(hashOf('Write a list.')).not.toBe(hashOf('Write a list of texts.'))
})

it('every file of words in agents/prompts is part of a hash of prompts', async () => {
  const folder = join(packageRoot, 'agents', 'prompts')
  const files = (await readdir(folder)).filter(name => /^(?:.+-)?words\.ts$/.test(name))
  expect(files).toEqual(expect.arrayContaining(['reader-words.ts', 'tool-words.ts', 'context-words.ts']))
  const own = { words: promptWords, language: languageSentence('de'), examples: promptExamples }
  const hashed = { version: promptsVersion, ...own, notes: noteTexts() }
  expect(ownPrompts().hash).toBe(sha256(canonicalJson(hashed)))
  const further = furtherTexts([question], new Set(['memory', 'web']))
  const ofSettings = settings.entries().map(([, { promptTexts }]) => promptTexts)
  const known = new Set(textsIn([hashed, aoeWords, further, ofSettings]))
  for (const file of files) {
    const words = Object.values(await import(pathToFileURL(join(folder, file)).href))
    const texts = words.filter(value => typeof value === 'object').flatMap(textsIn)
    expect(texts, file).not.toHaveLength(0)
    for (const text of texts) expect(known, file).toContain(text)
  }
})
