import { describe, expect, it } from 'vitest'
import { readHtml } from '../../tools/page/html-page.ts'

const sentences = (count: number, about = 'hotel'): string =>
  Array.from(
    { length: count },
    (_, at) => `<p>The ${about} number ${at} was built long ago, and its owners are proud of it.</p>`,
  ).join('')
const links = (count: number): string =>
  Array.from(
    { length: count },
    (_, at) => `<li><a href="/${at}">Another story of interest ${at}</a></li>`,
  ).join('')
const read = (body: string, title = 'Page') =>
  readHtml(`<html><head><title>${title}</title></head><body>${body}</body></html>`, 'http://h.example/')
const mainOf = (body: string, title?: string): string => read(body, title).main.text

describe('the main text has', () => {
  const article = `<article><div class="text">${sentences(30)}</div></article>`
  const menu = `<div class="top"><ul>${links(20)}</ul></div>`

  it.each([
    [
      'a lead below the heading',
      '<p class="intro">The hotels of the valley have been counted again, and there are 4,711 of them.</p>',
      /4,711/,
    ],
    [
      'a table outside the article',
      '<section><table><tr><th>Year</th><th>Beds</th></tr><tr><td>2024</td><td>120</td></tr></table></section>',
      /2024 \| 120/,
    ],
    [
      'a definition list outside the article',
      '<section><dl><dt>Owner</dt><dd>Kestrel AG</dd><dt>Beds</dt><dd>120</dd></dl></section>',
      /Owner: Kestrel AG\nBeds: 120/,
    ],
  ])('%s', (_what, part, text) => {
    const page = read(`${menu}<header><h1>Hotels</h1>${part}</header><main>${article}</main>`)
    expect(page.main.text).toMatch(text)
    expect(page.main.text).toContain('hotel number 29')
    expect(page.main.text).not.toContain('Another story')
  })

  it('the heading, unless the title has said it', () => {
    const body = `${menu}<div><h1>Hotels of the valley</h1></div><main>${article}</main>`
    expect(mainOf(body, 'Daily news')).toContain('# Hotels of the valley')
    expect(mainOf(body, 'Hotels of the valley - Daily news')).not.toContain('# Hotels')
  })

  it('the prices of plans beside a story', () => {
    const plans = Array.from(
      { length: 5 },
      (_, at) => `<div class="plan popular"><h3>Plan ${at}</h3><span>${at}9 EUR</span></div>`,
    ).join('')
    const text = mainOf(`${menu}<section id="subscribe">${plans}</section><main>${article}</main>`)
    for (const price of ['09 EUR', '19 EUR', '49 EUR']) expect(text).toContain(price)
  })

  it('no text that is repeated for screens of another width', () => {
    const caption = 'The hotel of the valley as it was seen in the summer of 2024, before the fire.'
    const twice = `<figure><div class="wide">${caption}</div><div class="narrow">${caption}</div></figure>`
    const text = mainOf(`${menu}<article>${sentences(10)}${twice}${sentences(10)}</article>`)
    expect(text.split(caption)).toHaveLength(2)
  })
})

describe('the main text lacks', () => {
  it.each([
    ['cookie notices', `<div id="cookie-banner">${sentences(40, 'cookie')}</div>`],
    ['lists of links', `<section><ul>${links(30)}</ul></section>`],
    ['related stories', `<div class="related-posts">${sentences(5, 'cookie')}</div>`],
    ['navigation by its role', `<div role="navigation">${links(30)}</div>`],
  ])('%s, which all of the page has', (_what, around) => {
    const page = read(`<article><h1>Hotels</h1>${sentences(60)}</article>${around}`)
    expect(page.main.text).not.toMatch(/cookie number|Another story/)
    expect(page.all?.text).toMatch(/cookie number|Another story/)
    expect(page.share).toBeLessThan(1)
  })

  it('what a menu hides, but not what the article hides', () => {
    const hidden = (name: string): string => `<div hidden>${sentences(5, name)}</div>`
    const page = read(`<nav>${hidden('menu')}</nav><article>${sentences(30)}${hidden('tab')}</article>`)
    expect(page.main.text).toMatch(/## Not visible on the page[\s\S]*tab number 4/)
    expect(page.main.text).not.toContain('menu number')
    expect(page.all?.text).toContain('menu number 4')
  })

  it('what a page beside the article hides only where it is data or is opened', () => {
    const table = '<table><tr><th>Year</th><th>Beds</th></tr><tr><td>2024</td><td>120</td></tr></table>'
    const page = read(
      `<h1>Hotels</h1><article>${sentences(30)}</article><div hidden>${sentences(5, 'notice')}</div><div hidden>${table}</div><button aria-controls="s  t">Rooms</button><div id="t" hidden>${sentences(5, 'tab')}</div>`,
    )
    expect(page.main.text).toMatch(/2024 \| 120[\s\S]*tab number 4/)
    expect(page.main.text).not.toContain('notice number')
    expect(page.all?.text).toContain('notice number 4')
  })

  it('a page beside a short article hides when it is most of the text', () => {
    const page = `<h1>Hotels</h1><article>${sentences(6)}</article><div hidden>${sentences(40, 'slide')}</div>`
    expect(mainOf(page)).toContain('slide number 39')
  })

  it('a page that hides all of its text until a script has run', () => {
    expect(mainOf(`<p>Loading</p><div style="display:none">${sentences(5)}</div>`)).toContain(
      'hotel number 4',
    )
  })
})

describe('remarks of readers', () => {
  it.each([
    ['an id', '<div id="comments"><h2>Top</h2>', '</div>'],
    ['a list', '<ul class="comment-list"><li>', '</li></ul>'],
    ['a class of several', '<section class="post comments-area">', '</section>'],
    ['a service', '<div id="disqus_thread">', '</div>'],
  ])('are left to the view of all, however long they are: %s', (_what, start, end) => {
    const page = read(
      `<main><article><h1>Hotels</h1>${sentences(8)}</article>${start}${sentences(60, 'remark')}${end}</main>`,
    )
    expect(page.main.text).toContain('hotel number 7')
    expect(page.main.text).not.toContain('remark number')
    expect(page.all?.text).toContain('remark number 59')
  })

  it('are not what a page says of a match', () => {
    const page = `<main><h1>Match</h1>${sentences(8)}<div class="live-comments">${sentences(60, 'minute')}</div></main>`
    expect(mainOf(page)).toContain('minute number 59')
  })

  it('are the main text of a page that has little else, and keep their tables', () => {
    expect(mainOf(`<h1>Thread</h1><div id="comments">${sentences(30, 'remark')}</div>`)).toContain(
      'remark number 29',
    )
    const table = '<table><tr><th>Year</th><th>Beds</th></tr><tr><td>2024</td><td>120</td></tr></table>'
    expect(
      mainOf(
        `<article>${sentences(30)}</article><div id="comments">${sentences(40, 'remark')}${table}</div>`,
      ),
    ).toContain('| 2024 | 120 |')
  })
})

describe('a hidden copy', () => {
  it('of what the page shows is not written again, other hidden lines and tables are', () => {
    const table = '<table><tr><th>Year</th><th>Beds</th></tr><tr><td>2024</td><td>120</td></tr></table>'
    const copy = `<div style="display:none">${sentences(5)}<p>Rooms: 12</p>${table}</div>`
    const text = mainOf(`<p>Start</p>${sentences(5)}${copy}${copy}`)
    expect(text.split('hotel number 4').length).toBe(2)
    expect(text).toMatch(/## Not visible on the page\n\nRooms: 12\n\n\| Year \| Beds \|/)
  })
})
