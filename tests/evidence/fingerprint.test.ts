import { expect, it } from 'vitest'
import { createDocumentComparer } from '../../src/evidence/fingerprint.ts'

const words = Array.from(
  { length: 400 },
  (_, at) => `word${String.fromCharCode(97 + (at % 26))}x${'y'.repeat(at % 7)}`,
)
const figures = Array.from({ length: 20 }, (_, at) => `${1_000 + at}`)
const textWith = (numbers: readonly string[]): string =>
  words.map((word, at) => (at % 20 === 0 ? `${word} ${numbers[at / 20]}` : word)).join(' ')

it.each([
  [1, true],
  [2, false],
])('decides whether a text with %d of 20 changed numbers is the document: %s', (others, holds) => {
  const altered = figures.map((figure, at) => (at < others ? `9${figure}` : figure))
  expect(createDocumentComparer().contains(textWith(altered), textWith(figures))).toBe(holds)
})

it.each([
  ['other words around the same numbers', textWith(figures).replace(/[a-z]+/g, 'plain'), false],
  ['a copy that goes on', `${textWith(figures)} and more`, true],
  ['the document without its last sentence', textWith(figures).split(' ').slice(0, -10).join(' '), true],
])('compares the words, not the numbers alone: %s', (_, text, holds) => {
  expect(createDocumentComparer().contains(text, textWith(figures))).toBe(holds)
})

it('compares a document of fewer words than a shingle as a whole', () => {
  const comparer = createDocumentComparer()
  expect(comparer.contains('Alder has 12 beds', 'Alder has 12 beds')).toBe(true)
  expect(comparer.contains('Birch had 12 rooms', 'Alder has 12 beds')).toBe(false)
})
