import type { CorpusEntry } from './corpus.ts'

/** Returns a page for a case or another text: its title, and one paragraph per line. */
export function writeDocumentPage(title: string, text: string): string {
  const paragraphs = text
    .split(/\n+/)
    .map(line => line.trim())
    .filter(line => line !== '')
    .map(line => `<p>${escapeHtml(line)}</p>`)
  return writePage(title, `<article><h1>${escapeHtml(title)}</h1>\n${paragraphs.join('\n')}\n</article>`)
}

/** Returns the page that introduces a document: its title, its beginning and a link with its file name. */
export function writeLandingPage(entry: CorpusEntry): string {
  const size = `${Math.max(1, Math.round(entry.bytes / 1024))} KB`
  const body = `<main><h1>${escapeHtml(entry.title)}</h1>
<p>${escapeHtml(entry.snippet)}</p>
<p>Download: <a href="${escapeHtml(entry.url)}">${escapeHtml(entry.name)}</a> (${size})</p>
<p><a href="https://${entry.host}/">${escapeHtml(entry.host)}</a></p></main>`
  return writePage(entry.title, body)
}

const linksAPage = 100

/** Returns a host's front page: links to its documents, 100 per page. */
export function writeHostPage(host: string, entries: readonly CorpusEntry[], number: number): string {
  const from = (number - 1) * linksAPage
  const links = entries
    .slice(from, from + linksAPage)
    .map(
      entry =>
        `<li><a href="${escapeHtml(entry.landingUrl ?? entry.url)}">${escapeHtml(entry.title)}</a></li>`,
    )
  const more = entries.length > from + linksAPage
  const next = more ? `<p><a href="https://${host}/?page=${number + 1}">Next</a></p>` : ''
  return writePage(host, `<main><h1>${escapeHtml(host)}</h1>\n<ul>\n${links.join('\n')}\n</ul>${next}</main>`)
}

/**
 * Returns the server's own front page, for people who open its address in a browser. Virtual addresses never lead
 * here.
 */
export function writeFrontPage(hosts: readonly string[]): string {
  const links = hosts.map(host => `<li><a href="/${escapeHtml(host)}/">${escapeHtml(host)}</a></li>`)
  return writePage('A sealed web', `<main><h1>A sealed web</h1>\n<ul>\n${links.join('\n')}\n</ul></main>`)
}

/** Returns the page for an unknown address. */
export function writeNotFoundPage(): string {
  return writePage('Not found', '<main><h1>404 Not found</h1><p>There is no such page here.</p></main>')
}

function writePage(title: string, body: string): string {
  return `<!doctype html>
<html><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head>
<body>
${body}
</body></html>
`
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
