import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { parseAuthor, parseLicence, readCitation } from '../../../src/run/pack/authors.ts'

const path = join(mkdtempSync(join(tmpdir(), 'tablehunt-citation-')), 'CITATION.cff')

// The id of the fictitious Josiah Carberry, and that of Stephen Hawking, from ORCID's own documentation.
it.each([
  ['Josiah Carberry', { name: 'Josiah Carberry' }],
  ['Josiah Carberry <0000-0002-1825-0097>', 'https://orcid.org/0000-0002-1825-0097'],
  ['Stephen Hawking <https://orcid.org/0000-0002-9079-593X>', 'https://orcid.org/0000-0002-9079-593X'],
])('parses %s', (text, expected) => {
  const author = parseAuthor(text)
  expect(typeof expected === 'string' ? author.orcid : author).toEqual(expected)
})

it.each(['', '<0000-0002-1825-0097>', 'A <0000-0002-1825-0098>', 'A <b@example.org>', 'A < <b>'])(
  'refuses %j as an author',
  text => {
    expect(() => parseAuthor(text)).toThrow(expect.objectContaining({ code: 'invalid-author' }))
  },
)

it('reads authors, title and licence of CITATION.cff', async () => {
  writeFileSync(
    path,
    'cff-version: 1.2.0\ntitle: Hunting\nlicense: CC-BY-4.0\nauthors:\n  - given-names: Josiah\n    family-names: Carberry\n    orcid: https://orcid.org/0000-0002-1825-0097\n  - name: The hunters\n',
  )
  expect(await readCitation(path)).toEqual({
    title: 'Hunting',
    licence: 'CC-BY-4.0',
    authors: [
      {
        name: 'Josiah Carberry',
        familyName: 'Carberry',
        givenName: 'Josiah',
        orcid: 'https://orcid.org/0000-0002-1825-0097',
      },
      { name: 'The hunters' },
    ],
  })
})

it('returns null without a file, and names the place of a wrong one', async () => {
  expect(await readCitation(`${path}.missing`)).toBeNull()
  writeFileSync(path, 'title: [')
  await expect(readCitation(path)).rejects.toMatchObject({ code: 'invalid-citation' })
  writeFileSync(path, 'authors: Josiah')
  await expect(readCitation(path)).rejects.toThrow(/authors/)
})

it.each(['CC-BY-4.0', 'MIT', 'GPL-2.0+', 'https://example.org/terms'])('accepts the licence %s', licence => {
  expect(parseLicence(licence)).toBe(licence)
})

it.each(['', 'my own licence', 'MIT or Apache', 'ftp://example.org', '-MIT'])(
  'refuses the licence %j, because no address could be made of it',
  licence => {
    expect(() => parseLicence(licence)).toThrow(expect.objectContaining({ code: 'invalid-licence' }))
  },
)
