import { parse as parseCsv } from 'csv-parse/sync'
import { DOMParser } from 'linkedom'
import { describe, expect, it } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { type MadeSample, makeStructext } from '../../../tasks/structext/make/generate.ts'
import { readStructextSpec } from '../../../tasks/structext/make/read-spec.ts'
import { solveStructext } from '../../../tasks/structext/solve.ts'
import { structextTasks } from '../../../tasks/structext/task-table.ts'

const flags = { depth: '1,2,3', width: '1,2', columns: '10', shots: '1', count: '3', seed: '7' }
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

describe('generated samples of StrucText-Eval', () => {
  it('have every language and task, and equal seeds give equal samples', () => {
    expect(samples).toHaveLength(29 * 3 * 2 * 3)
    expect([...makeStructext(readStructextSpec(flags))]).toEqual(samples)
    expect([...makeStructext(readStructextSpec({ ...flags, seed: '8' }))]).not.toEqual(samples)
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
      const fits = people!.filter(
        (person, at) => work![at]!.location === place && Number(person.height) > Number(height),
      )
      expect(Answer).toBe(String(fits.length))
    }
  })

  it('agree with a search for the headings of Markdown', () => {
    for (const { Answer, Reference } of of('markdown', 1)) {
      const [heading] = Answer.split('\n')
      const level = /^#+/.exec(heading!)![0].length
      const [, after] = Reference.split(`${heading}\n`)
      const [body] = after!.split(new RegExp(`\\n#{1,${level}} `))
      expect(Answer).toBe(`${heading}\n${body}`)
    }
  })

  it('have the answers that the solvers read from a text with an empty line at both ends', () => {
    const small = samples.filter(({ id }) => /_d2_w2_1_\d$/.test(id))
    expect(small).toHaveLength(structextTasks.length)
    for (const { Label, Question, Answer, Reference } of small)
      expect(solveStructext(Label.typename, Question, `\n${Reference}\n`)).toBe(Answer)
  })
})
