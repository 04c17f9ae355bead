import { deflateSync } from 'node:zlib'

const page = { width: 612, height: 792, margin: 40, leading: 12.5 }
const linesAPage = Math.floor((page.height - 2 * page.margin) / page.leading)
const largestSize = 9.5
const smallestSize = 5

/**
 * Writes a text as a simple PDF, one line of text per line. Table cells (separated by tabs or ` | `) are spaced
 * apart. Latin and CJK text uses a font that PDF readers provide, with a Unicode map, so that the text can be
 * extracted. The same text always produces the same bytes.
 */
export function writePdf(text: string, title: string): Uint8Array {
  const lines = text.split(/\r?\n|\f/).flatMap(wrapLine)
  const pages: string[] = []
  for (let at = 0; at < Math.max(1, lines.length); at += linesAPage) {
    pages.push(writePageContent(lines.slice(at, at + linesAPage)))
  }
  return assemble(pages, title)
}

interface WrittenLine {
  readonly cells: readonly string[]
  readonly size: number
}

function wrapLine(line: string): WrittenLine[] {
  const cells = line
    .trim()
    .split(/\t| \| /)
    .map(cell => cell.trim())
  const ems = cells.reduce((sum, cell) => sum + computeEmWidth(cell), 0) + 2 * (cells.length - 1)
  const size = Math.min(largestSize, (page.width - 2 * page.margin) / Math.max(1, ems))
  if (size >= smallestSize || cells.length > 1) return [{ cells, size }]
  return breakLine(cells[0] ?? '', (page.width - 2 * page.margin) / largestSize).map(part => ({
    cells: [part],
    size: largestSize,
  }))
}

function breakLine(text: string, ems: number): string[] {
  const parts: string[] = []
  let part = ''
  let width = 0
  for (const word of text.match(/[\p{Script=Han}]|[^\s\p{Script=Han}]+\s*|\s+/gu) ?? []) {
    if (width + computeEmWidth(word) > ems && part !== '') {
      parts.push(part.trimEnd())
      part = ''
      width = 0
    }
    part += word
    width += computeEmWidth(word)
  }
  return part === '' ? parts : [...parts, part]
}

function computeEmWidth(text: string): number {
  let width = 0
  for (const character of text) width += character.codePointAt(0)! < 0x2e80 ? 0.5 : 1
  return width
}

function writePageContent(lines: readonly WrittenLine[]): string {
  const parts = ['BT']
  lines.forEach((line, row) => {
    let x = page.margin
    const y = page.height - page.margin - row * page.leading
    for (const cell of line.cells) {
      if (cell !== '') {
        parts.push(
          `/F1 ${line.size.toFixed(2)} Tf 1 0 0 1 ${x.toFixed(2)} ${y.toFixed(2)} Tm <${encodeUtf16(cell)}> Tj`,
        )
      }
      x += (computeEmWidth(cell) + 2) * line.size
    }
  })
  return [...parts, 'ET'].join('\n')
}

function encodeUtf16(text: string): string {
  // A two-byte font has no characters beyond the basic plane.
  const basic = text.replace(/[\u{10000}-\u{10ffff}]/gu, '□')
  return Buffer.from(basic, 'utf16le').swap16().toString('hex')
}

const unicodeMap = (() => {
  const ranges = Array.from({ length: 256 }, (_unused, high) => {
    const hex = high.toString(16).padStart(2, '0')
    return `<${hex}00> <${hex}ff> <${hex}00>`
  })
  const blocks: string[] = []
  for (let at = 0; at < ranges.length; at += 100) {
    const block = ranges.slice(at, at + 100)
    blocks.push(`${block.length} beginbfrange\n${block.join('\n')}\nendbfrange`)
  }
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
${blocks.join('\n')}
endcmap CMapName currentdict /CMap defineresource pop end end`
})()

function assemble(pages: readonly string[], title: string): Uint8Array {
  const first = 8
  const kids = pages.map((_content, index) => `${first + 2 * index} 0 R`).join(' ')
  const objects: (string | Buffer)[] = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type0 /BaseFont /STSong-Light /Encoding /UniGB-UTF16-H /DescendantFonts [4 0 R] /ToUnicode 6 0 R >>',
    '<< /Type /Font /Subtype /CIDFontType0 /BaseFont /STSong-Light /CIDSystemInfo << /Registry (Adobe) /Ordering (GB1) /Supplement 4 >> /DW 1000 /W [1 95 500] /FontDescriptor 5 0 R >>',
    '<< /Type /FontDescriptor /FontName /STSong-Light /Flags 6 /FontBBox [-25 -254 1000 880] /ItalicAngle 0 /Ascent 880 /Descent -120 /CapHeight 880 /StemV 93 >>',
    stream(Buffer.from(unicodeMap, 'latin1')),
    `<< /Title <feff${encodeUtf16(title)}> >>`,
    ...pages.flatMap((content, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${page.width} ${page.height}] /Resources << /Font << /F1 3 0 R >> >> /Contents ${first + 2 * index + 1} 0 R >>`,
      stream(Buffer.from(content, 'latin1')),
    ]),
  ]
  const parts: Buffer[] = [Buffer.from('%PDF-1.5\n%\xe2\xe3\xcf\xd3\n', 'latin1')]
  let size = parts[0]!.length
  const offsets = objects.map((object, index) => {
    const offset = size
    const body = Buffer.concat([
      Buffer.from(`${index + 1} 0 obj\n`),
      typeof object === 'string' ? Buffer.from(object, 'latin1') : object,
      Buffer.from('\nendobj\n'),
    ])
    parts.push(body)
    size += body.length
    return offset
  })
  const table = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const count = objects.length + 1
  const trailer = `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<< /Size ${count} /Root 1 0 R /Info 7 0 R >>\nstartxref\n${size}\n%%EOF\n`
  return Buffer.concat([...parts, Buffer.from(trailer)])
}

function stream(content: Buffer): Buffer {
  const packed = deflateSync(content)
  const head = Buffer.from(`<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`)
  return Buffer.concat([head, packed, Buffer.from('\nendstream')])
}
