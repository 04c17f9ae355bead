import { writeZip } from '../../src/system/zip-writer.ts'

const transitional = {
  w: 'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
  m: 'http://schemas.openxmlformats.org/officeDocument/2006/math',
  r: 'http://schemas.openxmlformats.org/officeDocument/2006/relationships',
  wp: 'http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing',
  a: 'http://schemas.openxmlformats.org/drawingml/2006/main',
  pic: 'http://schemas.openxmlformats.org/drawingml/2006/picture',
  c: 'http://schemas.openxmlformats.org/drawingml/2006/chart',
}
const strict: typeof transitional = Object.fromEntries(
  Object.entries({
    w: 'wordprocessingml/main',
    m: 'officeDocument/math',
    r: 'officeDocument/relationships',
    wp: 'drawingml/wordprocessingDrawing',
    a: 'drawingml/main',
    pic: 'drawingml/picture',
    c: 'drawingml/chart',
  }).map(([prefix, path]) => [prefix, `http://purl.oclc.org/ooxml/${path}`]),
) as typeof transitional
const others = {
  mc: 'http://schemas.openxmlformats.org/markup-compatibility/2006',
  wps: 'http://schemas.microsoft.com/office/word/2010/wordprocessingShape',
  v: 'urn:schemas-microsoft-com:vml',
  o: 'urn:schemas-microsoft-com:office:office',
}

/** Parts of a Word document besides its body, by their kind: `styles`, `footnotes`, `header`, `footer`, `settings`. */
export interface WordParts {
  readonly parts?: Readonly<Record<string, string>>
  readonly isStrict?: boolean
  readonly main?: string
  /** Changes every XML text. */
  readonly rewrite?: (xml: string) => string
}

/** Returns a Word document with the XML of a body. The relationship of a part has the part's kind as its id. */
export function wordDocument(
  body: string,
  { parts = {}, isStrict = false, main = 'word/document.xml', rewrite = xml => xml }: WordParts = {},
): Buffer {
  const namespaces = { ...(isStrict ? strict : transitional), ...others }
  const declared = Object.entries(namespaces)
    .map(([prefix, uri]) => ` xmlns:${prefix}="${uri}"`)
    .join('')
  const relationships = (links: readonly (readonly [string, string])[]) =>
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${links
      .map(
        ([kind, target]) => `<Relationship Id="${kind}" Type="${namespaces.r}/${kind}" Target="${target}"/>`,
      )
      .join('')}</Relationships>`
  const slash = main.lastIndexOf('/') + 1
  const roots: Readonly<Record<string, string>> = { header: 'hdr', footer: 'ftr' }
  const files: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>`,
    '_rels/.rels': relationships([['officeDocument', main]]),
    [main]: `<w:document${declared}><w:body>${body}</w:body></w:document>`,
    [`${main.slice(0, slash)}_rels/${main.slice(slash)}.rels`]: relationships(
      Object.keys(parts).map(kind => [kind, `/parts/${kind}.xml`]),
    ),
  }
  for (const [kind, content] of Object.entries(parts)) {
    const root = `w:${roots[kind] ?? kind}`
    files[`parts/${kind}.xml`] = `<${root}${declared}>${content}</${root}>`
  }
  return writeZip(Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, rewrite(xml)])))
}

/** Returns the XML of a run. */
export function run(text: string, properties = ''): string {
  return `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
}

/** Returns the XML of a paragraph of runs. */
export function block(...runs: string[]): string {
  return `<w:p>${runs.join('')}</w:p>`
}

/** Returns the XML of a run of an equation. */
export function mathRun(text: string): string {
  return `<m:r><m:t>${text}</m:t></m:r>`
}
