/** The parts of a LaTeX table that Struc-Bench compares. */
export interface LatexTable {
  readonly alignment: string
  readonly rows: readonly (readonly string[])[]
  readonly caption: string
}

/** Reads the first tabular of a text (also tabular*, tabularx and longtable), without rules, macros and comments. */
export function latexTable(source: string): LatexTable {
  const text = source.replace(/(?<!\\)%.*$/gm, '')
  const begin = /\\begin\{(tabular\*?|tabularx|longtable|array)\}\s*/.exec(text)
  const captionAt = text.search(/\\caption\b/)
  const caption = captionAt < 0 ? '' : plainText(groupAt(text, text.indexOf('{', captionAt))?.body ?? '')
  if (begin === null) return { alignment: '', rows: [], caption }
  let at = begin.index + begin[0].length
  let alignment = groupAfter(text, at)
  // tabular* and tabularx start with a width.
  if (begin[1] === 'tabular*' || begin[1] === 'tabularx') alignment = groupAfter(text, alignment?.end ?? at)
  at = alignment?.end ?? at
  const end = text.indexOf(`\\end{${begin[1]}}`, at)
  const body = text.slice(at, end < 0 ? undefined : end)
  return { alignment: withoutGroups(alignment?.body ?? ''), rows: rowsOf(body), caption }
}

interface Group {
  readonly body: string
  readonly end: number
}

/** The group at the next brace; square brackets before it are skipped. */
function groupAfter(text: string, start: number): Group | null {
  const skipped = /^\s*(?:\[[^\]]*\]\s*)?/.exec(text.slice(start, start + 1000))?.[0].length ?? 0
  return groupAt(text, start + skipped)
}

function groupAt(text: string, start: number): Group | null {
  if (text[start] !== '{') return null
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '{') depth += 1
    else if (text[at] === '}' && (depth -= 1) === 0) return { body: text.slice(start + 1, at), end: at + 1 }
  }
  return null
}

/** Reduces p{2cm} to p. */
function withoutGroups(text: string): string {
  let inner = text
  while (/\{[^{}]*\}/.test(inner)) inner = inner.replace(/\{[^{}]*\}/g, '')
  return inner.replace(/\s+/g, '')
}

function rowsOf(body: string): string[][] {
  const rows: string[][] = []
  for (const line of body.split(/\\\\(?:\[[^\]]*\])?|\\tabularnewline\b/)) {
    const cells = line
      .replace(
        /\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot)\b|\\(?:cline|cmidrule)(?:\([^)]*\))?\{[^}]*\}/g,
        '',
      )
      .split(/(?<!\\)&/)
      .map(plainText)
    if (cells.some(cell => cell !== '')) rows.push(cells)
  }
  return rows
}

/** Removes macros but keeps their arguments, except for the numbers of \multicolumn and \multirow. */
function plainText(text: string): string {
  return text
    .replace(/\\multicolumn\s*\{[^{}]*\}\s*\{[^{}]*\}|\\multirow\s*\{[^{}]*\}\s*\{[^{}]*\}/g, '')
    .replace(/\\([&%$#_{}])/g, '\u0000$1')
    .replace(/\\[a-zA-Z]+\*?(?:\[[^\]]*\])?/g, '')
    .replace(/(?<!\u0000)[{}$]/g, '')
    .replaceAll('\u0000', '')
    .replaceAll('~', ' ')
    .replace(/\s+/g, ' ')
    .trim()
}
