import { describe, expect, it } from 'vitest'
import { readHtmlDocument, readHtmlText } from '../../retrieval/html/html-text.ts'
import { readHtml } from '../../tools/page/html-page.ts'

/** The text of a page as `fetch_page` and the setting offline read it. */
function textOf(body: string): string {
  const html = `<html><head><title>T</title></head><body>${body}</body></html>`
  const text = readHtmlText(html)
  const page = readHtml(html, 'http://h.example/')
  expect((page.all ?? page.main).text).toBe(text)
  return text
}

describe('a field of a form', () => {
  it.each([
    ['a value', 'Beds: <input readonly value="12">', 'Beds: 12'],
    ['a value beside its label', '<label>Beds</label><input value="12">', 'Beds 12'],
    ['a value beside a figure', '<p>3<span><input value="12"></span></p>', '3 12'],
    ['a number', '<input type="number" value="7.5"> kg', '7.5 kg'],
    ['a longer text', 'Note: <textarea>Renovated in\n2021</textarea>', 'Note: Renovated in 2021'],
    ['boxes', '<input type="checkbox" checked> Pool <input type=radio> Spa', '☒ Pool ☐ Spa'],
    ['the chosen option', '<select><option>Graz<option selected>Ulm</select>', 'Ulm'],
    ['the first option', '<select><option>Graz</option><option>Ulm</option></select>', 'Graz'],
    ['several options', '<select multiple><option selected>A<option>B<option selected>C</select>', 'A; C'],
    ['no option of a longer list', '<p>x</p><select size="4"><option>A<option>B</select>', 'x'],
    [
      'the figure of a meter',
      '<meter value="0.6"></meter>, <progress value="30" max="100"></progress>',
      '0.6, 30 of 100',
    ],
    ['the text of a meter', '<meter value="0.6">60%</meter>', '60%'],
  ])('shows %s', (_what, body, text) => {
    expect(textOf(body)).toBe(text)
  })

  it('stands in its cell of a table', () => {
    const cells = '<tr><td>Town</td><td><select><option>Graz<option selected>Ulm</select></td></tr>'
    expect(textOf(`<table><tr><th>Beds</th><td><input value="12"></td></tr>${cells}</table>`)).toBe(
      '| Beds | 12 |\n| --- | --- |\n| Town | Ulm |',
    )
  })

  it('that a browser does not write is left out', () => {
    const hidden =
      '<input type="hidden" value="token"><input type="password" value="secret"><input type="submit" value="Go">'
    const padding = '<input value="99" style="display:none"><datalist><option>Option</datalist>'
    expect(textOf(`<p>Beds</p>${hidden}${padding}<input value="">`)).toBe('Beds')
  })
})

describe('a declarative shadow tree', () => {
  const table = '<table><tr><th>Hotel</th><th>Beds</th></tr><tr><td>Alder</td><td>12</td></tr></table>'
  const rows = '| Hotel | Beds |\n| --- | --- |\n| Alder | 12 |'

  it('is shown in its element', () => {
    expect(
      textOf(`<h1>List</h1><x-table><template shadowrootmode="open">${table}</template></x-table>`),
    ).toBe(`# List\n\n${rows}`)
  })

  it('has the children of its element in its slots', () => {
    const tree =
      '<h3><slot name="title">None</slot></h3><p><slot></slot></p><p><slot name="foot">No tax</slot></p>'
    expect(
      textOf(
        `<x-card><template shadowrootmode="open">${tree}</template><b slot="title">Basic</b>20 EUR</x-card>`,
      ),
    ).toBe('### Basic\n\n20 EUR\n\nNo tax')
  })

  it('may contain another one', () => {
    const inner = `<x-b><template shadowrootmode="open">${table}</template></x-b>`
    expect(textOf(`<x-a><template shadowrootmode="closed">${inner}</template></x-a>`)).toBe(rows)
  })

  it('hides children without a slot, which are said not to be visible', () => {
    expect(textOf(`<x-a><template shadowrootmode="open"><p>Shown</p></template>${table}</x-a>`)).toBe(
      `Shown\n\n## Not visible on the page\n\n${rows}`,
    )
  })

  it('does not hide elements of the page by its sheet', () => {
    const tree = '<style>.price { display: none }</style><p>A</p>'
    expect(
      textOf(`<x-a><template shadowrootmode="open">${tree}</template></x-a><p class="price">20 EUR</p>`),
    ).toBe('A\n\n20 EUR')
  })

  it('is no tree without the attribute', () => {
    const seen = `${'The hotels of the valley are old. '.repeat(10)}`.trim()
    expect(textOf(`<p>${seen}</p><template>${table}</template>`)).toBe(seen)
  })
})

describe('what a reader or a script opens', () => {
  const note = '<p>Alder has 12 beds.</p>'
  const shown = `<p>${'The hotels of the valley are old. '.repeat(10)}</p>`

  it.each([
    ['a closed tab', `<div role="tabpanel" hidden>${note}</div>`],
    ['a closed answer', `<h3><button aria-expanded="false">Beds?</button></h3><div hidden>${note}</div>`],
    [
      'a text that a button names',
      `<button aria-controls="a">Beds</button><p>-</p><div id="a" style="display:none">${note}</div>`,
    ],
    ['a text for find in page', `<div hidden="until-found">${note}</div>`],
  ])('%s is said not to be visible, however short', (_what, body) => {
    expect(textOf(`${shown}${body}`)).toMatch(
      /## Not visible on the page\n\n(?:Beds\??\n\n)?Alder has 12 beds\.$/,
    )
  })

  it('has the label of its button above it', () => {
    const tabs =
      '<button role="tab" aria-controls="a">2020</button><button role="tab" aria-controls="b">2021</button>'
    const panels = `<div role="tabpanel" id="a">${note}</div><div role="tabpanel" id="b" hidden><p>Alder has 14 beds.</p></div>`
    expect(textOf(`${shown}${tabs}${panels}`)).toMatch(
      /Not visible on the page\n\n2021\n\nAlder has 14 beds\.$/,
    )
  })

  it.each([
    ['a draft', `<p style="display:none">Draft: 99 beds</p>`],
    [
      'a closed menu',
      '<button aria-expanded="false">Menu</button><ul hidden><li><a href="/99">99</a></li></ul>',
    ],
    ['a template beside text', `<template id="row">${note.repeat(20)}99</template>`],
    ['a remark for readers without scripts beside text', `<noscript>${note.repeat(20)}99</noscript>`],
  ])('%s is no content', (_what, body) => {
    expect(textOf(`${shown}${body}`)).not.toContain('99')
  })

  it.each([
    ['a streamed template', 'template'],
    ['a page for readers without scripts', 'noscript'],
  ])('%s is content of a page without text', (_what, tag) => {
    const table = '<table><tr><th>Hotel</th><th>Beds</th></tr><tr><td>Alder</td><td>12</td></tr></table>'
    expect(textOf(`<p>Wait</p><${tag}>${table}</${tag}><script>1</script>`)).toContain('| Alder | 12 |')
  })
})

describe('short hidden texts', () => {
  const shown = `<p>${'The hotels of the valley are old. '.repeat(10)}In 2020 there were 12.</p>`
  const notice = (count: string) => [`left out: ${count} with figures that the page does not show`]

  it.each([
    ['a paragraph', '<div hidden><p>Rooms in 2022: 17</p></div>', notice('1 short hidden text')],
    [
      'two texts',
      '<p style="display:none">Draft: 99</p><li hidden>Old: 98</li>',
      notice('2 short hidden texts'),
    ],
    [
      'a rule of a sheet',
      '<style>.x{display:none}</style><section class="x">Beds: 14.5</section>',
      notice('1 short hidden text'),
    ],
    ['figures that are shown', '<div hidden>In 2020: 12</div>', []],
    ['words', '<div hidden>Thank you for your message</div>', []],
    ['a sort key', '<p>A <span hidden>key 000017</span></p>', []],
    ['a menu', '<ul hidden><li><a href="/17">Page 17</a></li></ul>', []],
    ['a closed tab, which is shown', '<div role="tabpanel" hidden>Rooms: 17</div>', []],
    [
      'figures of other hidden content',
      `<div hidden>${'Rooms: 17. '.repeat(30)}</div><p hidden>Rooms: 17</p>`,
      [],
    ],
  ])('%s: a notice counts those with new figures', (_what, html, notices) => {
    expect(readHtmlDocument(`${shown}${html}`).notices).toEqual(notices)
    expect(readHtml(`${shown}${html}`, 'http://h.example/').notices).toEqual(notices)
  })
})

describe('a page in a frame (srcdoc)', () => {
  it.each([
    [
      'a table',
      '<iframe srcdoc="<table><tr><th>Hotel<th>Beds<tr><td>Alder<td>12</table>"></iframe>',
      '| Alder | 12 |',
    ],
    ['escaped tags', '<iframe srcdoc="&lt;p&gt;Beds: 12&lt;/p&gt;">old</iframe>', 'Beds: 12'],
    ['a frame in a frame', `<iframe srcdoc="<iframe srcdoc='Beds: 12'></iframe>"></iframe>`, 'Beds: 12'],
    [
      'a sheet of its own',
      '<p>Beds: 12</p><iframe srcdoc="<style>p{display:none}</style>x"></iframe>',
      'Beds: 12',
    ],
  ])('%s is part of the text', (_what, html, text) => {
    expect(textOf(html)).toContain(text)
  })

  it('is hidden with its frame', () => {
    expect(textOf('<p>Shown</p><iframe hidden srcdoc="Draft"></iframe>')).toBe('Shown')
  })
})

describe('texts that style sheets write', () => {
  const notice = (count: string) => [`left out: ${count} that style sheets write before or after elements`]
  it.each([
    ['a word', 'p::after{content:" (estimated)"}', notice('1 text')],
    ['two rules', 'p::before{content:"about "} p:after{content:"km"}', notice('2 texts')],
    ['an attribute', 'p::after{content:attr(data-unit)}', notice('1 text')],
    ['a sign of an icon font', 'p::before{content:"\\f101"}', []],
    ['a bullet', 'p::before{content:"•"}', []],
    ['nothing', 'p::after{content:"";display:table}', []],
    ['elements that the page lacks', '.x::after{content:"old"}', []],
    ['a rule for print', '@media print{p::after{content:"printed"}}', []],
  ])('%s: a notice counts them', (_what, css, notices) => {
    const html = `<style>${css}</style><p data-unit="kg">12</p>`
    expect(readHtmlDocument(html).notices).toEqual(notices)
    expect(readHtml(html, 'http://h.example/').notices).toEqual(notices)
  })
})
