import { describe, expect, it } from 'vitest'
import { readHtmlText } from '../../retrieval/html/html-text.ts'
import { readHtml } from '../../tools/page/html-page.ts'

const sentences = (count: number): string =>
  Array.from(
    { length: count },
    (_, at) => `<p>The hotel number ${at} was built long ago, and its owners are proud of it.</p>`,
  ).join('')
const menu = `<nav>${Array.from({ length: 60 }, (_, at) => `<a href="/${at}">Topic ${at}</a> `).join('')}</nav>`
const read = (body: string) => readHtml(`<html><body>${body}</body></html>`, 'http://h.example/')

describe('the main text of a page', () => {
  it('is the article, and the rest can be had', () => {
    const comments = `<div class="comments">${'<p>First! I was there too.</p>'.repeat(200)}</div>`
    const page = read(`${menu}<article><h1>Hotels</h1>${sentences(30)}</article>${comments}`)
    expect(page.main.text).toContain('hotel number 29')
    expect(page.main.text).not.toMatch(/Topic 7|First!/)
    expect(page.all?.text).toMatch(/Topic 7[\s\S]*hotel number 29[\s\S]*First!/)
    expect(page.share).toBeGreaterThan(0.2)
    expect(page.share).toBeLessThan(0.5)
  })

  it('lists the links of an image map, which only all of the page has', () => {
    const map = '<nav><map><area href="/map" alt="A map"></map></nav>'
    const page = read(`${menu}${map}<article>${sentences(30)}</article>`)
    expect(page.links.map(({ url }) => url)).toContain('http://h.example/map')
  })

  it('has the same numbers of links in both views', () => {
    const page = read(
      `${menu}<article>${sentences(30)}<p>See the <a href="/report">report</a>.</p></article>`,
    )
    const { number } = page.links.find(({ url }) => url.endsWith('/report'))!
    for (const { marked } of [page.main, page.all!]) expect(marked).toContain(`report\ue000${number}\ue001`)
  })

  it.each([
    [
      'prices',
      Array.from(
        { length: 6 },
        (_, at) => `<div class="card"><b>Plan ${at}</b><span>$${at + 1}9</span></div>`,
      ).join(''),
    ],
    [
      'prices with codes',
      Array.from(
        { length: 6 },
        (_, at) => `<div><b>Plan ${at}</b><i>${at + 1}9 SEK</i><u>now</u></div>`,
      ).join(''),
    ],
    [
      'prices in euros',
      Array.from({ length: 6 }, (_, at) => `<div><b>Zimmer ${at}</b><i>${at + 1}9 €</i></div>`).join(''),
    ],
    [
      'a table',
      `<table>${Array.from({ length: 6 }, (_, at) => `<tr><td>Plan ${at}</td><td>${at * 7}</td></tr>`).join('')}</table>`,
    ],
  ])('never loses %s', (_, data) => {
    const page = read(`${menu}<div class="grid">${data}</div><div class="story">${sentences(20)}</div>`)
    expect(page.main.text).toMatch(/5\s*\D{1,9}(?:69|35)|Zimmer 5|569 SEK/)
    expect(page.main.text).toContain('hotel number 19')
  })

  it('is all of a page that has nothing else', () => {
    const page = read(`<h1>Hotels</h1>${sentences(30)}`)
    expect([page.all, page.share > 0.98]).toEqual([null, true])
  })

  it('keeps text that stands directly in blocks', () => {
    const texts = Array.from(
      { length: 30 },
      (_, at) => `<div>Paragraph ${at} has some words, a comma and no element of its own.</div>`,
    )
    expect(read(`${menu}<div id="content">${texts.join('')}</div>`).main.text).toContain('Paragraph 29 has')
  })
})

describe('what a page hides, repeats and raises', () => {
  it('reads a hidden block with 3,000 blocks in one another', () => {
    const depth = 3_000
    const text = readHtmlText(
      `<p>Shown</p><div style="display:none">${'<div>'.repeat(depth)}<p>${'word '.repeat(60)}</p>${'</div>'.repeat(depth + 1)}`,
    )
    expect(text).toMatch(/^Shown\n\n## Not visible on the page\n\n(?:word ?){60}$/)
  })

  it.each([
    ['<p><img alt="5" src="s.png"> 15 beds</p>', '5 15 beds'],
    ['<p><img alt="Italy" src="f.png"> Italy</p>', 'Italy'],
    ['<p><a href="/x"><img alt="Ann" src="f.png"></a> Hannah</p>', 'Ann Hannah'],
    ['<p><img alt="€" src="f.png"> 12 €</p>', '12 €'],
  ])('keeps an alternative text that the words beside it do not have: %s', (html, text) => {
    expect(readHtmlText(html)).toBe(text)
  })

  it.each([
    ['<mn>2</mn><mfrac><mn>1</mn><mn>2</mn></mfrac>', '2 1/2'],
    ['<mfrac><mn>3</mn><mn>4</mn></mfrac><mi>x</mi>', '3/4 x'],
    ['<mroot><mn>27</mn><mn>3</mn></mroot>', '√[3](27)'],
    ['<mi>a</mi><mo>=</mo><mfrac><mn>1</mn><mi>b</mi></mfrac>', 'a=1/b'],
  ])('never joins figures of a formula: %s', (math, text) => {
    expect(readHtmlText(`<p><math>${math}</math></p>`)).toBe(text)
  })
})

describe('the data of scripts', () => {
  const rows = '[{"name":"Alder","beds":12},{"name":"Birch|B","beds":null}]'
  const table = '| name | beds |\n| --- | --- |\n| Alder | 12 |\n| Birch\\|B |  |'
  it.each([
    [
      'Next.js',
      `<script id="__NEXT_DATA__" type="application/json">{"props":{"rows":${rows}}}</script>`,
      'props.rows:',
    ],
    [
      'an assigned state',
      `<script>window.__INITIAL_STATE__ = {"a":{"rows":${rows},"t":"}\\""}}; go()</script>`,
      'a.rows:',
    ],
    ['linked data', `<script type="application/ld+json">{"@type":"Hotel","rows":${rows}}</script>`, 'rows:'],
  ])('are shown of a page without text: %s', (_, script, heading) => {
    const source = `<html><body>${script}<div id="root"></div></body></html>`
    for (const text of [readHtmlText(source), readHtml(source, 'http://h.example/').main.text])
      expect(text).toContain(
        `## Data of the page's scripts, not visible on the page\n\n${heading}\n\n${table}`,
      )
  })

  it('are not read for columns without end', () => {
    const rows = JSON.stringify(Array.from({ length: 3_000 }, (_, at) => ({ [`c${at}`]: at })))
    expect(() => readHtmlText(`<script type="application/json">${rows}</script>`)).toThrow(
      /^too-large: more than 2000000 cells/,
    )
  })

  it.each([
    ['has text of its own', `<script type="application/json">{"a":1}</script>${sentences(9)}`],
    ['has broken data', '<script type="application/json">{"a":</script><p>Short</p>'],
    ['has no data', '<script>var a = { b: 1 }</script><p>Short</p>'],
  ])('are left out of a page that %s', (_, body) => {
    expect(readHtmlText(`<html><body>${body}</body></html>`)).not.toContain('Data of')
  })
})
