import { parseHTML } from 'linkedom'
import { describe, expect, it, vi } from 'vitest'
import { readHtmlDocument } from '../../retrieval/html/html-text.ts'
import { readHtml } from '../../tools/page/html-page.ts'

/** The text of a page as `fetch_page` and the setting offline read it. */
function textOf(html: string): string {
  const text = readHtmlDocument(html).parts.join('\n')
  const page = readHtml(html, 'http://h.example/')
  expect((page.all ?? page.main).text).toBe(text)
  return text
}

const both = '<p class="a">Desk 40</p><p class="b">Other 41</p>'

describe('a rule of a style sheet hides', () => {
  it.each([
    [
      'by a range of widths',
      '@media (width <= 600px){.a{display:none}} @media (width > 600px){.b{display:none}}',
    ],
    ['by a range with two ends', '@media (400px <= width < 2000px){.b{display:none}}'],
    ['by a negated query', '@media not print{.b{display:none}}'],
    ['by the colours that a reader prefers', '@media (prefers-color-scheme:light){.b{display:none}}'],
    ['by the mouse of a desktop', '@media (hover:hover) and (pointer:fine){.b{display:none}}'],
    ['by the orientation', '@media (orientation:landscape){.b{display:none}}'],
    ['inside of another rule', 'body, main{color:red; .b{display:none}}'],
    ['inside of a rule with its parent', 'p{&.b{display:none}}'],
    ['by an attribute alone', '[class="b"]{display:none}'],
    ['by one of several in brackets', ':is(.b,.c){display:none}'],
    ['outside of layers more than inside', '@layer x{p.b.b{display:block}} .b{display:none}'],
  ])('%s', (_how, css) => {
    expect(textOf(`<style>${css}</style><main>${both}</main>`)).toBe('Desk 40')
  })

  it.each([
    ['a width of a phone', '@media (width < 600px){.b{display:none}}'],
    ['a negated screen', '@media not screen{.b{display:none}}'],
    ['dark colours', '@media (prefers-color-scheme:dark){.b{display:none}}'],
    ['a finger', '@media (pointer:coarse){.b{display:none}}'],
    ['a feature that no reader knows', '@media (weather:rain){.b{display:none}}'],
    ['a missing feature', '@supports not (display:grid){.b{display:none}}'],
    ['a class whose name only begins alike', '.b\\:c{display:none}'],
  ])('nothing for %s', (_what, css) => {
    expect(textOf(`<style>${css}</style>${both}`)).toBe('Desk 40\n\nOther 41')
  })

  it.each([
    ['a class with an escaped sign', '.md\\:hidden{display:none}', 'md:hidden'],
    ['a class with an escaped number', '.\\32xl\\:hidden{display:none}', '2xl:hidden'],
    ['a class with brackets', '.w-\\[2px\\,3px\\]{display:none}', 'w-[2px,3px]'],
  ])('%s', (_what, css, name) => {
    expect(textOf(`<style>${css}</style><p>Desk 40</p><p class="${name}">Other 41</p>`)).toBe('Desk 40')
  })

  it('the panel of an unchecked box, and shows that of the checked one', () => {
    const css = '.t{display:none} #x:checked ~ .a{display:block}'
    const page = `<style>${css}</style><input type="radio" id="x" checked><p class="t a">Beds 40</p><p class="t b">Rooms 22</p>`
    expect(textOf(page)).toBe('☒\n\nBeds 40')
  })

  it('digits that pad a number, by `visibility`, but no block that waits for its script', () => {
    const css = '.p{visibility:hidden}'
    expect(textOf(`<style>${css}</style><p><span class="p">0</span>1,234</p><p class="p">Beds 40</p>`)).toBe(
      '1,234\n\nBeds 40',
    )
  })

  it('parts of the shadow tree or frame that contains it, and nothing outside', () => {
    const part = '<style>.k{display:none}</style><p class="k">Draft 9</p><p>Beds 40</p>'
    const tree = `<x-a><template shadowrootmode="open">${part}</template></x-a><p class="k">Rooms 22</p>`
    expect(textOf(tree)).toBe('Beds 40\n\nRooms 22')
    const frame = `<iframe srcdoc="${part.replace(/"/g, '&quot;')}"></iframe><p class="k">Rooms 22</p>`
    expect(textOf(frame)).toBe('Beds 40\n\nRooms 22')
  })
})

describe('what a browser shows', () => {
  it.each([
    ['a style that displays what is `hidden`', '<p hidden style="display:flex">Beds 40</p>', 'Beds 40'],
    [
      'no closed dialog',
      '<p>Beds 40</p><dialog>Rates: 80</dialog>',
      'Beds 40\n\n## Not visible on the page\n\nRates: 80',
    ],
    [
      'no popover',
      '<p>Beds 40</p><div popover>Rates: 80</div>',
      'Beds 40\n\n## Not visible on the page\n\nRates: 80',
    ],
    ['no text for browsers without video', '<p>Beds 40</p><video>Needs version 99</video>', 'Beds 40'],
    [
      'a price for the eye and for screen readers once',
      '<p><span>$20.99</span><span aria-hidden="true"><span>$</span>20<sup>99</sup></span></p>',
      '$20.99',
    ],
    [
      'no hidden word of a drawing',
      '<svg><text display="none">Old 99</text><text>New 12</text></svg>',
      'New 12',
    ],
    [
      'words of a drawing at places of their own',
      '<svg><text><tspan x="0">Alder</tspan><tspan x="50">12</tspan><tspan x="90">30</tspan></text></svg>',
      'Alder 12 / 30',
    ],
    [
      'blocks of a drawing',
      '<svg><foreignObject><div>Beds 40</div><div>Rooms 22</div></foreignObject></svg>',
      'Beds 40 Rooms 22',
    ],
    [
      'the letters of a drawing as a word',
      '<svg><text><tspan x="0">1</tspan><tspan x="5">2</tspan></text></svg>',
      '12',
    ],
    [
      'the foot of a table below',
      '<table><tfoot><tr><td>Sum</td><td>12</td></tr></tfoot><tr><td>A</td><td>12</td></tr></table>',
      '| A | 12 |\n| --- | --- |\n| Sum | 12 |',
    ],
    ['lines of a program', '<pre>A 12<br>B 30</pre>', '```\nA 12\nB 30\n```'],
    ['blocks of a program', '<pre><div>A 12</div><div>B 30</div></pre>', '```\nA 12\nB 30\n```'],
  ])('%s', (_what, html, text) => {
    expect(textOf(html)).toBe(text)
  })
})

describe('figures that do not join', () => {
  it.each([
    [
      'a figure raised by its place',
      '<p>1,234<span style="position:relative;top:-.4em">2</span></p>',
      '1,234²',
    ],
    ['a figure raised by a length', '<p>1,234<span style="vertical-align:4px">2</span></p>', '1,234²'],
    [
      'a figure raised by its font',
      '<p>1,234<span style="font-variant-position:super">2</span></p>',
      '1,234²',
    ],
    [
      'a figure raised by a style sheet',
      '<style>.n{vertical-align:text-top}</style><p>1,234<b class="n">2</b></p>',
      '1,234²',
    ],
    ['a figure lowered by its style', '<p>log 10<span style="vertical-align:sub">2</span>8</p>', 'log 10₂8'],
    ['a mark behind a space', '<p>1,234 <sup>2</sup></p>', '1,234 ²'],
    ['a power of several terms', '<p>2<sup>n+1</sup>, 9<sup>1/2</sup></p>', '2^(n+1), 9^(1/2)'],
    ['a figure and a formula', '<p>3<math><msup><mn>10</mn><mn>6</mn></msup></math>5</p>', '3 10⁶ 5'],
    ['a price that its role strikes', '<p><b role="deletion">199</b><b>149</b></p>', '~~199~~ 149'],
    ['a mark before a figure', '<p><sup>1</sup>234 beds, x<sub>1</sub>25</p>', '¹234 beds, x₁25'],
    [
      'a whole number and a fraction',
      '<p>2<span class="frac"><b>1</b>/<b>4</b></span> cups</p>',
      '2 1/4 cups',
    ],
    ['an amount and a note', '<div>20 EUR<span>up to 40 users</span></div>', '20 EUR up to 40 users'],
    ['a figure and a word', '<p>40<small>beds</small>, 5<small>GB</small></p>', '40 beds, 5GB'],
    ['a label and a figure', '<p><b>Beds</b>40, H<b>2</b>O</p>', 'Beds 40, H2O'],
    [
      'blocks in one line',
      '<div style="display:inline">20 EUR</div><div style="display:inline">up to 40</div>',
      '20 EUR up to 40',
    ],
    ['figures around a picture', '<p>20<img src="x">50</p>', '20 50'],
    ['lines of a term', '<dl><dt>Beds</dt><dd>10<br>20</dd></dl>', 'Beds: 10 / 20'],
    [
      'lines of a program in a cell',
      '<table><tr><th>A</th><td><pre>10\n20</pre></td></tr><tr><th>B</th><td>5</td></tr></table>',
      '| A | 10 / 20 |\n| --- | --- |\n| B | 5 |',
    ],
    ['lines of a field', '<textarea>10\n20</textarea>', '10 / 20'],
    ['struck paragraphs', '<del><p>Old 99</p></del><p>New 40</p>', '~~Old 99~~\n\nNew 40'],
    [
      'struck cells',
      '<table><tr style="text-decoration:line-through"><td>A</td><td>9</td></tr><tr><td>B</td><td>8</td></tr></table>',
      '| ~~A~~ | ~~9~~ |\n| --- | --- |\n| B | 8 |',
    ],
  ])('%s', (_what, html, text) => {
    expect(textOf(html)).toBe(text)
  })
})

const drawnPower = (content: string): string =>
  `<span class="msupsub"><span class="vlist"><span>${content}</span></span></span>`

it('shows a text of which only the back is invisible', () => {
  expect(
    textOf('<p>A <b style="backface-visibility:hidden">40 beds</b><b style="visibility: HIDDEN">9</b></p>'),
  ).toBe('A 40 beds')
})

describe('a formula', () => {
  const power = '<math><msup><mn>10</mn><mn>6</mn></msup></math>'
  it.each([
    [
      'whose MathML the page hides',
      `<span class="mwe-math-element"><span style="display:none">${power}</span><img alt="{\\displaystyle 10^6}"></span>`,
      '10⁶',
    ],
    [
      'with its MathML in an attribute',
      `<span class="MathJax_Preview">[math]</span><span class="MathJax" data-mathml="${power}"><b>10</b><b>6</b></span>`,
      '10⁶',
    ],
    [
      'that KaTeX has only drawn',
      '<span class="katex"><span class="katex-html"><b>10</b><span class="msupsub"><span class="vlist-t"><span class="vlist"><span>6</span></span></span></span></span></span>',
      '10⁶',
    ],
    [
      'with an index that KaTeX has only drawn',
      '<span class="katex"><span class="katex-html"><b>x</b><span class="msupsub"><span class="vlist-t vlist-t2"><span class="vlist"><span>1</span></span></span></span></span></span>',
      'x₁',
    ],
    [
      'with a power of a power that KaTeX has only drawn',
      `<span class="katex"><b>x</b>${drawnPower(`<b>y</b>${drawnPower('2')}`)}</span>`,
      'x^(y²)',
    ],
    [
      'with its MathML in an attribute within a wrapper',
      `<span class="katex"><span class="MathJax" data-mathml="${power}"><b>10</b></span></span>`,
      '10⁶',
    ],
    ['with a space', '<math><mn>12</mn><mspace width="1em"/><mn>34</mn></math>', '12 34'],
    [
      'with a list in brackets',
      '<math><mfenced open="[" close="]"><mn>1</mn><mn>2</mn></mfenced></math>',
      '[1,2]',
    ],
    ['of which one of two parts is shown', '<math><maction><mn>5</mn><mn>6</mn></maction></math>', '5'],
    [
      'with a struck figure',
      '<math><menclose notation="updiagonalstrike"><mn>5</mn></menclose><mn>6</mn></math>',
      '~~5~~ 6',
    ],
  ])('%s', (_what, html, text) => {
    expect(textOf(`<p>${html}</p>`)).toBe(text)
  })
})

it.each([
  ['wrappers of formulas', '<span class="katex">', '</span>'],
  ['drawn powers', ...drawnPower('\0').split('\0')],
])('Twice as many nested %s take twice the work', (_what, open = '', close = '') => {
  const classes = vi.spyOn(Reflect.get(parseHTML(''), 'Element').prototype, 'classList', 'get')
  const countComparisons = (levels: number): number => {
    classes.mockClear()
    readHtmlDocument(`<p class="katex">${open.repeat(levels)}2${close.repeat(levels)}</p>`)
    return classes.mock.calls.length
  }
  const comparisons = countComparisons(50)
  expect(comparisons).toBeGreaterThan(50)
  expect(countComparisons(100)).toBeLessThan(2.2 * comparisons)
  classes.mockRestore()
})

describe('an ARIA table', () => {
  const row = (cells: string) => `<div role="row">${cells}</div>`
  const cell = (text: string, attributes = '') => `<div role="gridcell" ${attributes}>${text}</div>`
  it.each([
    [
      'repeats a cell that spans columns',
      row(cell('A') + cell('none', 'aria-colspan="2"')),
      '| A | none | none |',
    ],
    [
      'keeps the columns of cells that are left out',
      row(cell('A', 'aria-colindex="1"') + cell('12', 'aria-colindex="3"')),
      '| A |  | 12 |',
    ],
  ])('%s', (_what, first, line) => {
    const last = row(cell('B') + cell('5') + cell('7'))
    expect(textOf(`<div role="grid">${first}${last}</div>`)).toBe(
      `${line}\n| --- | --- | --- |\n| B | 5 | 7 |`,
    )
  })
})

describe('the data of scripts', () => {
  const data = '{"name":"Alder","beds":40}'
  it.each([
    ['in a comment', `<script type="application/ld+json"><!--\n${data}\n--></script>`],
    ['in a section of XML', `<script type="application/ld+json">//<![CDATA[\n${data}\n//]]></script>`],
    ['in a string', `<script>window.__INITIAL_STATE__ = JSON.parse(${JSON.stringify(data)})</script>`],
  ])('%s are read', (_where, script) => {
    expect(textOf(`<div></div>${script}`)).toMatch(/name: Alder\nbeds: 40$/)
  })
})
