import { describe, expect, it } from 'vitest'
import { readHtmlText } from '../../retrieval/html/html-text.ts'
import { readHtml } from '../../tools/page/html-page.ts'

function textOf(body: string): string {
  const text = readHtmlText(body)
  const page = readHtml(body, 'http://h.example/')
  expect((page.all ?? page.main).text).toBe(text)
  return text
}

const rowOf = (cell: string): string =>
  textOf(`<table><tr><th>Plan</th><th>Wifi</th></tr><tr><td>Basic</td><td>${cell}</td></tr></table>`).split(
    '\n',
  )[2]!

describe('an icon in a cell', () => {
  it.each([
    ['by its label', '<i class="check" aria-label="yes"></i>', 'yes'],
    ['by its title', '<span title="included"></span>', 'included'],
    ['by the title of a drawing', '<svg><title>no</title><path/></svg>', 'no'],
    ['by the label of a drawing', '<div><svg role="img" aria-label="2 of 3"></svg></div>', '2 of 3'],
    ['by its words', '<svg aria-label="rate"><text>2/3</text></svg>', '2/3'],
    ['once', '<span title="yes"><i role="img" aria-label="yes"></i></span>', 'yes'],
    ['each of several', '<i title="A"></i><i title="B"></i>', 'A B'],
    ['not beside text', '<i title="tick"></i>5', '5'],
    ['not beside a picture', '<i title="tick"></i><img alt="ok">', 'ok'],
    ['not when it is hidden', '<i title="no" style="display:none"></i><i title="yes"></i>', 'yes'],
    ['not of a button', '<button title="Edit"><svg aria-label="pen"></svg></button>', ''],
    ['not of a link', '<a href="/x"><i title="more"></i></a>', ''],
  ])('is read %s', (_how, cell, text) => {
    expect(rowOf(cell).replaceAll(/\[\d+\]|link/g, '')).toBe(`| Basic | ${text} |`)
  })
})

describe('a picture in a text', () => {
  it.each([
    [
      'a rating',
      '<p>Rated <span role="img" aria-label="4.5 of 5"></span> by all</p>',
      'Rated 4.5 of 5 by all',
    ],
    ['a name that the text says', '<p>France <i role="img" aria-label="France"></i></p>', 'France'],
    [
      'words of a chart',
      '<svg><title>Beds</title><text>Alder 12</text><text>Birch <tspan>30</tspan></text></svg>',
      'Alder 12; Birch 30',
    ],
    [
      'definitions of a chart',
      '<p>A</p><svg><defs><text>99</text></defs><symbol><text>98</text></symbol></svg>',
      'A',
    ],
    [
      'a drawing in a drawing',
      '<p>A</p><svg><foreignObject><div>Alder</div><svg><text>12</text></svg></foreignObject></svg>',
      'A\n\nAlder 12',
    ],
    ['a hidden chart', '<p>A</p><svg style="display:none"><text>99</text></svg>', 'A'],
    ['a logo', '<p>A</p><a href="/"><svg role="img" aria-label="Logo"></svg></a>', 'A'],
  ])('%s', (_what, html, text) => {
    expect(readHtmlText(html)).toBe(text)
  })
})

describe('hidden rows', () => {
  const head = '<tr><th>Hotel</th><th>Beds</th><th>Rooms</th></tr>'
  const heading = '## Not visible on the page\n\n'
  const rows = (...lines: string[]): string =>
    ['| Hotel | Beds | Rooms |', '| --- | --- | --- |', ...lines].join('\n')

  it.each([
    [
      'of two kinds',
      `${head}<tr style="display:none"><td>B</td><td></td><td>3</td></tr><tr hidden><td>C</td><td>4</td><td></td></tr>`,
      ['| B |  | 3 |', '| C | 4 |  |'],
    ],
    [
      'in a group',
      `${head}<tbody><tr><td>A</td><td>1</td><td>2</td></tr></tbody><tbody hidden><tr><td>B</td><td></td><td>3</td></tr></tbody>`,
      ['| B |  | 3 |'],
    ],
  ])('%s are below the first row, in their columns', (_what, html, lines) => {
    expect(textOf(`<p>Seen</p><table>${html}</table>`)).toMatch(`${heading}${rows(...lines)}`)
  })

  it('have no hidden columns', () => {
    const cells = (a: string, b: string, c: string) =>
      `<td>${a}</td><td style="display:none">${b}</td><td>${c}</td>`
    const html = `<tr>${cells('Hotel', 'Key', 'Beds')}</tr><tr>${cells('A', '1', '2')}</tr><tr hidden>${cells('B', '3', '4')}</tr>`
    expect(textOf(`<table>${html}</table>`)).toContain('| Hotel | Beds |\n| --- | --- |\n| B | 4 |')
  })

  it('without text are left out', () => {
    expect(
      textOf(
        `<table>${head}<tr hidden><td></td><td></td></tr><tr><td>A</td><td>1</td><td>2</td></tr></table>`,
      ),
    ).toBe(rows('| A | 1 | 2 |'))
  })

  it('in hidden content are not lost', () => {
    expect(
      textOf(`<p>A</p><div hidden><table>${head}<tr hidden><td>B</td><td></td><td>3</td></tr></table></div>`),
    ).toContain('| B |  | 3 |')
  })

  it.each([
    ['a table', `<table hidden>${head}<tr><td>B</td><td></td><td>3</td></tr></table>`],
    [
      'a grid',
      '<div role="table" style="display:none"><div role="row"><b role="cell">Hotel</b><b role="cell">Beds</b><b role="cell">Rooms</b></div><div role="row"><b role="cell">B</b><b role="cell"></b><b role="cell">3</b></div></div>',
    ],
  ])('%s that is hidden as a whole keeps its columns', (_what, html) => {
    expect(textOf(`<p>A</p>${html}`)).toBe(`A\n\n${heading}${rows('| B |  | 3 |')}`)
  })
})

it('an element without content ends where a page in XML closes it', () => {
  const body = '<p>a</p><div style="display:none"/><p>b<a id="x"/> c<br/>d</p><ix:header hidden=""/><p>e</p>'
  expect(readHtmlText(`<?xml version="1.0"?><html><body>${body}</body></html>`)).toBe('a\n\nb c\nd\n\ne')
})
