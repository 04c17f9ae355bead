import { describe, expect, it } from 'vitest'
import { readDocument } from '../../retrieval/read-document.ts'
import { readHtml } from '../../tools/page/html-page.ts'

/** The text of a page as `offline` and `rag` read it. */
async function documentText(html: string): Promise<string> {
  const { pages } = await readDocument({ format: 'html', bytes: Buffer.from(html) })
  return pages.map(page => page.text).join('\n')
}

const prose = `<p>${'The region has many hotels, and each of them reports its beds and rooms once a year. '.repeat(8)}</p>`
const page = (body: string): string =>
  `<!doctype html><html><head><title>T</title></head><body>${body}</body></html>`
const row = (...cells: string[]): string => `| ${cells.join(' | ')} |`

/** A table as HTML, with rows that must stand in the text as they are. */
const tables: readonly (readonly [name: string, html: string, rows: readonly string[]])[] = [
  [
    'plain',
    '<table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table>',
    [row('A', 'B'), row('1', '2')],
  ],
  [
    'empty cells',
    '<table><tr><th>Hotel</th><th>Beds</th><th>Rooms</th></tr><tr><td>Alder</td><td></td><td>12</td></tr><tr><td>Birch</td><td>30</td><td>17</td></tr></table>',
    [row('Alder', '', '12')],
  ],
  [
    'a caption',
    '<table><caption>Hotels</caption><tr><th>Hotel</th><th>Beds</th><th>Rooms</th></tr><tr><td>Alder</td><td></td><td>12</td></tr><tr><td>B</td><td>1</td><td>2</td></tr></table>',
    ['Hotels', row('Alder', '', '12')],
  ],
  [
    'a row of notes',
    '<table><tr><th>Hotel</th><th>Beds</th><th>Rooms</th></tr><tr><td>Alder</td><td></td><td>12</td></tr><tr><td>B</td><td>1</td><td>2</td></tr><tr><td colspan="3">Source: count</td></tr></table>',
    [row('Alder', '', '12'), row('Source: count', '', '')],
  ],
  [
    'a title row',
    '<table><tr><th colspan="2">Hotels of 2024</th></tr><tr><th>Hotel</th><th>Beds</th></tr><tr><td>Alder</td><td>12</td></tr></table>',
    ['Hotels of 2024', row('Hotel', 'Beds'), row('Alder', '12')],
  ],
  [
    'a heading between rows',
    '<table><tr><th>City</th><th>Beds</th></tr><tr><td colspan="2">North</td></tr><tr><td>Oslo</td><td>3</td></tr></table>',
    [row('North', ''), row('Oslo', '3')],
  ],
  [
    'rowspan',
    '<table><tr><th>Region</th><th>Item</th></tr><tr><td rowspan="2">EU</td><td>Cable</td></tr><tr><td>Hub</td></tr></table>',
    [row('EU', 'Cable'), row('EU', 'Hub')],
  ],
  [
    'a long rowspan',
    `<table><tr><th>Region</th><th>Item</th></tr><tr><td rowspan="150">EU</td><td>0</td></tr>${Array.from({ length: 149 }, (_, at) => `<tr><td>${at + 1}</td></tr>`).join('')}</table>`,
    [row('EU', '149')],
  ],
  [
    'colspan in the body',
    '<table><tr><th>Year</th><th>Singles</th><th>Doubles</th></tr><tr><td>1991</td><td>Lost</td><td>Won</td></tr><tr><td>1992</td><td colspan="2">Not held</td></tr></table>',
    [row('1992', 'Not held', 'Not held')],
  ],
  [
    'two header lines',
    '<table><tr><th rowspan="2">Firm</th><th colspan="2">2023</th><th colspan="2">2024</th></tr><tr><th>Sales</th><th>Profit</th><th>Sales</th><th>Profit</th></tr><tr><td>Elm</td><td>5</td><td></td><td>9</td><td>2</td></tr><tr><td>Oak</td><td>6</td><td>1</td><td>8</td><td>3</td></tr></table>',
    [
      row('Firm', '2023', '2023', '2024', '2024'),
      row('Firm', 'Sales', 'Profit', 'Sales', 'Profit'),
      row('Elm', '5', '', '9', '2'),
    ],
  ],
  [
    'a wide heading over one column',
    '<table><tr><th colspan="2">Party</th><th>Votes</th></tr><tr><td></td><td>Green</td><td>7</td></tr><tr><td></td><td>Red</td><td>9</td></tr></table>',
    [row('Party', 'Votes'), row('Green', '7')],
  ],
  [
    'currency signs in cells',
    '<table><tr><th></th><th colspan="2">2024</th></tr><tr><td>Sales</td><td>$</td><td>12</td></tr><tr><td>Loss</td><td>(</td><td>3</td><td>)</td></tr></table>',
    [row('Sales', '$ 12'), row('Loss', '(3)')],
  ],
  [
    'ARIA roles',
    '<div role="table"><div role="row"><span role="columnheader">Year</span><span role="columnheader">Beds</span></div><div role="row"><span role="cell">2021</span><span role="cell">14</span></div></div>',
    [row('Year', 'Beds'), row('2021', '14')],
  ],
  [
    'a hidden sort key by style',
    '<table><tr><th>Year</th><th>Beds</th></tr><tr><td>2020<span style="display:none">002020</span></td><td><span style="display: none">0012</span>12</td></tr></table>',
    [row('2020', '12')],
  ],
  [
    'a hidden sort key by class',
    '<style>.k, td .x{display:none}@media print{.p{display:none}}</style><table><tr><th>Name</th><th class="p">Goals</th></tr><tr><td><span class="k">Graham, Ada</span>Ada Graham</td><td>7</td></tr></table>',
    [row('Name', 'Goals'), row('Ada Graham', '7')],
  ],
  [
    'keys and drafts that rules of a sheet hide',
    '<style>/* .z{display:none} */ #draft, td .key, i.old { color: red; display: none !important } .tab{display:none} td.tab.on{display:table-cell} @media (max-width:600px){.wide{display:none}} @media screen and (min-width:40em){.narrow{display:none}} .x:hover{display:none} @layer a{.layer{display:none}}</style><table><tr><th>A</th><th>B</th></tr><tr><td class="z"><span class="key">007</span>7</td><td class="tab on"><i class="old">9</i><b id="draft">99</b><b class="wide">8</b><b class="narrow">10</b><b class="layer">11</b></td></tr></table>',
    [row('7', '8')],
  ],
  [
    'struck, raised and separate type by the rules of a sheet',
    '<style>.gone{text-decoration-line:line-through}.note{vertical-align:super}.card > span{display:block}</style><table><tr><th>A</th><th>B</th></tr><tr><td><span class="gone">88</span>77</td><td>1,234<span class="note">2</span></td></tr><tr><td class="card"><span style="color:red">20</span><span style="color:red">40</span></td><td><span class="note" style="vertical-align:baseline">5</span></td></tr></table>',
    [row('~~88~~ 77', '1,234²'), row('20 / 40', '5')],
  ],
  [
    'a hidden attribute',
    '<table><tr><th>Year</th><th>Beds</th></tr><tr><td>2020</td><td><i hidden>99</i>12</td></tr></table>',
    [row('2020', '12')],
  ],
  [
    'struck figures',
    '<table><tr><th>Hotel</th><th>Price</th></tr><tr><td>Alder</td><td><del>199</del><ins>149</ins></td></tr><tr><td>Elm</td><td><s>88</s>77</td></tr></table>',
    [row('Alder', '~~199~~ 149'), row('Elm', '~~88~~ 77')],
  ],
  [
    'raised figures',
    '<table><tr><th>Item</th><th>Value</th></tr><tr><td>Sales</td><td>1,234<sup>2</sup></td></tr><tr><td>Mass</td><td>5.3<sup>+0.4</sup><sub>-0.2</sub></td></tr></table>',
    [row('Sales', '1,234²'), row('Mass', '5.3^(+0.4)_(-0.2)')],
  ],
  [
    'MathML',
    '<table><tr><th>A</th><th>B</th></tr><tr><td>x</td><td><math><msubsup><mn>12</mn><mn>3</mn><mn>4</mn></msubsup></math></td></tr><tr><td>y</td><td><math><mfrac><mn>1</mn><mn>12</mn></mfrac></math></td></tr></table>',
    [row('x', '12₃⁴'), row('y', '1/12')],
  ],
  [
    'a drawn formula',
    '<table><tr><th>A</th><th>B</th></tr><tr><td>x</td><td><span class="katex"><span class="katex-mathml"><math><msup><mn>10</mn><mn>6</mn></msup><annotation>10^6</annotation></math></span><span class="katex-html" aria-hidden="true">106</span></span></td></tr></table>',
    [row('x', '10⁶')],
  ],
  [
    'flags',
    '<table><tr><th>Pos</th><th>Team</th></tr><tr><td>1</td><td><a href="/it"><img alt="Italy" src="i.png"></a> <a href="/f">Ferrari</a></td></tr><tr><td>2</td><td><img alt="Spain" src="s.png"> Spain</td></tr></table>',
    [row('1', 'Italy Ferrari'), row('2', 'Spain')],
  ],
  [
    'ruby',
    '<table><tr><th>A</th><th>B</th></tr><tr><td>x</td><td><ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby></td></tr></table>',
    [row('x', '漢字(かんじ)')],
  ],
  [
    'bars in cells',
    '<table><tr><th>A</th><th>B</th></tr><tr><td>x|y</td><td>2</td></tr></table>',
    [row('x\\|y', '2')],
  ],
  [
    'a nested table of data',
    '<table><tr><th>Hotel</th><th>Rooms</th></tr><tr><td>Alder</td><td><table><tr><td>single</td><td>4</td></tr><tr><td>double</td><td>8</td></tr></table></td></tr></table>',
    [row('Alder', 'single 4; double 8')],
  ],
  [
    'empty links',
    '<table><tr><th>A</th><th>B</th></tr><tr><td><a href="/x"></a>1</td><td><a href="#n"></a>2</td></tr></table>',
    [row('1', '2')],
  ],
  [
    'lines in cells',
    '<table><tr><th>A</th><th>B</th></tr><tr><td>Net<br>income</td><td>12<br>345</td></tr></table>',
    [row('Net income', '12 / 345')],
  ],
  [
    'prices that only a style sets apart',
    '<table><tr><th>Hotel</th><th>Price</th></tr><tr><td>Elm</td><td><span class="price-old">88</span><span class="price-new">77</span></td></tr><tr><td>Fir</td><td><s>$90</s><b>$81</b></td></tr><tr><td>Oak</td><td>12<span class="cents">99</span></td></tr><tr><td>Ash</td><td><span class="was">€50</span>€45</td></tr></table>',
    [row('Elm', '88 / 77'), row('Fir', '~~$90~~ $81'), row('Oak', '12 / 99'), row('Ash', '€50 / €45')],
  ],
  [
    'elements without white space between them',
    '<table><tr><th>Plan</th><th>Price</th></tr><tr><td><a href="/a">Basic</a><a href="/b">Compare</a></td><td><span class="p">20 EUR</span><!-- --><span>up to 40 users</span></td></tr><tr><td>Pro</td><td><strong>Beds</strong><span>12</span></td></tr></table>',
    [row('Basic Compare', '20 EUR up to 40 users'), row('Pro', 'Beds 12')],
  ],
  [
    'pieces of one word or number',
    '<table><tr><th>A</th><th>B</th></tr><tr><td><span>1</span><span>9</span><span>9</span></td><td><span class="big">O</span><span>nce</span></td></tr><tr><td><span style="font-weight:bold">1,2</span><span style="color:red">34</span></td><td>1<span style="margin-left:.25em">234</span><span style="margin-left:.25em">567</span></td></tr><tr><td><code><span>12</span><span>px</span></code></td><td><span>公司</span><span>名称</span></td></tr><tr><td><span>$</span><span>12</span></td><td><span>12</span><span>%</span></td></tr><tr><td><b>1,2</b><i>34</i></td><td><strong>Net sal</strong><em>es</em></td></tr></table>',
    [
      row('1,234', 'Net sales'),
      row('199', 'Once'),
      row('1,234', '1234567'),
      row('12px', '公司名称'),
      row('$12', '12%'),
    ],
  ],
]

describe.each(tables)('a table with %s', (_name, html, rows) => {
  it.each([
    ['alone', ''],
    ['below prose', prose],
  ])('has the same rows in every setting, %s', async (_place, before) => {
    const source = page(`${before}<h1>Head</h1>${html}`)
    const offline = await documentText(source)
    expect(offline.split('\n')).toEqual(expect.arrayContaining([...rows]))
    expect(readHtml(source, 'http://h.example/').main.text).toBe(offline)
  })
})

describe('the text around tables', () => {
  it.each([
    ['definition lists', '<dl><dt>Beds</dt><dd>12</dd><dt>Rooms</dt><dd>7</dd></dl>', 'Beds: 12\nRooms: 7'],
    ['soft hyphens', '<p>Kan&shy;di&shy;da&shy;tur</p>', 'Kandidatur'],
    ['nested lists', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>', '- a\n  - b\n- c'],
    ['headings', '<h1>One</h1><h3>Three</h3>', '# One\n\n### Three'],
    ['alternative texts', '<p><img alt="Chart: 12 beds" src="c.png"></p>', 'Chart: 12 beds'],
    [
      'a short hidden draft',
      '<p>It has 12 beds.</p><div style="display:none">Draft: 99 beds</div>',
      'It has 12 beds.',
    ],
  ])('is the same for %s', async (_name, html, text) => {
    expect(await documentText(page(html))).toBe(text)
    expect(readHtml(page(html), 'http://h.example/').main.text).toBe(text)
  })

  it('has hidden content of some length under a heading of its own', async () => {
    const source = page(
      '<p>Open tab</p><div style="display:none"><table><tr><th>A</th><th>B</th></tr><tr><td>1</td><td>2</td></tr></table></div>',
    )
    const text = 'Open tab\n\n## Not visible on the page\n\n| A | B |\n| --- | --- |\n| 1 | 2 |'
    expect(await documentText(source)).toBe(text)
    expect(readHtml(source, 'http://h.example/').main.text).toBe(text)
  })
})

describe('style sheets', () => {
  it('follow the rules of a style sheet, also where its texts contain braces', async () => {
    const sheet =
      '.a::before { content: "}" } .b { display: none } .q[title="x{y"] { color: red } .c { display: none }'
    const html = page(`<style>${sheet}</style>${prose}<p class="b">draft 1</p><p class="c">draft 2</p>`)
    expect(await documentText(html)).not.toMatch(/draft/)
  })

  it('that hide the whole page until a script has run hide nothing', async () => {
    const source = page('<style>html,body{display:none}</style><p>It has 12 beds.</p>')
    expect(await documentText(source)).toBe('It has 12 beds.')
  })

  it.each([
    ['that are not closed', '<style>.a{display:none</style>'],
    ['with selectors that no reader knows', '<style>.a[ , .. , .b::after , :x(y){display:none}</style>'],
    ['with stray brackets', '<style>}}.c{{display:none}</style>'],
    ['for print', '<style media="print">p{display:none}</style>'],
    ['for pages without scripts', '<noscript><style>p{display:none}</style></noscript>'],
  ])('%s hide nothing', async (_name, sheet) => {
    expect(await documentText(page(`${sheet}<p class="a b c">It has 12 beds.</p>`))).toBe('It has 12 beds.')
  })
})

describe('hostile HTML', () => {
  it('with rules in rules whose selectors multiply is read', async () => {
    const sheet = `<style>${'a,b,c,d,e,f,g,h{'.repeat(14)}display:none${'}'.repeat(14)}</style>`
    expect(await documentText(page(`${sheet}<p>It has 12 beds.</p>`))).toBe('It has 12 beds.')
  })

  it.each([
    ['spans', `<table>${'<tr><td rowspan="65534" colspan="1000">x</td></tr>'.repeat(256)}</table>`],
    ['levels', '<div>'.repeat(30_000)],
    ['attributes', `<p ${Array.from({ length: 5_000 }, (_, at) => `a${at}=1`).join(' ')}>x</p>`],
  ])('with too many %s is refused before it is read', async (_name, body) => {
    await expect(documentText(page(body))).rejects.toThrow(/^too-large: more than/)
    expect(() => readHtml(page(body), 'http://h.example/')).toThrow(/^too-large: more than/)
  })
})
