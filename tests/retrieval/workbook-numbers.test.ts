import { describe, expect, it } from 'vitest'
import { readWorkbook, readWorkbookParts } from '../../retrieval/office/xlsx.ts'
import { writeZip } from '../../src/system/zip-writer.ts'

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const officeLinks = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packageLinks = 'http://schemas.openxmlformats.org/package/2006/relationships'
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const workbookTypes = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

/** Returns a workbook with one cell in each row. A format is its own code or the number of a built-in format. */
function workbook(cells: readonly (readonly [number, string | number])[], properties = ''): Uint8Array {
  const codes = cells.map(([, format]) => format).filter(format => typeof format === 'string')
  const idOf = (format: string | number): number =>
    typeof format === 'number' ? format : 164 + codes.indexOf(format)
  const rows = cells.map(
    ([value], at) => `<row r="${at + 1}"><c r="A${at + 1}" s="${at + 1}"><v>${value}</v></c></row>`,
  )
  const formats = codes.map(code => `<numFmt numFmtId="${idOf(code)}" formatCode="${escaped(code)}"/>`)
  const styles = cells.map(
    ([, format]) =>
      `<xf numFmtId="${idOf(format)}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
  )
  const plain = '<xf numFmtId="0" fontId="0" fillId="0" borderId="0"'
  return writeZip({
    '[Content_Types].xml': `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${workbookTypes}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${workbookTypes}.worksheet+xml"/><Override PartName="/xl/styles.xml" ContentType="${workbookTypes}.styles+xml"/></Types>`,
    '_rels/.rels': `${head}<Relationships xmlns="${packageLinks}"><Relationship Id="rId1" Type="${officeLinks}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${head}<workbook xmlns="${main}" xmlns:r="${officeLinks}">${properties}<sheets><sheet name="Figures" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${head}<Relationships xmlns="${packageLinks}"><Relationship Id="rId1" Type="${officeLinks}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${officeLinks}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `${head}<styleSheet xmlns="${main}">${formats.length === 0 ? '' : `<numFmts count="${formats.length}">${formats.join('')}</numFmts>`}<fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1">${plain}/></cellStyleXfs><cellXfs count="${styles.length + 1}">${plain} xfId="0"/>${styles.join('')}</cellXfs></styleSheet>`,
    'xl/worksheets/sheet1.xml': `${head}<worksheet xmlns="${main}"><sheetData>${rows.join('')}</sheetData></worksheet>`,
  })
}

function shown(value: number, format: string | number, properties?: string): string {
  const [sheet] = readWorkbookParts(workbook([[value, format]], properties)).sheets
  return sheet!.rows[0]!.cells[0]!
}

describe('a number of true values', () => {
  it.each([
    [12_345_678, '0.0,,"M"', '12.3M', '12.345678M'],
    [12_000_000, '0.0,,"M"', '12.0M', '12.0M'],
    [12_345, '0,"k"', '12k', '12.345k'],
    [1_500_000, '[>=1000000]0.0,,"M";[>=1000]0.0,"K";0', '1.5M', '1.5M'],
    [12, '0.0,,"M"', '0.0M', '0.000012M'],
    [0.1236, 9, '12%', '12.36%'],
    [-0.0512, '0.0%;[Red](0.0%)', '-5.1%', '-5.12%'],
    [1234.56, '"€"#,##0', '€1,235', '€1234.56'],
    [1234.5, '"€"#,##0.00', '€1,234.50', '€1,234.50'],
    [12.6, '0" kg"', '13 kg', '12.6 kg'],
    [1234, '00000', '01234', '01234'],
    [1 / 3, '# ?/?', '1/3', '0.333333333333333'],
    [5_551_234, '000-0000', '555-1234', '555-1234'],
    [45_292, 14, '2024-01-01', '2024-01-01'],
  ])('%d in the format %j reads %s in a document, and %s as gold', (value, format, text, gold) => {
    expect(shown(value, format)).toBe(text)
    const [sheet] = readWorkbook(workbook([[value, format]]))
    expect(sheet!.rows[0]!.cells[0]).toBe(gold)
  })
})

describe('a number in a workbook', () => {
  it.each([
    [0.1236, 10, '12.36%'],
    [0.1236, 9, '12%'],
    [0.1236, '0.0%', '12.4%'],
    [0.12345, '0.00%', '12.35%'],
    [1.5, '#,##0.##%', '150%'],
    [0.125, '0.0#%', '12.5%'],
    [-0.0512, '0.00%;[Red](0.00%)', '-5.12%'],
    [-0.00001, '0.00%', '0.00%'],
    [0.07, '0.00"%"', '0.07%'],
    [0.07, '0.00\\%', '0.07%'],
    [0.5, '"discount, by day: "0%', 'discount, by day: 50%'],
    [1e22, '0%', '1e+24%'],
  ])('%d in the format %j reads %s', (value, format, text) => {
    expect(shown(value, format)).toBe(text)
  })

  it.each([
    [45_657, 14, '2024-12-31'],
    [45_657, 31, '2024-12-31'],
    [45_657, 'yyyy"年"m"月"d"日"', '2024-12-31'],
    [45_657, '[$-409]d\\-mmm\\-yy;@', '2024-12-31'],
    [45_657, 'mmm', '2024-12-31'],
    [45_657.75, 22, '2024-12-31 18:00:00'],
    [0.545138888888889, 20, '13:05:00'],
    [45_657.5, 'h:mm AM/PM', '12:00:00'],
    [1.5, '[h]:mm', '36:00:00'],
    [-3, 14, '-3'],
    [1, 14, '1900-01-01'],
    [59, 14, '1900-02-28'],
    [60, 14, '1900-02-29'],
    [60.5, 22, '1900-02-29 12:00:00'],
    [61, 14, '1900-03-01'],
  ])('%d in the format %j of a date or a time reads %s', (value, format, text) => {
    expect(shown(value, format)).toBe(text)
  })

  it.each([
    [1234.5, '#,##0.00_);[Red](#,##0.00)'],
    [1234.5, 'General'],
    [1234.5, '#,##0.0;[Red]\\-#,##0.0'],
    [1234.5, '0.00E+00'],
    [1234.5, '0;;'],
    [1234.5, '_-* #,##0_-;-* #,##0_-;_-* "-"_-;_-@_-'],
    [1234.5, '#,##0;-#,##0;"–"'],
    [1234.5, '#,##0;\\-#,##0;\\—'],
    [1234.5, '_-* #,##0.00\\ _d_-'],
    [1234.5, 4],
    [1234.5, 0],
  ])('%d in the format %j keeps its digits', (value, format) => {
    expect(shown(value, format)).toBe('1234.5')
  })

  it.each([
    [1234, '00000', '01234'],
    [7, '000', '007'],
    [5551234, '000-0000', '555-1234'],
    [1234.5, '#,##0.00" days"', '1,234.50 days'],
    [1234.5, '[$€-407]#,##0.00', '€1,234.50'],
    [1234.5, '#,##0.00\\ [$zł-415]', '1,234.50 zł'],
    [75, '0" kg"', '75 kg'],
    [-3.25, '0.0" °C"', '-3.3 °C'],
    [12_345_678, '#,##0.0,,"M"', '12.3M'],
    [12_345_678, '#,##0,', '12,346'],
    [2500, '[>=1000000]0.0,,"M";[>=1000]0.0,"K";0', '2.5K'],
    [0.5, '# ?/?', '1/2'],
    [2.25, 12, '2 1/4'],
    [-12, '$#,##0;($#,##0)', '-$12'],
    [-12, '"€"#,##0;[Red]"€"#,##0', '-€12'],
    [0, '_($* #,##0.00_);_($* (#,##0.00);_($* "-"??_);_(@_)', '0'],
    [-1234.5, '_-[$£-809]* #,##0.00_-;\\-[$£-809]* #,##0.00_-', '-£1,234.50'],
    [3, '0 "pc', '3'],
  ])('%d in the format %j is shown as %s', (value, format, text) => {
    expect(shown(value, format)).toBe(text)
  })

  it('is a date four years later when the workbook counts from 1904', () => {
    expect(shown(0, 14, '<workbookPr date1904="1"/>')).toBe('1904-01-01')
    expect(shown(44_195, 14, '<workbookPr date1904="true"/>')).toBe('2024-12-31')
  })
})
