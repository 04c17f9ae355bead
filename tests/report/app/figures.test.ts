import { parseHTML } from 'linkedom'
import { describe, expect, it } from 'vitest'
import { drawFigure } from '../../../src/report/app/figures/draw-figure.ts'
import { divideFigure } from '../../../src/report/app/figures/figure-parts.ts'
import { overlaidLooks } from '../../../src/report/app/figures/radar.ts'
import type { Figure } from '../../../src/report/figures/figure.ts'
import { writeFigureCsv } from '../../../src/report/figures/figure-csv.ts'

const hostile = '<script>alert(1)</script> "x" & 值'
const common = { title: hostile, caption: hostile }
const axis = { isPercent: true, least: 0, most: 1 }
const figures: readonly Figure[] = [
  {
    ...common,
    kind: 'bars',
    id: 'bars',
    unit: hostile,
    axis,
    bars: [
      { panel: hostile, label: hostile, value: 0.5, low: 0.25, high: 0.75 },
      { panel: 'other', label: 'other', value: 1, low: null, high: null },
    ],
  },
  {
    ...common,
    kind: 'stacks',
    id: 'stacks',
    parts: [hostile, 'b'],
    segments: [
      { label: hostile, part: hostile, value: 0.25 },
      { label: hostile, part: 'b', value: 0.75 },
    ],
  },
  {
    ...common,
    kind: 'loss-parts',
    id: 'loss-parts',
    unit: hostile,
    axis,
    parts: [
      { label: hostile, part: 'context', value: 0.2, low: 0.1, high: 0.3 },
      { label: hostile, part: 'retrieval', value: 0.3, low: null, high: null },
      { label: hostile, part: 'earned', value: 0.1, low: -0.1, high: 0.2 },
    ],
  },
  {
    ...common,
    kind: 'radar',
    id: 'radar',
    axis: { isPercent: false, least: 0, most: 10 },
    axes: [hostile, 'b', 'c'],
    marks: [hostile, 'b', 'c'].map(name => ({
      ...{ label: hostile, axis: name, value: 4, low: 3, high: 6, n: 9 },
    })),
  },
  { ...common, kind: 'heat', id: 'heat', cells: [{ row: hostile, column: hostile, value: 0.93 }] },
  {
    ...common,
    kind: 'lines',
    axis,
    id: 'lines',
    x: hostile,
    y: 'recall',
    points: [
      { panel: hostile, line: hostile, x: 5, y: 0.1 },
      { panel: hostile, line: hostile, x: 250, y: 0.9 },
    ],
  },
]

const page = parseHTML('<html><body></body></html>').document as unknown as Document
const svgOf = (figure: Figure): SVGSVGElement => drawFigure(figure, page).svg

describe('a figure', () => {
  it.each(figures.map(figure => [figure.kind, figure] as const))(
    'of %s is one image with a name, and contains no element from its texts',
    (_, figure) => {
      const svg = svgOf(figure)
      expect(svg.getAttribute('role')).toBe('img')
      expect(svg.getAttribute('aria-label')).toBe(`${hostile}. ${hostile}`)
      expect(svg.querySelectorAll('svg, script')).toHaveLength(0)
      expect(svg.textContent).toContain('<script')
    },
  )

  it('explains its colours with numbers', () => {
    const { legend, svg } = drawFigure(figures[1]!, page)
    expect(legend.map(entry => [entry.number, entry.name])).toEqual([
      [1, hostile],
      [2, 'b'],
    ])
    expect(svg.outerHTML).toMatch(/>1<\/text>/)
    expect(svg.outerHTML).toMatch(/>2<\/text>/)
  })

  it('colours arms by setting, and distinguishes models by pattern, shape and dashes', () => {
    const arms = ['one', 'two'].map((name, model) => ({ name, setting: 'rag', control: null, model }))
    const bars = arms.map(({ name: label }) => ({ panel: 'p', label, value: 0.5, low: null, high: null }))
    const points = arms.flatMap(({ name: line }) => [1, 2].map(x => ({ panel: 'p', line, x, y: 0.5 })))
    const drawn = [
      drawFigure({ ...common, kind: 'bars', id: 'b', unit: 'u', axis, bars, series: arms }, page),
      drawFigure({ ...common, kind: 'lines', id: 'l', axis, x: 'k', y: 'r', points, series: arms }, page),
    ]
    const [, { legend } = { legend: [] }] = drawn
    expect(new Set(legend.map(({ color }) => color)).size).toBe(1)
    expect(legend.map(({ dash }) => dash)).toEqual(['', '7 4'])
    expect(drawn[0]!.svg.querySelectorAll('pattern')).toHaveLength(1)
    expect(drawn[1]!.svg.outerHTML).toContain('stroke-dasharray="7 4"')
  })

  it('of more than 12 arms shows all tasks without controls first, and the rest folded', () => {
    const arms = Array.from({ length: 14 }, (_, at) => ({
      name: `arm ${at}`,
      setting: 'rag',
      control: at < 7 ? null : 'random',
      model: 0,
    }))
    const bars = ['legal', 'all tasks'].flatMap(panel =>
      arms.map(({ name: label }) => ({ panel, label, value: 0.5, low: 0.4, high: 0.6 })),
    )
    const parts = divideFigure({ ...common, kind: 'bars', id: 'b', unit: 'u', axis, bars, series: arms })
    expect(parts.map(part => part.title.slice(hostile.length))).toEqual([
      ': all tasks',
      ': all tasks, controls',
      ': legal',
      ': legal, controls',
    ])
  })

  it('keeps the numbers of lines near their ends: one label for lines that end together, the others apart', () => {
    const ends = { a: 1, b: 1, c: 1, d: 0.99, e: 0.95, f: 0.2 }
    const points = Object.entries(ends).flatMap(([line, y]) => [5, 10].map(x => ({ panel: 'p', line, x, y })))
    const svg = svgOf({ ...common, kind: 'lines', axis, id: 'l', x: 'k', y: 'recall', points }).outerHTML
    const labels = [...svg.matchAll(/translate\([\d.]+,([\d.]+)\)"[^>]*>([1-6–, ]+)<\/text>/g)].filter(
      ([, height]) => Number(height) < 250,
    )
    expect(labels.map(([, , text]) => text)).toEqual(['1–4', '5', '6'])
    const heights = labels.map(([, height]) => Number(height))
    expect(heights[1]! - heights[0]!).toBeGreaterThan(10)
    expect(heights[1]! - heights[0]!).toBeLessThan(20)
    expect(new Set(svg.match(/stroke-dasharray="[^"]+"/g)).size).toBeGreaterThanOrEqual(2)
  })

  it('colours arms that differ only in an option by setting too, each with dashes and a shape of its own', () => {
    const arms = ['plain', 'hint'].map(name => ({ name, setting: 'rag', control: null, model: 0 }))
    const bars = arms.map(({ name: label }) => ({ panel: 'p', label, value: 0.5, low: null, high: null }))
    const points = arms.flatMap(({ name: line }) => [1, 2].map(x => ({ panel: 'p', line, x, y: 0.5 })))
    const lines = { ...common, kind: 'lines', id: 'l', axis, x: 'k', y: 'r', points, series: arms } as const
    const drawn = drawFigure(lines, page)
    const [color] = new Set(drawn.legend.map(entry => entry.color))
    const fills = svgOf({ ...common, kind: 'bars', id: 'b', unit: 'u', axis, bars, series: arms })
    expect([...fills.querySelectorAll('rect')].map(bar => bar.getAttribute('fill'))).toEqual([color, color])
    const svg = drawn.svg.outerHTML
    expect(svg).toContain('stroke-dasharray="7 4"')
    expect(new Set([...svg.matchAll(/ stroke="(#[0-9a-f]+)"/g)].map(([, color]) => color)).size).toBe(1)
  })

  it('names each bar beside it, and above it where the page is narrow', () => {
    const bars = ['legal', 'all tasks'].flatMap(panel =>
      ['offline', 'rag bm25'].map(label => ({ panel, label, value: 0.86, low: null, high: null })),
    )
    const countNames = (width: number): number => {
      const { svg, legend } = drawFigure(
        { ...common, kind: 'bars', id: 'b', unit: 'u', axis, bars },
        page,
        width,
      )
      expect(legend).toEqual([])
      expect(Number(svg.getAttribute('width'))).toBe(width)
      return [...svg.querySelectorAll('text')].filter(({ textContent }) => textContent === 'rag bm25').length
    }
    // Once for two panels beside each other, and once for each bar.
    expect([countNames(1100), countNames(326)]).toEqual([1, 2])
  })

  it('draws a thin whisker with caps over each bar that has an interval', () => {
    const bars = Array.from({ length: 8 }, (_, at) => ({
      ...{ panel: 'p', label: `arm ${at}`, value: 0.1 },
      ...(at === 0 ? { low: null, high: null } : { low: 0.04, high: 0.25 }),
    }))
    const svg = svgOf({ ...common, kind: 'bars', id: 'b', unit: 'u', axis, bars })
    // A whisker and its two caps, for seven bars: the edges, then the lines.
    for (const mark of ['g[stroke="var(--back)"]', 'g[stroke-width="1.4"]'])
      expect([...svg.querySelectorAll(mark)].map(({ children }) => children.length)).toEqual([7, 7, 7])
  })

  it('writes all values beyond the ceiling, and draws floor and ceiling as brackets', () => {
    const bars = [0, 0.5, 1].map((value, at) => ({
      ...{ panel: 'p', label: `arm ${at}`, value, low: null, high: null, floor: 0.1, ceiling: 1 },
    }))
    const svg = svgOf({ ...common, kind: 'bars', id: 'b', unit: 'u', axis, bars })
    const places = [...svg.querySelectorAll('text')].flatMap(text =>
      /^(?:0|50|100)\.0$/.test(text.textContent ?? '')
        ? [Number(/translate\(([\d.]+)/.exec(text.getAttribute('transform') ?? '')?.[1])]
        : [],
    )
    const brackets = [...svg.querySelectorAll('path')].flatMap(path => {
      const isBracket = (path.getAttribute('d') ?? '').split('L').length === 4
      const [, right] = /translate\(([\d.]+)/.exec(path.getAttribute('transform') ?? '') ?? []
      return isBracket ? [Number(right)] : []
    })
    expect([new Set(places).size, places.length, brackets.length]).toEqual([1, 3, 6])
    // Room for `100.0` in bold, which ends at this place.
    expect(places[0]! - Math.max(...brackets)).toBeGreaterThan(44)
  })

  it('shortens the names of many arms so that they fit beside their rows, and stay different', () => {
    const bars = Array.from({ length: 14 }, (_, at) => ({
      ...{ panel: 'p', label: `rag table-aware ${at} tokens · ${'a-long-name-'.repeat(6)}` },
      ...{ value: 0.5, low: 0.4, high: 0.6 },
    }))
    const svg = svgOf({ ...common, kind: 'bars', id: 'b', unit: 'u', axis, bars })
    const names = [...svg.querySelectorAll('text')].flatMap(({ textContent }) =>
      textContent?.startsWith('rag') ? [textContent] : [],
    )
    expect(new Set(names).size).toBe(14)
    expect(Math.max(...names.map(name => name.length))).toBe(47)
  })

  it('has only whole numbers of model calls on its axis', () => {
    const points = [2, 3].map(x => ({ panel: 'p', line: 'a', x, y: x / 3 }))
    const lines: Figure = { ...common, kind: 'lines', axis, id: 'l', x: 'modelCalls', y: 'discovery', points }
    const svg = svgOf(lines).outerHTML
    expect(svg).toMatch(/>3<\/text>/)
    expect(svg).not.toMatch(/>2\.\d<\/text>/)
  })

  it('shows each value with its label, and an interval for each point, no two at the same place', () => {
    const sample = { from: 1, to: 1, n: 5, unscored: 1, components: 5 }
    const points = ['a', 'b'].flatMap(line =>
      [1, 300].map(x => ({ panel: 'p', line, x, y: 0.5, sample: { ...sample, low: 0.25, high: 0.75 } })),
    )
    const places = [
      { x: 1, label: '1\nn = 5' },
      { x: 300, label: '2–300\nn = 5' },
    ]
    const svg = svgOf({ ...common, kind: 'lines', axis, id: 'l', x: 'depth', y: 'f1', points, places })
    expect(svg.textContent).toContain('2–300')
    expect(svg.textContent).toContain('a, p: 50.0 [25.0, 75.0], n = 5 (1 unscored), at 300')
    const shifts = [...svg.querySelectorAll('g[stroke-opacity="0.6"]')].map(rules =>
      rules.parentElement!.getAttribute('transform'),
    )
    expect(shifts).toEqual(['translate(-2.5,0)', 'translate(2.5,0)'])
  })

  it('has its data as CSV, with a row for each mark', () => {
    expect(figures.map(figure => writeFigureCsv(figure).trim().split('\n').length - 1)).toEqual([
      2, 2, 3, 3, 1, 2,
    ])
  })
})

type Radar = Extract<Figure, { kind: 'radar' }>

/** A radar chart of arms with a value for each axis, or null. */
function radarOf(arms: Readonly<Record<string, readonly (number | null)[]>>): Radar {
  const axes = ['Coverage', 'Reasoning', 'Comprehension', 'Pragmatics', 'Control']
  return {
    ...{ kind: 'radar', id: 'map', title: 'Ability map', caption: 'Rated by a judge.', axes },
    axis: { isPercent: false, least: 0, most: 10 },
    marks: Object.entries(arms).flatMap(([label, values]) =>
      axes.map((axis, at) => ({
        ...{ label, axis, value: values[at] ?? null, n: values[at] == null ? 0 : 9 },
        ...{ low: null, high: null },
      })),
    ),
  }
}

const textsIn = (svg: SVGElement): string[] =>
  [...svg.querySelectorAll('text')].map(text =>
    [...text.childNodes].map(({ textContent }) => textContent).join(' '),
  )
const pointsIn = (svg: SVGElement): string[] =>
  [...svg.querySelectorAll('path > title')].map(({ textContent }) => textContent ?? '')

describe('a radar chart', () => {
  const values = [6, 7, 0, 9, 10]

  it('has a point for each value, also for 0, and none where an arm has no value', () => {
    const svg = svgOf(radarOf({ offline: [6, null, 0, 9, 10] }))
    expect(pointsIn(svg)).toEqual([
      'offline, Coverage: 6.0',
      'offline, Comprehension: 0.0',
      'offline, Pragmatics: 9.0',
      'offline, Control: 10.0',
    ])
    expect(textsIn(svg)).toContain('Reasoning no value')
    expect(svg.querySelector('desc')?.textContent).toContain('Reasoning no value, Comprehension 0.0')
  })

  it('leaves the outline open at an axis without a value, and closes and fills it when there is none', () => {
    const outlineOf = (figure: Radar) => svgOf(figure).querySelector('path[fill-opacity]')!
    const open = outlineOf(radarOf({ offline: [6, null, 0, 9, 10] }))
    expect(open.getAttribute('fill')).toBe('none')
    expect(open.getAttribute('d')?.match(/M/g)).toHaveLength(3)
    const closed = outlineOf(radarOf({ offline: values }))
    expect(closed.getAttribute('fill')).not.toBe('none')
    expect(closed.getAttribute('d')).toMatch(/^M[^M]*Z$/)
  })

  it('draws up to four arms over each other and names those without a value by their number', () => {
    const svg = svgOf(
      radarOf({ one: values, two: [1, null, 3, 4, 5], three: values, four: [1, null, 2, 3, 4] }),
    )
    expect(textsIn(svg)).toContain('Reasoning no value: 2, 4')
    expect(textsIn(svg).filter(text => text.startsWith('Coverage'))).toHaveLength(1)
    expect(textsIn(svg)).toEqual(expect.arrayContaining(['1', 'one', '4', 'four']))
  })

  it('draws more arms in a panel each, as many beside each other as the page has space for', () => {
    const arms = Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`arm ${at}`, values]))
    const [wide, narrow] = [1100, 306].map(width => drawFigure(radarOf(arms), page, width).svg)
    for (const svg of [wide!, narrow!]) {
      expect(textsIn(svg).filter(text => text === 'Coverage 6.0')).toHaveLength(12)
      expect(textsIn(svg)).toContain('arm 11')
    }
    const widthOf = (svg: SVGElement): number => Number(svg.getAttribute('width'))
    expect(widthOf(wide!)).toBeGreaterThan(1000)
    expect(widthOf(narrow!)).toBeLessThanOrEqual(306)
  })

  it('has four looks of different colours, dashes and shapes that are visible on white and on black', () => {
    for (const part of ['color', 'dash', 'symbol'] as const)
      expect(new Set(overlaidLooks.map(look => look[part])).size).toBe(4)
    for (const { color } of overlaidLooks)
      for (const background of ['#ffffff', '#15171a'])
        expect(contrastOf(color, background)).toBeGreaterThanOrEqual(3)
  })
})

/** The contrast ratio of two colours, as WCAG 2 defines it. */
function contrastOf(...colours: readonly [string, string]): number {
  const [dark = 0, light = 0] = colours.map(luminanceOf).sort((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminanceOf(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
