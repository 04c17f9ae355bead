import { expect, it } from 'vitest'
import { escapeControlCharacters, withoutControlCharacters } from '../../src/text/plain-text.ts'

const hostile = [
  ['a colour', '\x1b[31m'],
  ['a link', '\x1b]8;;http://evil.example\x07'],
  ['a cleared screen', '\x1b[2J'],
  ['C1 controls', '\x9b31m\x90\x9d'],
  ['a bell, a backspace and a deletion', '\x07\x08\x7f'],
  ['a reversed direction', '\u202egnp.exe\u202c'],
  ['isolated directions', '\u2066\u2067\u2068\u2069'],
] as const

it.each(hostile)('keeps %s from the terminal', (_, text) => {
  const obeyed = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/
  for (const shown of [withoutControlCharacters(`a${text}b`), escapeControlCharacters(`a${text}b`)]) {
    expect(shown).not.toMatch(obeyed)
    expect(shown).toMatch(/^a.*b$/s)
  }
})

it.each(hostile)('leaves the value of JSON with %s as it is', (_, text) => {
  const value = { [text]: [text, 1] }
  expect(JSON.parse(escapeControlCharacters(JSON.stringify(value)))).toEqual(value)
})

it('leaves lines, tabs, texts of all languages and the sequence of a progress bar', () => {
  const text = '\r\x1b[2Ka\tb\n年报 שלום مرحبا 👩‍👩‍👧 é'
  expect(escapeControlCharacters(text)).toBe(text)
})
