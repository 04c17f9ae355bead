import type { AskedTemplate } from './asked-template.ts'

type HeadingLanguage = 'markdown' | 'latex' | 'org'

interface DocumentSyntax {
  /** Returns the level of a heading, 1 for the highest; null for any other line. */
  level(line: string): number | null
  /** The first group that is not empty is the bold text. */
  readonly bold: RegExp
  readonly image: RegExp
  readonly images: string
}

const latexLevels = ['section', 'subsection', 'subsubsection', 'paragraph', 'subparagraph']

const syntaxes: Readonly<Record<HeadingLanguage, DocumentSyntax>> = {
  markdown: {
    level: line => /^(#+) /.exec(line)?.[1]?.length ?? null,
    bold: /\*\*(.+?)\*\*/g,
    image: /!\[[^\]]*\]\((\S+?)[\s)]/g,
    images: 'image',
  },
  latex: {
    level: line => {
      const name = /^\\(\w+)\{/.exec(line)?.[1] ?? ''
      return latexLevels.includes(name) ? latexLevels.indexOf(name) + 1 : null
    },
    bold: /\\textbf\{(.+?)\}/g,
    image: /\\includegraphics(?:\[[^\]]*\])?\{(.+?)\}/g,
    images: 'figure',
  },
  org: {
    level: line => /^(\*+) /.exec(line)?.[1]?.length ?? null,
    bold: /\*(.+?)\*/g,
    image: /\[\[(.+?)\]\]/g,
    images: 'image',
  },
}

/** Answers a question about a document with headings. Lists are in the order of the document. */
export function solveDocument(
  language: HeadingLanguage,
  { template, parameters, reference }: AskedTemplate,
): string | null {
  const syntax = syntaxes[language]
  const lines = reference.trim().split('\n')
  if (template === 1) return findSection(lines, readPath(parameters), syntax.level)
  const text = lines.filter(line => syntax.level(line) === null).join('\n')
  const excerpts = [...text.matchAll(template === 0 ? syntax.bold : syntax.image)].map(match => match[1]!)
  if (excerpts.length > 0) return excerpts.join('\n')
  return template === 0
    ? 'No bold texts presented in file.'
    : `No ${syntax.images} file is included in the file.`
}

/** Returns the numbers of a section from the outermost to the innermost. */
function readPath(parameters: readonly (string | undefined)[]): number[] {
  return parameters
    .filter(number => number !== undefined)
    .map(Number)
    .reverse()
}

/** Returns the section at a path with all below it; null when the document has no such section. */
function findSection(
  lines: readonly string[],
  path: readonly number[],
  level: DocumentSyntax['level'],
): string | null {
  let part: readonly string[] = lines
  for (const [at, number] of path.entries()) {
    const from = at === 0 ? 0 : 1
    const starts = part.flatMap((line, index) => (index >= from && level(line) === at + 1 ? [index] : []))
    const start = starts[number - 1]
    if (start === undefined) return null
    const end = part.findIndex((line, index) => index > start && (level(line) ?? at + 2) <= at + 1)
    part = part.slice(start, end < 0 ? part.length : end)
  }
  return part.join('\n')
}
