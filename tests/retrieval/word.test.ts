import { describe, expect, it } from 'vitest'
import { readDocument } from '../../retrieval/read-document.ts'
import { sniffFormat } from '../../retrieval/text/format.ts'
import { block, mathRun as r, run, type WordParts, wordDocument } from './small-word.ts'

const read = async (body: string, parts?: WordParts) =>
  await readDocument({ format: 'docx', bytes: wordDocument(body, parts) })
const textOf = async (body: string, parts?: WordParts) => {
  const { pages, problem } = await read(body, parts)
  expect(problem).toBeNull()
  return pages[0]!.text
}

const e = (content: string, name = 'e') => `<m:${name}>${content}</m:${name}>`
const power = (base: string, raised: string) => `<m:sSup>${e(r(base))}${e(r(raised), 'sup')}</m:sSup>`

describe('an equation of Word', () => {
  it.each([
    ['a power', `${r('4.2×')}${power('10', '-7')}`, '4.2×10⁻⁷'],
    ['figures after a power', `${power('10', '6')}${r('4')}`, '10⁶ 4'],
    ['a power of a sum', `<m:sSup>${e(r('a+b'))}${e(r('2n'), 'sup')}</m:sSup>`, '(a+b)^(2n)'],
    ['a long exponent', `<m:sSup>${e(r('e'))}${e(r('-x/2'), 'sup')}</m:sSup>`, 'e^(-x/2)'],
    ['a fraction', `<m:f>${e(r('3'), 'num')}${e(r('48'), 'den')}</m:f>`, '3/48'],
    ['a mixed number', `${r('2')}<m:f>${e(r('1'), 'num')}${e(r('2'), 'den')}</m:f>${r('5')}`, '2 1/2 5'],
    ['a chemical formula', `<m:sSub>${e(r('H'))}${e(r('2'), 'sub')}</m:sSub>${r('O')}`, 'H₂O'],
    [
      'an index and a power',
      `<m:sSubSup>${e(r('x'))}${e(r('1'), 'sub')}${e(r('2'), 'sup')}</m:sSubSup>`,
      'x₁²',
    ],
    ['a root', `<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>${e(r('16'))}</m:rad>`, '√(16)'],
    ['a cube root', `<m:rad>${e(r('3'), 'deg')}${e(r('27'))}</m:rad>`, '√[3](27)'],
    [
      'a sum',
      `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>${e(r('i=1'), 'sub')}${e(r('12'), 'sup')}${e(r('3i'))}</m:nary>`,
      '∑_(i=1)¹² (3i)',
    ],
    ['an integral', `<m:nary>${e(r('0'), 'sub')}${e(r('1'), 'sup')}${e(r('x dx'))}</m:nary>`, '∫₀¹ (x dx)'],
    [
      'a matrix',
      `<m:d><m:dPr><m:begChr m:val=""/><m:endChr m:val=""/></m:dPr>${e(`<m:m><m:mr>${e(r('1'))}${e(r('20'))}</m:mr><m:mr>${e(r('300'))}${e(r('4'))}</m:mr></m:m>`)}</m:d>`,
      '[1, 20; 300, 4]',
    ],
    [
      'a binomial coefficient',
      `<m:d>${e(`<m:f><m:fPr><m:type m:val="noBar"/></m:fPr>${e(r('49'), 'num')}${e(r('6'), 'den')}</m:f>`)}</m:d>`,
      '((49; 6))',
    ],
    ['a function', `<m:func>${e(r('sin'), 'fName')}${e(r('30'))}</m:func>`, 'sin 30'],
    ['a limit', `<m:limLow>${e(r('lim'))}${e(r('n→∞'), 'lim')}</m:limLow>`, 'lim_(n→∞)'],
    ['an estimate', `<m:acc><m:accPr><m:chr m:val="̂"/></m:accPr>${e(r('p'))}</m:acc>${r('=0.42')}`, 'p̂=0.42'],
    ['two lines', `<m:eqArr>${e(r('x=1'))}${e(r('y=23'))}</m:eqArr>`, 'x=1; y=23'],
    ['a deleted part', `${r('x=5')}<w:del>${r('6')}</w:del>`, 'x=5'],
  ])('is text: %s', async (_, math, text) => {
    expect(await textOf(block(run('Result '), `<m:oMath>${math}</m:oMath>`, run('.')))).toBe(
      `Result ${text}.`,
    )
    expect(
      await textOf(
        `<w:tbl><w:tr><w:tc>${block(`<m:oMathPara><m:oMath>${math}</m:oMath></m:oMathPara>`)}</w:tc><w:tc>${block(run('7'))}</w:tc></w:tr></w:tbl>`,
      ),
    ).toBe(`| ${text} | 7 |\n| --- | --- |`)
  })
})

const box = (content: string) =>
  `<w:drawing><wp:inline><a:graphic><a:graphicData><wps:wsp><wps:txbx><w:txbxContent>${content}</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:inline></w:drawing>`
const vml = (content: string) =>
  `<w:pict><v:shape><v:textbox><w:txbxContent>${content}</w:txbxContent></v:textbox></v:shape></w:pict>`
const both = (content: string) =>
  `<mc:AlternateContent><mc:Choice Requires="wps">${box(content)}</mc:Choice><mc:Fallback>${vml(content)}</mc:Fallback></mc:AlternateContent>`

describe('a text box', () => {
  const content = block(run('Mill: 340 staff'))
  it.each([
    ['in a drawing alone', box(content)],
    ['in VML alone', vml(content)],
    ['in a drawing and in VML', both(content)],
    ['in a group of alternatives', both(`${content}`).replace('<w:drawing>', '<w:drawing><!-- group -->')],
  ])('is read once, after its paragraph: %s', async (_, drawing) => {
    const text = await textOf(
      block(run('Before'), `<w:r>${drawing}</w:r>`, run(' and after')) + block(run('End')),
    )
    expect(text).toBe('Before and after\n\nMill: 340 staff\n\nEnd')
  })
  it('may contain a table, another text box and equations', async () => {
    const table = `<w:tbl><w:tr><w:tc>${block(run('Mill'))}</w:tc><w:tc>${block(`<m:oMath>${power('10', '3')}</m:oMath>`)}</w:tc></w:tr></w:tbl>`
    const inner = both(block(run('Inner 12')))
    const text = await textOf(block(`<w:r>${both(table + block(`<w:r>${inner}</w:r>`))}</w:r>`))
    expect(text).toBe('| Mill | 10³ |\n| --- | --- |\n\nInner 12')
  })
})

describe('the runs of Word', () => {
  const struck = '<w:strike/>'
  it.each([
    ['struck figures', [run('199', struck), run('149')], '~~199~~149'],
    [
      'struck figures in several runs',
      [run('1', struck), run('99', '<w:dstrike/>'), run('149')],
      '~~199~~149',
    ],
    ['struck figures after others', [run('149'), run('199', struck)], '149~~199~~'],
    ['figures that are not struck', [run('19', '<w:strike w:val="false"/>'), run('9')], '199'],
    [
      'deleted and inserted figures',
      [`<w:del><w:r><w:delText>44</w:delText></w:r></w:del><w:ins>${run('45')}</w:ins>`],
      '45',
    ],
    ['moved text', [`<w:moveFrom>${run('old')}</w:moveFrom><w:moveTo>${run('new')}</w:moveTo>`], 'new'],
    ['hidden figures', [run('12'), run('34', '<w:vanish/>')], '12'],
    ['a footnote mark as type', [run('$320'), run('1', '<w:vertAlign w:val="superscript"/>')], '$320¹'],
    ['raised figures', [run('1,234'), run('2', '<w:position w:val="8"/>')], '1,234²'],
    ['lowered figures', [run('CO'), run('2', '<w:vertAlign w:val="subscript"/>')], 'CO2'],
    [
      'content controls',
      [`<w:sdt><w:sdtPr/><w:sdtContent>${run('30 beds')}</w:sdtContent></w:sdt>`],
      '30 beds',
    ],
    [
      'fields and links',
      [
        `<w:fldSimple w:instr="X">${run('5')}</w:fldSimple><w:hyperlink r:id="x">${run(' beds')}</w:hyperlink>`,
      ],
      '5 beds',
    ],
    [
      'readings of ruby text',
      [
        '<w:r><w:ruby><w:rt><w:r><w:t>とうきょう</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>東京</w:t></w:r></w:rubyBase></w:ruby></w:r>',
      ],
      '東京 (とうきょう)',
    ],
    ['comments', [`${run('12')}<w:r><w:commentReference w:id="0"/></w:r>`], '12'],
    [
      'check boxes',
      [
        `<w:r><w:fldChar w:fldCharType="begin"><w:ffData><w:checkBox><w:default w:val="1"/></w:checkBox></w:ffData></w:fldChar></w:r><w:r><w:instrText>FORMCHECKBOX</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>${run(' yes')}`,
      ],
      '☒ yes',
    ],
  ])('%s', async (_, runs, text) => {
    expect(await textOf(block(run('A: '), ...runs))).toBe(`A: ${text}`)
  })

  it('look as their styles say, also by inheritance', async () => {
    const styles = [
      '<w:style w:type="character" w:styleId="Old"><w:rPr><w:strike/></w:rPr></w:style>',
      '<w:style w:type="character" w:styleId="Older"><w:basedOn w:val="Old"/></w:style>',
      '<w:style w:type="character" w:styleId="Note"><w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>',
      '<w:style w:type="paragraph" w:styleId="Secret"><w:rPr><w:vanish/></w:rPr></w:style>',
    ].join('')
    const body = [
      block(run('7', '<w:rStyle w:val="Older"/>'), run('8'), run('9', '<w:rStyle w:val="Note"/>')),
      block('<w:pPr><w:pStyle w:val="Secret"/></w:pPr>', run('hidden 99')),
      block(run('End')),
    ]
    expect(await textOf(body.join(''), { parts: { styles } })).toBe('~~7~~8⁹\n\nEnd')
  })
})

describe('a table of Word', () => {
  const cell = (text: string, properties = '') =>
    `<w:tc><w:tcPr>${properties}</w:tcPr>${block(run(text))}</w:tc>`
  const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`
  const table = (...rows: string[]) => `<w:tbl>${rows.join('')}</w:tbl>`
  it.each([
    [
      'columns that a row begins and ends without',
      table(
        row(cell('a'), cell('b'), cell('c')),
        `<w:tr><w:trPr><w:gridBefore w:val="1"/><w:gridAfter w:val="1"/></w:trPr>${cell('2')}</w:tr>`,
      ),
      '| a | b | c |\n|  | 2 |  |',
    ],
    [
      'deleted and hidden rows',
      table(
        row(cell('a'), cell('1')),
        `<w:tr><w:trPr><w:del w:id="1"/></w:trPr>${cell('b')}${cell('2')}</w:tr>`,
        `<w:tr><w:trPr><w:hidden/></w:trPr>${cell('c')}${cell('3')}</w:tr>`,
      ),
      '| a | 1 |',
    ],
    [
      'rows and cells in content controls',
      `<w:tbl><w:sdt><w:sdtContent>${row(cell('a'), `<w:sdt><w:sdtContent>${cell('1')}</w:sdtContent></w:sdt>`)}</w:sdtContent></w:sdt></w:tbl>`,
      '| a | 1 |',
    ],
  ])('%s', async (_, xml, text) => {
    expect((await textOf(xml)).replace(/\n\|(?: --- \|)+/, '')).toBe(text)
  })
})

describe('a table of Word in a cell of another', () => {
  const cell = (...blocks: string[]) => `<w:tc><w:tcPr/>${blocks.join('') || block('')}</w:tc>`
  const words = (text: string) => block(run(text))
  const row = (...cells: string[]) => `<w:tr>${cells.join('')}</w:tr>`
  const table = (...rows: string[]) => `<w:tbl>${rows.join('')}</w:tbl>`
  const rooms = table(
    row(cell(words('single')), cell(words('4'))),
    row(cell(words('double')), cell(words('8'))),
  )
  const head = row(cell(words('Hotel')), cell(words('Rooms')), cell(words('Town')))
  const linesOf = async (xml: string) => (await textOf(xml)).split('\n').filter(line => !line.includes('---'))

  it.each([
    [
      'stands in its cell',
      table(head, row(cell(words('Alder')), cell(rooms, block('')), cell(words('Ulm')))),
      ['| Hotel | Rooms | Town |', '| Alder | single 4; double 8 | Ulm |'],
    ],
    [
      'stands behind the text of its cell, and leaves empty cells empty',
      table(
        head,
        row(cell(words('Alder')), cell(words('all:'), rooms), cell()),
        row(cell(words('Birch')), cell(), cell(words('Graz'))),
      ),
      ['| Hotel | Rooms | Town |', '| Alder | all: single 4; double 8 |  |', '| Birch |  | Graz |'],
    ],
    [
      'keeps its own empty cells, and its figures apart',
      table(
        head,
        row(
          cell(words('Alder')),
          cell(
            table(
              row(cell(words('1')), cell(), cell(words('3'))),
              row(cell(words('4')), cell(words('5')), cell(words('6'))),
            ),
          ),
          cell(words('Ulm')),
        ),
      ),
      ['| Hotel | Rooms | Town |', '| Alder | 1 /  / 3; 4 / 5 / 6 | Ulm |'],
    ],
    [
      'in another nested table',
      table(
        head,
        row(
          cell(words('Alder')),
          cell(table(row(cell(words('x')), cell(rooms)), row(cell(words('y')), cell(words('z'))))),
          cell(words('Ulm')),
        ),
      ),
      ['| Hotel | Rooms | Town |', '| Alder | x single 4; double 8; y z | Ulm |'],
    ],
  ])('%s', async (_, xml, lines) => {
    expect(await linesOf(xml)).toEqual(lines)
  })

  it('is a table of its own where the outer one only arranges tables', async () => {
    expect(await linesOf(table(row(cell(rooms), cell(rooms))))).toEqual(
      expect.arrayContaining(['| single | 4 |', '| double | 8 |']),
    )
  })
})

describe('the parts of a Word document', () => {
  const section = (references: string, more = '') => `<w:sectPr>${references}${more}</w:sectPr>`
  it('are read: headers, footers, footnotes and endnotes, but no comments', async () => {
    const note = (content: string) => `<w:footnote w:id="2">${content}</w:footnote>`
    const text = await textOf(
      block(
        run('Profit 12'),
        '<w:r><w:footnoteReference w:id="2"/></w:r>',
        '<w:r><w:endnoteReference w:id="5"/></w:r>',
      ) +
        section(
          '<w:headerReference w:type="default" r:id="header"/><w:footerReference w:type="default" r:id="footer"/>',
        ),
      {
        parts: {
          header: block(run('Report 2023')),
          footer: block(run('All figures in kSEK')),
          footnotes: note(block(run('Without '), `<m:oMath>${power('10', '2')}</m:oMath>`)),
          endnotes: `<w:endnote w:id="5">${block(run('Audited'))}</w:endnote>`,
          comments: `<w:comment w:id="0">${block(run('a remark'))}</w:comment>`,
        },
      },
    )
    expect(text.replace(/\n+/g, '\n')).toBe(
      'Page header:\nReport 2023\nProfit 12[1][2]\nPage footer:\nAll figures in kSEK\n1. Without 10² ↑\n2. Audited ↑',
    )
  })
  it('leave out a header of first pages that no section shows', async () => {
    const reference = '<w:headerReference w:type="first" r:id="header"/>'
    const parts = { header: block(run('Cover')) }
    expect(await textOf(block(run('Text')) + section(reference), { parts })).toBe('Text')
    expect(await textOf(block(run('Text')) + section(reference, '<w:titlePg/>'), { parts })).toBe(
      'Page header:\n\nCover\n\nText',
    )
  })
  it.each<[string, WordParts]>([
    ['of the strict format', { isStrict: true }],
    ['with another name', { main: 'content/main.xml' }],
    [
      'with other prefixes',
      { rewrite: xml => xml.replace(/(<\/?|xmlns:| )w:/g, '$1doc:').replace('xmlns:w=', 'xmlns:doc=') },
    ],
  ])('%s', async (_, options) => {
    const body = block(
      run('Beds 12'),
      run('3', '<w:vertAlign w:val="superscript"/>'),
      `<m:oMath>${power('10', '6')}</m:oMath>`,
    )
    expect(sniffFormat(wordDocument(body, options), 'x')).toEqual({ format: 'docx' })
    expect(await textOf(body, options)).toBe('Beds 12³ 10⁶')
  })
})

describe('what is not text in a Word document', () => {
  const drawing = (content: string) =>
    `<w:r><w:drawing><wp:inline><a:graphic><a:graphicData>${content}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>`
  it.each([
    ['a picture', block(run('Figure 1'), drawing('<pic:pic/>')), ['a picture is not read: after "Figure 1"']],
    [
      'a chart',
      block(run('Sales')) + block(drawing('<c:chart r:id="x"/>')),
      ['a chart is not read: after "Sales"'],
    ],
    [
      'an object',
      block('<w:r><w:object><v:shape/><o:OLEObject ProgID="Excel.Sheet"/></w:object></w:r>', run('End')),
      ['an embedded object is not read: at the beginning'],
    ],
    [
      'several pictures',
      [1, 2, 3, 4, 5].map(n => block(run(`Picture ${n}`), drawing('<pic:pic/>'))).join(''),
      ['5 pictures are not read: after "Picture 1", after "Picture 2", after "Picture 3" and 2 more'],
    ],
    ['a line', block(run('Text'), drawing('<wps:wsp/>')), undefined],
  ])('is reported with its place: %s', async (_, body, notices) => {
    expect((await read(block(run('')) + body + block(run('Last')))).notices).toEqual(notices)
  })
})

it.each([
  ['levels', `${'<w:p><w:r>'.repeat(100_000)}`, /levels of nested elements/],
  ['elements', '<w:p/>'.repeat(1_000_001), /elements/],
])('refuses a document with too many %s at once', async (_, body, message) => {
  await expect(read(body)).rejects.toThrow(message)
})

describe('parts of Word that older programs write', () => {
  const field = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`
  const code = (text: string) => `<w:r><w:instrText>${text}</w:instrText></w:r>`
  const cell = (text: string, properties = '') =>
    `<w:tc><w:tcPr>${properties}</w:tcPr>${block(run(text))}</w:tc>`

  it('shows the result of a field, and not that of a field in its code', async () => {
    const inner = `${field('begin')}${code('X')}${field('separate')}${run('99')}${field('end')}`
    const outer = `${field('begin')}${code('IF')}${inner}${field('separate')}${run('55')}${field('end')}`
    expect(await textOf(block(run('Sum '), outer, run(' kg')))).toBe('Sum 55 kg')
  })

  it('repeats a cell that is merged with those beside it', async () => {
    const merged = `${cell('Alder', '<w:hMerge w:val="restart"/>')}${cell('', '<w:hMerge/>')}${cell('5')}`
    const head = `${cell('A')}${cell('B')}${cell('C')}`
    expect(await textOf(`<w:tbl><w:tr>${head}</w:tr><w:tr>${merged}</w:tr></w:tbl>`)).toBe(
      '| A | B | C |\n| --- | --- | --- |\n| Alder | Alder | 5 |',
    )
  })

  it('separates what an aligned tab separates', async () => {
    const tab = '<w:r><w:ptab w:alignment="right"/></w:r>'
    expect(await textOf(block(run('Beds'), tab, run('40')))).toMatch(/^Beds\s40$/)
  })

  it.each([
    ['behind a figure', [run('2'), `<m:oMath>${r('10')}</m:oMath>`], '2 10'],
    ['before a figure', [`<m:oMath>${power('10', '6')}</m:oMath>`, run('4')], '10⁶ 4'],
    ['behind another', [`<m:oMath>${r('a=1')}</m:oMath>`, `<m:oMath>${r('2=b')}</m:oMath>`], 'a=1 2=b'],
    ['behind a word', [run('is '), `<m:oMath>${r('10')}</m:oMath>`, run(' kg')], 'is 10 kg'],
  ])('keeps an equation apart %s', async (_where, runs, text) => {
    expect(await textOf(block(...runs))).toBe(text)
  })

  it('marks a struck part of an equation', async () => {
    const box = `<m:borderBox><m:borderBoxPr><m:strikeH m:val="1"/></m:borderBoxPr>${e(r('5'))}</m:borderBox>`
    expect(await textOf(block(`<m:oMath>${box}${r('6')}</m:oMath>`))).toBe('~~5~~ 6')
  })

  it('names a text that is drawn as a picture', async () => {
    const art = '<w:r><w:pict><v:shape><v:textpath string="Draft"/></v:shape></w:pict></w:r>'
    expect((await read(block(run('Beds 40'), art))).notices).toEqual([
      'a text drawn as a picture is not read: after "Beds 40"',
    ])
  })
})
