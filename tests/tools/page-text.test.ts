import { describe, expect, it } from 'vitest'
import { readHtmlText } from '../../retrieval/html/html-text.ts'
import { readHtml } from '../../tools/page/html-page.ts'

const textOf = (body: string): string =>
  readHtml(`<html><body>${body}</body></html>`, 'http://h.example/').main.text

describe('the text of a page', () => {
  it('separates footnote marks and exponents from the digits before them', async () => {
    const table =
      '<table><tr><td>Revenue</td><td>1,234<sup>2</sup></td></tr><tr><td>Cost</td><td><b>567</b><sup><a href="#n">(1), a</a></sup></td></tr></table>'
    expect(textOf(table)).toContain('| Revenue | 1,234² |')
    expect(await readHtmlText(table)).toContain('Revenue | 1,234²')
    expect(textOf('<p>about 10<sup>6</sup> of 50 m<sup>2</sup>, 1,234<sup>2,3</sup></p>')).toBe(
      'about 10⁶ of 50 m², 1,234²,³',
    )
    expect(textOf('<p>5<sup>b</sup> and the 1<sup>st</sup></p>')).toBe('5^b and the 1st')
    expect(textOf('<p>4.5<span style="font-size:7pt;vertical-align:super">(2)</span></p>')).toBe('4.5⁽²⁾')
    expect(textOf('<p><sup>12</sup> See note</p><p>H<sub>2</sub>O, 10<sub>2</sub></p>')).toBe(
      '12 See note\n\nH2O, 10₂',
    )
  })

  it('reads the formulas of MathML', () => {
    const formula =
      '<math><msup><mi>c</mi><mn>2</mn></msup></math> or <math><mfrac><mn>1</mn><mn>2</mn></mfrac><annotation>\\frac</annotation></math>'
    expect(textOf(`<p>${formula}</p>`)).toBe('c² or 1/2')
  })

  it('leaves out digits that only pad a column, and keeps the place of a hidden cell', () => {
    const pad = '<span style="visibility:hidden;color:transparent">0</span>'
    const rows = `<tr><td>A</td><td style="visibility: hidden">9</td><td>${pad}1,234</td></tr><tr><td>B</td><td>x</td><td>5</td></tr>`
    expect(textOf(`<table>${rows}</table>`)).toBe('| A |  | 1,234 |\n| --- | --- | --- |\n| B | x | 5 |')
  })

  it('reads a page that stays hidden until its scripts have run', () => {
    const text = 'Revenue of the year 1,234 and of the year before 1,150'
    expect(textOf(`<div style="visibility:hidden"><p>${text}</p></div>`)).toContain(text)
  })

  it('separates figures on separate lines of a cell', () => {
    const row = '<tr><td>Net<br>income</td><td>12<br>345</td><td><p>2023</p> <p>7</p></td></tr>'
    expect(textOf(`<table>${row}</table>`)).toContain('| Net income | 12 / 345 | 2023 / 7 |')
  })

  it('joins a number that may break across lines', () => {
    expect(textOf('<table><tr><td>A</td><td>1,<wbr>234</td></tr></table>')).toContain('| A | 1,234 |')
  })

  it.each(['script src="a.js"', 'iframe src="f"', 'title', 'textarea name="t"', 'object data="o"'])(
    'reads what follows <%s/>',
    tag => {
      const page = `<p>Before</p><${tag}/><script>write('<script src="b.js"/>')</script><p>Revenue 1,234</p>`
      expect(textOf(page)).toMatch(/Before[\s\S]*Revenue 1,234$/)
      expect(textOf(page)).not.toContain('write')
    },
  )

  it('numbers the items of an ordered list as the page does', () => {
    expect(textOf('<ol start="11"><li>Eleven</li><li value="20">Twenty</li><li>More</li></ol>')).toBe(
      '- 11. Eleven\n- 20. Twenty\n- 21. More',
    )
    expect(textOf('<ol reversed><li>b</li><li>a</li></ol>')).toBe('- 2. b\n- 1. a')
    expect(textOf('<ol style="list-style-type: lower-roman"><li>x</li><li>y</li></ol>')).toBe(
      '- i. x\n- ii. y',
    )
    expect(textOf('<ol type="A" start="26"><li>x</li><li>y</li></ol>')).toBe('- Z. x\n- AA. y')
    expect(textOf('<ol><li>x</li><li>y</li></ol>')).toBe('1. x\n2. y')
  })
})

describe('the tables of a page', () => {
  it.each([
    ['cells without a row', '<td>A</td><td>1</td>', '| A | 1 |\n| --- | --- |'],
    ['a row without its tag', '<tbody><td>A</td><td>1</td><tr><td>B</td><td>2</td></tr></tbody>'],
    ['a form around rows', '<form><tr><td>A</td><td>1</td></tr><tr><td>B</td><td>2</td></tr></form>'],
    ['a form in a row', '<tr><form><td>A<td>1</form></tr><tr><td>B</td><td>2</td></tr>'],
    ['a form that opens in a cell', '<tr><td>A<form><td>1</form></td></tr><tr><td>B</td><td>2</td></tr>'],
  ])('loses nothing of %s', (_, rows, expected = '| A | 1 |\n| --- | --- |\n| B | 2 |') => {
    expect(textOf(`<table>${rows}</table>`)).toBe(expected)
  })

  it('keeps content of a table outside its cells', () => {
    expect(textOf('<table><p>In thousands</p><tr><td>A</td><td>1</td></tr></table>')).toBe(
      'In thousands\n\n| A | 1 |\n| --- | --- |',
    )
  })

  it('ends a cell that spans rows with its group, and extends a span of 0 to all of them', () => {
    const groups =
      '<tbody><tr><td rowspan="0">2023</td><td>1</td></tr><tr><td>2</td></tr></tbody><tbody><tr><td rowspan="9">2022</td><td>3</td></tr></tbody><tbody><tr><td>2021</td><td>4</td></tr></tbody>'
    expect(textOf(`<table>${groups}</table>`)).toBe(
      '| 2023 | 1 |\n| --- | --- |\n| 2023 | 2 |\n| 2022 | 3 |\n| 2021 | 4 |',
    )
  })

  it('aligns figures of rows with and without a currency sign in one column', () => {
    const rows =
      '<tr><td></td><td colspan="2">2024</td><td colspan="2">2023</td></tr><tr><td>Revenue</td><td>$</td><td>12</td><td>$</td><td>(</td><td>9</td><td>)</td></tr><tr><td>Cost</td><td></td><td>7</td><td></td><td>6</td></tr>'
    expect(textOf(`<table>${rows}</table>`)).toBe(
      '|  | 2024 | 2023 |\n| --- | --- | --- |\n| Revenue | $ 12 | $ (9) |\n| Cost | 7 | 6 |',
    )
  })

  it('reads a table made of blocks by its ARIA roles', () => {
    const grid =
      '<div role="grid"><div role="row"><span role="columnheader">Item</span><span role="columnheader">2023</span></div><div role="row"><span role="gridcell">B2</span><span role="gridcell">17</span></div></div>'
    expect(textOf(grid)).toBe('| Item | 2023 |\n| --- | --- |\n| B2 | 17 |')
  })

  it('treats a table with a heading cell as a table', () => {
    const rows = '<tr><th><h3>Item</h3></th><th><h3>2023</h3></th></tr><tr><td>Cost</td><td>5</td></tr>'
    expect(textOf(`<table>${rows}</table>`)).toBe('| Item | 2023 |\n| --- | --- |\n| Cost | 5 |')
  })
})
