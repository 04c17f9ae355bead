import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse as parseCsv } from 'csv-parse/sync'
import { DOMParser } from 'linkedom'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { type MadeSample, makeStructext } from '../../../tasks/structext/make/generate.ts'
import { readStructextSpec } from '../../../tasks/structext/make/read-spec.ts'
import { writeStructext } from '../../../tasks/structext/make/write-file.ts'
import { solveStructext } from '../../../tasks/structext/solve.ts'
import { structextTasks } from '../../../tasks/structext/task-table.ts'

const flags = {
  ...{ depth: '1,2,3', width: '1,2', columns: '10', attributes: '6', words: '6' },
  ...{ shots: '1', count: '3', seed: '7' },
}
const samples = [...makeStructext(readStructextSpec(flags))]
const of = (language: string, template: number): MadeSample[] =>
  samples.filter(({ id }) => id.startsWith(`${language}_`) && id.endsWith(`_${template}`))

interface Parsed {
  readonly id: string
  readonly subs: readonly Parsed[]
}
const leavesOf = (value: Parsed): Parsed[] =>
  value.subs.length === 0 ? [value] : value.subs.flatMap(leavesOf)
const allOf = (value: Parsed): Parsed[] => [value, ...value.subs.flatMap(allOf)]
const parsers = { json: JSON.parse, yaml: parseYaml } as Readonly<Record<string, (text: string) => Parsed>>

/** Whether every tag of an XML text that begins also ends, in the right order, and the text has one outermost element. */
function isWellFormed(text: string): boolean {
  const open: string[] = []
  let outermost = 0
  for (const [, slash, name] of text.matchAll(/<(\/?)(\w+)(?:\s+\w+="[^"<>]*")*\s*>/g)) {
    if (slash === '') {
      if (open.length === 0) outermost++
      open.push(name!)
    } else if (open.pop() !== name) return false
  }
  const rest = text.replace(/<\?xml[^>]*\?>/, '').replace(/<\/?\w+(?:\s+\w+="[^"<>]*")*\s*>/g, '')
  return open.length === 0 && outermost === 1 && !/[<>]/.test(rest)
}

describe('generated samples of StrucText-Eval', () => {
  it('have every language and task, and equal seeds give equal samples', () => {
    expect(samples).toHaveLength(29 * 3 * 2 * 3)
    expect([...makeStructext(readStructextSpec(flags))]).toEqual(samples)
    expect([...makeStructext(readStructextSpec({ ...flags, seed: '8' }))]).not.toEqual(samples)
  })

  it('give equal bytes for equal seeds', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tablehunt-structext-'))
    const bytesOf = async (name: string, seed: string) =>
      readFileSync((await writeStructext(join(folder, name), readStructextSpec({ ...flags, seed }))).file)
    const [first, second, other] = [await bytesOf('a', '7'), await bytesOf('b', '7'), await bytesOf('c', '8')]
    rmSync(folder, { recursive: true })
    expect(first.equals(second)).toBe(true)
    expect(first.equals(other)).toBe(false)
  })

  it('have the depth, width and columns that were asked for', () => {
    const asked = { ...flags, depth: '3', width: '4', columns: '12', count: '1' }
    const made = [...makeStructext(readStructextSpec(asked))]
    const textOf = (language: string): string =>
      made.find(({ id }) => id.startsWith(`${language}_`))!.Reference
    // 1 + 4 + 16 + 64 nodes; levels below the root.
    const nodes = 85
    const levelsOf = (value: Parsed): number => Math.max(0, ...value.subs.map(sub => 1 + levelsOf(sub)))
    for (const [language, parse] of Object.entries(parsers)) {
      const root = parse(textOf(language))
      expect(allOf(root), language).toHaveLength(nodes)
      expect([levelsOf(root), root.subs.length], language).toEqual([3, 4])
    }
    expect(textOf('tree').split('\n')).toHaveLength(nodes - 1)
    expect(textOf('xml').match(/<\/\w+>/g)).toHaveLength(nodes)
    const headings = { markdown: /^#+ /gm, latex: /^\\(?:sub)*section\{/gm, org: /^\*+ /gm }
    for (const [language, heading] of Object.entries(headings))
      expect(textOf(language).match(heading), language).toHaveLength(nodes - 1)
    const tables = textOf('csv')
      .split('\n\n')
      .map(table => table.split('\n')[0]!.split(','))
    // The key is in both tables.
    expect(tables.flat()).toHaveLength(12 + 2)
  })

  it.each([
    [1, 2],
    [9, 3],
  ])('have at most %i attributes for each level of depth, and also fewer', (attributes, depth) => {
    const asked = { ...flags, depth: String(depth), width: '3', count: '4', shots: '0' }
    const made = [...makeStructext(readStructextSpec({ ...asked, attributes: String(attributes) }))]
    const textsOf = (language: string): string[] =>
      made.filter(({ id }) => id.startsWith(`${language}_`) && id.endsWith('_0')).map(one => one.Reference)
    const counts = {
      json: textsOf('json').flatMap(text => allOf(JSON.parse(text)).map(one => Object.keys(one).length - 2)),
      yaml: textsOf('yaml').flatMap(text => allOf(parseYaml(text)).map(one => Object.keys(one).length - 2)),
      xml: textsOf('xml').flatMap(text =>
        [...new DOMParser().parseFromString(text, 'text/xml').querySelectorAll('*')].map(
          one => one.attributes.length,
        ),
      ),
    }
    for (const [language, own] of Object.entries(counts))
      expect([Math.min(...own), Math.max(...own)], language).toEqual([1, depth * attributes])
  })

  it.each([
    ['markdown', /\*\*[^*\n]+\*\*|!\[alt\]\(\S+ "hover text"\)/g, /^#/],
    ['latex', /\\textbf\{[^}]+\}|\\includegraphics\[[^\]]*\]\{[^}]+\}/g, /^\\(?:sub)*section/],
    ['org', /\[\[[\w.]+\]\]|\*[^*\n]+\*/g, /^\*+ /],
  ] as const)(
    'have at most 7 words of a %s paragraph for each level of depth',
    (language, inserted, heading) => {
      const asked = { ...flags, depth: '2', width: '2', count: '30', shots: '0', languages: language }
      const longestOf = (words: string): number => {
        const spec = readStructextSpec({ ...asked, words })
        const texts = [...makeStructext(spec)].map(({ Reference }) => Reference)
        const paragraphs = texts
          // The first line is the name of the root.
          .flatMap(text => text.split('\n').slice(1))
          .filter(line => !heading.test(line))
          .map(line => line.replaceAll(inserted, ''))
        return Math.max(...paragraphs.map(line => line.split(' ').length))
      }
      expect(longestOf('7')).toBe(14)
      expect(longestOf('4')).toBe(8)
    },
  )

  it.each([
    ['0', 0, 0],
    ['0.5', 0.4, 0.6],
    ['1', 1, 1],
  ])('are damaged in the share %s of the texts of Syntax tasks', (damage, least, most) => {
    const asked = { ...flags, depth: '1,2', width: '1,2', count: '50', shots: '0', tasks: 'Syntax', damage }
    const made = [...makeStructext(readStructextSpec(asked))]
    const isSound = (language: string, text: string): boolean => {
      if (language === 'xml') return isWellFormed(text)
      try {
        return parsers[language]!(text) !== undefined
      } catch {
        return false
      }
    }
    for (const { Answer, Label, Reference } of made)
      expect(Answer).toBe(isSound(Label.typename, Reference) ? 'False' : 'True')
    for (const language of ['json', 'yaml', 'xml']) {
      const own = made.filter(({ Label }) => Label.typename === language)
      const share = own.filter(({ Answer }) => Answer === 'True').length / own.length
      expect(share, language).toBeGreaterThanOrEqual(least)
      expect(share, language).toBeLessThanOrEqual(most)
    }
  })

  it('refuse options outside their range, and texts that would be too large', () => {
    const refused = (over: object, code: string, place: string) =>
      expect(() => readStructextSpec({ ...flags, ...over })).toThrow(
        expect.objectContaining({ code, message: expect.stringContaining(place) }),
      )
    refused({ attributes: '0' }, 'invalid-make-option', '--attributes 0')
    refused({ words: '2' }, 'invalid-make-option', '--words 2')
    refused({ damage: '1.5' }, 'invalid-make-option', '--damage 1.5')
    refused({ damage: '50%' }, 'invalid-make-option', '--damage 50%')
    const large = { depth: '5', width: '6', attributes: '100' }
    refused(large, 'text-too-large', '--attributes 100')
    refused({ ...large, attributes: '6', words: '99' }, 'text-too-large', '--words 99')
    expect(readStructextSpec({ ...flags, ...large, languages: 'tree,csv,org' }).attributes).toBe(100)
  })

  it('refuse a LaTeX text that is deeper than the headings of LaTeX', () => {
    const deep = { ...flags, depth: '1,6', width: '1' }
    expect(() => readStructextSpec(deep)).toThrow(
      expect.objectContaining({ code: 'latex-too-deep', message: expect.stringContaining('--depth 1,6') }),
    )
    expect(readStructextSpec({ ...deep, languages: 'markdown,org' }).depths).toEqual([1, 6])
    expect(readStructextSpec({ ...deep, tasks: 'Join' }).depths).toEqual([1, 6])
    const deepest = readStructextSpec({ ...deep, languages: 'latex', depth: '5' })
    for (const { Reference } of makeStructext(deepest)) expect(Reference).not.toContain('undefined')
  })

  it.each(['json', 'yaml'])('agree with a library that parses %s', language => {
    const parse = parsers[language]!
    for (const { Question, Answer, Reference } of of(language, 0)) {
      const id = /id (\w+)\?/.exec(Question)![1]
      expect(parse(Answer)).toEqual(allOf(parse(Reference)).find(one => one.id === id))
    }
    for (const { Answer, Reference } of of(language, 1)) expect(Answer).toBe(parse(Reference).subs[0]!.id)
    for (const { Question, Answer, Reference } of of(language, 3)) {
      const steps = [...Answer.matchAll(/\["?(\w+)"?\]/g)].map(step => step[1]!)
      const value = steps.reduce(
        (at: unknown, step) => (at as Record<string, unknown>)[step],
        parse(Reference),
      )
      expect(String(value).replace(/,$/, '')).toBe(/"(\w+)"/.exec(Question)![1])
    }
    for (const { Answer, Reference } of of(language, 4))
      expect(Answer.split('\n\n').map(parse)).toEqual(leavesOf(parse(Reference)))
    for (const { Answer, Reference } of of(language, 2))
      if (Answer === 'True') expect(() => parse(Reference)).toThrow()
      else expect(parse(Reference)).toBeTruthy()
  })

  it('agree with a library that parses XML', () => {
    const elements = (text: string) => [
      ...new DOMParser().parseFromString(text, 'text/xml').querySelectorAll('*'),
    ]
    const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
    for (const { Question, Answer, Reference } of of('xml', 0)) {
      const name = /tag (\w+)\?/.exec(Question)![1]
      expect(plain(Answer)).toBe(plain(elements(Reference).find(one => one.tagName === name)!.innerHTML))
    }
    for (const { Question, Answer, Reference } of of('xml', 1)) {
      const value = /of value (\w+)\?/.exec(Question)![1]
      const owner = elements(Reference).find(one => [...one.attributes].some(pair => pair.value === value))
      expect(Answer).toBe(owner!.tagName)
    }
    for (const { Reference } of of('xml', 0)) expect(isWellFormed(Reference)).toBe(true)
    for (const { Answer, Reference } of of('xml', 2))
      expect(Answer).toBe(isWellFormed(Reference) ? 'False' : 'True')
  })

  it('agree with a library that parses CSV', () => {
    const tablesOf = (text: string): Record<string, string>[][] =>
      text.split('\n\n').map(table => parseCsv(table, { columns: true }))
    for (const { Question, Answer, Reference } of of('csv', 2)) {
      const gender = /are (\w+)\?/.exec(Question)![1]
      expect(Answer).toBe(String(tablesOf(Reference)[0]!.filter(row => row.gender === gender).length))
    }
    for (const { Question, Answer, Reference } of of('csv', 3)) {
      const [, place, height] = /work in (\w+) are taller than (\d+)/.exec(Question)!
      const [people, work] = tablesOf(Reference)
      const there = new Set(work!.filter(row => row.location === place).map(row => row.primeKey))
      const fits = people!.filter(
        person => there.has(person.primeKey) && Number(person.height) > Number(height),
      )
      expect(Answer).toBe(String(fits.length))
    }
  })

  it('agree with the edges of a tree', () => {
    const parentsOf = (text: string) =>
      new Map(text.split('\n').map(line => line.split('->').toReversed() as [string, string]))
    const pathTo = (node: string, parents: ReadonlyMap<string, string>): string[] => {
      const parent = parents.get(node)
      return parent === undefined ? [node] : [...pathTo(parent, parents), node]
    }
    for (const { Answer, Reference } of of('tree', 0)) {
      const parents = parentsOf(Reference)
      expect(Answer).toBe(
        String(Math.max(...[...parents.keys()].map(node => pathTo(node, parents).length - 1))),
      )
    }
    for (const { Question, Answer, Reference } of of('tree', 1)) {
      const node = /depth of node (\w+)\?/.exec(Question)![1]!
      expect(Answer).toBe(String(pathTo(node, parentsOf(Reference)).length - 1))
    }
    for (const { Question, Answer, Reference } of of('tree', 2)) {
      const node = /root to node (\w+)\./.exec(Question)![1]!
      expect(Answer).toBe(pathTo(node, parentsOf(Reference)).join('->'))
    }
  })

  it.each([
    [
      'markdown',
      (level: number) => new RegExp(`^(?=#{${level}} )`, 'm'),
      /\*\*([^*\n]+)\*\*/g,
      /!\[alt\]\(([\w.]+) /g,
    ],
    [
      'latex',
      (level: number) => new RegExp(String.raw`^(?=\\(?:sub){${level - 1}}section\{)`, 'm'),
      /\\textbf\{([^}]+)\}/g,
      /\\includegraphics\[[^\]]*\]\{([\w.]+)\}/g,
    ],
    [
      'org',
      (level: number) => new RegExp(String.raw`^(?=\*{${level}} )`, 'm'),
      /\*([^*\n]+)\*/g,
      /\[\[([\w.]+)\]\]/g,
    ],
  ])(
    'agree with a search for the sections, bold texts and images of %s',
    (language, heading, bold, image) => {
      const foundIn = (text: string, form: RegExp): string[] =>
        [...text.matchAll(form)].map(match => match[1]!)
      const orNone = (found: readonly string[], none: RegExp) =>
        found.length === 0 ? expect.stringMatching(none) : found.join('\n')
      for (const { Answer, Reference } of of(language, 0))
        expect(Answer).toEqual(orNone(foundIn(Reference, bold), /^No bold texts/))
      for (const { Question, Answer, Reference } of of(language, 1)) {
        const numbers = [...Question.matchAll(/(\d+)th/g)].map(match => Number(match[1])).toReversed()
        const section = numbers.reduce((text, number, at) => text.split(heading(at + 1))[number]!, Reference)
        expect(Answer).toBe(section.trimEnd())
      }
      for (const { Answer, Reference } of of(language, 2))
        expect(Answer).toEqual(orNone(foundIn(Reference, image), /^No (?:image|figure) file/))
    },
  )

  it('have the answers that the solvers read from a text with an empty line at both ends', () => {
    const small = samples.filter(({ id }) => /_d2_w2_1_\d$/.test(id))
    expect(small).toHaveLength(structextTasks.length)
    for (const { Label, Question, Answer, Reference } of small)
      expect(solveStructext(Label.typename, Question, `\n${Reference}\n`)).toBe(Answer)
  })
})
