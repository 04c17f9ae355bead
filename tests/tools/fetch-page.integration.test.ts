import type { ToolMessage } from '@langchain/core/messages'
import { afterEach, describe, expect, it } from 'vitest'
import { createTools } from '../../tools/registry.ts'
import type { ToolArtifact } from '../../tools/tool.ts'
import { type TestOptions, testEnvironment } from './support/environment.ts'
import { type LocalAnswer, type LocalRequest, type LocalWeb, localWeb } from './support/local-web.ts'

let web: LocalWeb
afterEach(async () => await web.close())

const html = (body: string, headers = {}): LocalAnswer => ({
  headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  body,
})

async function serve(answer: (request: LocalRequest, nth: number) => LocalAnswer, options: TestOptions = {}) {
  web = await localWeb(answer)
  const environment = testEnvironment(options)
  const [tool] = await createTools(['fetch_page'], environment)
  const fetch = async (
    path: string,
    part?: number,
    more: object = {},
  ): Promise<{ text: string; artifact: ToolArtifact }> => {
    const args = {
      url: path.includes('://') ? path : `${web.url}${path}`,
      ...(part === undefined ? {} : { part }),
      ...more,
    }
    const message = (await tool?.invoke({
      type: 'tool_call',
      id: 'c',
      name: 'fetch_page',
      args,
    })) as ToolMessage
    return { text: String(message.content), artifact: message.artifact as ToolArtifact }
  }
  return { environment, fetch }
}

const paragraph =
  'The court heard the parties and found that the contract of sale had been broken by the seller. '

describe('fetch_page', () => {
  it('returns title, Markdown, table rows and numbered absolute links', async () => {
    const { environment, fetch } = await serve(() =>
      html(`<title>Annual report</title><script>var hidden = 1</script><h1>Figures</h1>
        <p>See the <a href="/files/report.pdf">full report</a> and the <a href="other#x">notes</a>.</p>
        <table><tr><th>Item</th><th>2023</th></tr><tr><td>Revenue</td><td>1,234</td></tr></table>`),
    )
    const { text, artifact } = await fetch('/docs/page')
    expect(text).toContain(`URL: ${web.url}/docs/page\nTitle: Annual report\nPart 1 of 1`)
    expect(text).toContain('See the full report [1] and the notes [2].')
    expect(text).toContain('| Item | 2023 |\n| --- | --- |\n| Revenue | 1,234 |')
    expect(text).toContain(`Links:\n[1] ${web.url}/files/report.pdf\n[2] ${web.url}/docs/other#x`)
    expect(text).not.toContain('hidden')
    const [seen] = artifact.observations
    expect(seen).toMatchObject({ kind: 'body', contentType: 'text/html', shown: [1], total: 1 })
    expect(seen?.kind === 'body' && environment.texts.get(seen.textSha256 ?? '')).toContain(
      'full report and the notes.',
    )
  })

  it('drops what surrounds an article but still lists its links', async () => {
    const menu =
      '<nav><ul><li><a href="/about">About us</a></li><li><a href="/x.pdf">Files</a></li></ul></nav>'
    const { fetch } = await serve(() =>
      html(`<html><title>A case</title><body>${menu}<article><h1>A case</h1><p>${paragraph.repeat(4)}</p>
        <p>${paragraph.repeat(4)}</p></article><footer>All rights reserved</footer></body></html>`),
    )
    const { text } = await fetch('/')
    const [main = ''] = text.split('Other links on the page:')
    expect(main).not.toContain('About us')
    expect(text).toMatch(
      /Other links on the page:\n\[\d\] http:\S+\/x\.pdf Files\n\[\d\] http:\S+\/about About us/,
    )
  })

  it('keeps a table outside the article', async () => {
    const rows = Array.from({ length: 9 }, (_, n) => `<tr><td>Item ${n}</td><td>${n}00</td></tr>`).join('')
    const { fetch } = await serve(() =>
      html(`<html><body><article><p>${paragraph.repeat(6)}</p><p>${paragraph.repeat(6)}</p></article>
        <aside class="sidebar"><table>${rows}</table></aside></body></html>`),
    )
    expect((await fetch('/')).text).toContain('| Item 8 | 800 |')
  })

  it('repeats a cell that spans rows, and treats a table around tables as layout', async () => {
    const { fetch } = await serve(() =>
      html(`<table><tr><td><p>Left column</p></td><td><table>
        <tr><td rowspan="2">2023</td><td>Revenue</td><td></td><td>5</td></tr><tr><td>Profit</td><td></td><td>3</td></tr>
        </table></td></tr></table>`),
    )
    const { text } = await fetch('/')
    expect(text).toContain('| 2023 | Revenue | 5 |\n| --- | --- | --- |\n| 2023 | Profit | 3 |')
    expect(text).toContain('Left column')
    expect(text).not.toContain('| Left column')
  })

  it('joins currency signs, brackets and percent signs to their figures, in the right column', async () => {
    const { fetch } = await serve(() =>
      html(`<table><tr><th></th><th colspan="3">2024</th><th></th><th colspan="3">2023</th></tr>
        <tr><td>Revenue</td><td>$</td><td>1,234</td><td></td><td></td><td>$</td><td>987</td><td></td></tr>
        <tr><td>Loss</td><td colspan="2">(56</td><td>)</td><td></td><td colspan="2">(7</td><td>)</td></tr></table>`),
    )
    expect((await fetch('/')).text).toContain(
      '|  | 2024 | 2023 |\n| --- | --- | --- |\n| Revenue | $ 1,234 | $ 987 |\n| Loss | (56) | (7) |',
    )
  })

  it('returns long pages in parts with complete rows', async () => {
    const rows = Array.from({ length: 3000 }, (_, n) => `<tr><td>Row ${n}</td><td>value ${n}</td></tr>`).join(
      '',
    )
    const { environment, fetch } = await serve(() => html(`<title>Long</title><table>${rows}</table>`))
    const first = await fetch('/long')
    const total = Number(/Part 1 of (\d+)/.exec(first.text)?.[1])
    expect(total).toBeGreaterThan(2)
    expect(first.artifact.truncated).toBe(true)
    expect(first.text).toContain('[continues: call fetch_page with part 2]')
    const parts = [first.text]
    for (let part = 2; part <= total; part += 1) parts.push((await fetch('/long', part)).text)
    for (let n = 0; n < 3000; n += 1) expect(parts.join('\n')).toContain(`\n| Row ${n} | value ${n} |`)
    expect(web.requests).toHaveLength(1)
    expect(environment.charged).toHaveLength(1)
    await expect(fetch('/long', total + 1)).rejects.toMatchObject({ errorClass: 'bad-input' })
  })

  it.each([
    ['gb18030 by the header', 'text/html; charset=gb2312', '', gbk()],
    ['gbk by the meta tag', 'text/html', '<meta charset="gbk">', gbk()],
    ['gbk by its characters', 'text/html', '', gbk()],
    ['gbk though the header says utf-8', 'text/html; charset=utf-8', '', gbk()],
    ['big5 by its characters', 'text/html', '', big5()],
    ['big5 by the header', 'text/html; charset=big5', '', big5()],
    ['utf-8 though nothing says so', 'text/html', '', Buffer.from('公司的资产总额为一百万元')],
  ])('reads %s', async (_, contentType, meta, bytes) => {
    const { fetch } = await serve(() => ({
      headers: { 'content-type': contentType },
      body: Buffer.concat([
        Buffer.from(`<html><head>${meta}</head><body><p>`),
        bytes,
        Buffer.from('</p></body></html>'),
      ]),
    }))
    expect((await fetch('/')).text).toMatch(/公司的(资产总额|資產總額)/)
  })

  it.each([
    [
      '被告人吴某犯诈骗罪，判处有期徒刑三年。',
      'b1bbb8e6c8cbcee2c4b3b7b8d5a9c6add7efa3acc5d0b4a6d3d0c6dacdbdd0ccc8fdc4eaa1a3',
    ],
    ['대한민국의 주권은 국민에게 있다.', 'b4ebc7d1b9ceb1b9c0c720c1d6b1c7c0ba20b1b9b9cebfa1b0d420c0d6b4d92e'],
  ])('detects the charset of %s when nothing declares it', async (sentence, hex) => {
    const { fetch } = await serve(() => ({
      headers: { 'content-type': 'text/html' },
      body: Buffer.concat([Buffer.from('<html><body><p>'), Buffer.from(hex, 'hex')]),
    }))
    expect((await fetch('/')).text).toContain(sentence)
  })

  it('follows redirects and reports the final address', async () => {
    const { fetch } = await serve(request =>
      request.path === '/old' ? { status: 302, headers: { location: '/new/' } } : html('<p>Moved here</p>'),
    )
    const { text, artifact } = await fetch('/old')
    expect(text).toContain(`URL: ${web.url}/new/`)
    expect(artifact.observations[0]).toMatchObject({ url: `${web.url}/old`, finalUrl: `${web.url}/new/` })
  })

  it('downloads a page once per attempt and does not charge repeats', async () => {
    const { environment, fetch } = await serve(() => html('<p>Text</p>'))
    await Promise.all([fetch('/a'), fetch('/a#there')])
    await fetch('/a')
    expect(web.requests).toHaveLength(1)
    expect(environment.charged).toEqual([`fetchCalls fetch: ${web.url}/a`])
  })

  it('retries 429 and 5xx twice, charges each request, then reports the status as an infrastructure failure', async () => {
    const { environment, fetch } = await serve(() => ({ status: 503, headers: { 'retry-after': '2' } }))
    await expect(fetch('/')).rejects.toMatchObject({
      name: 'ToolError',
      errorClass: 'http-status',
      infrastructure: true,
      message: expect.stringContaining('503'),
    })
    expect(environment.charged).toHaveLength(3)
    expect(environment.sleeps).toEqual([2_000, 2_000])
  })

  it('does not retry a 404', async () => {
    const { environment, fetch } = await serve(() => ({ status: 404 }))
    await expect(fetch('/')).rejects.toMatchObject({ errorClass: 'http-status', infrastructure: false })
    expect(environment.charged).toHaveLength(1)
  })

  it.each([
    ['ftp://example.com/a', 'blocked'],
    ['file:///etc/passwd', 'blocked'],
    ['javascript:alert(1)', 'blocked'],
    ['example.com/a', 'bad-input'],
  ])('refuses %s without a request or a charge', async (url, errorClass) => {
    const { environment } = await serve(() => html(''))
    const [tool] = await createTools(['fetch_page'], environment)
    await expect(tool?.invoke({ url })).rejects.toMatchObject({ errorClass })
    expect(environment.charged).toHaveLength(0)
  })

  it('returns plain text, JSON and Markdown unchanged', async () => {
    const { fetch } = await serve(request => ({
      headers: { 'content-type': request.path === '/a.json' ? 'application/json' : 'text/plain' },
      body: request.path === '/a.json' ? '{"revenue": 5}' : '# Title\n\n| a | b |\n<p>kept as it is',
    }))
    expect((await fetch('/a.json')).text).toContain('{"revenue": 5}')
    expect((await fetch('/a.md')).text).toContain('| a | b |\n<p>kept as it is')
  })

  it.each(['text/plain', 'text/markdown'])(
    'returns a README that begins with a tag unchanged, as %s',
    async type => {
      const body = '<p align="center">Logo</p>\n\nUse `<template>` here.\n\n| Revenue |\n| 1,234 |'
      const { fetch } = await serve(() => ({ headers: { 'content-type': type }, body }))
      expect((await fetch('/README.md')).text).toContain(body)
    },
  )

  it('returns a feed unchanged, including titles and CDATA sections', async () => {
    const feed = '<?xml version="1.0"?><rss><title>News</title><item><title>Sold 1,234</title></item></rss>'
    const { fetch } = await serve(() => ({ headers: { 'content-type': 'text/xml' }, body: feed }))
    expect((await fetch('/feed')).text).toContain(feed)
  })

  it('reads XHTML served as XML', async () => {
    const page = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><p>Sold</p></html>'
    const { fetch } = await serve(() => ({ headers: { 'content-type': 'application/xml' }, body: page }))
    expect((await fetch('/page')).text).toMatch(/\n\nSold$/)
  })

  it('reads a page in UTF-16', async () => {
    const body = Buffer.from('\ufeff<html><body><p>净利润 1,234</p></body></html>', 'utf16le')
    const { fetch } = await serve(() => ({ headers: { 'content-type': 'text/html' }, body }))
    expect((await fetch('/')).text).toContain('净利润 1,234')
  })

  it('reads a page with a stray zero byte', async () => {
    const { fetch } = await serve(() => html(`<p>${paragraph.repeat(3)}</p><p>Revenue 1,2\u000034</p>`))
    expect((await fetch('/')).text).toContain('Revenue 1,234')
  })

  it('names the target of an automatic redirect', async () => {
    const refresh = '<meta http-equiv="Refresh" content="0; URL=\'/new\'">'
    const { fetch } = await serve(() => html(`<html><head>${refresh}</head><body>Moved</body></html>`))
    expect((await fetch('/old')).text).toMatch(/redirects to \[1\]\s*Moved\s+Links:\n\[1\] http:\S+\/new$/)
  })

  it('never returns bytes as text', async () => {
    const { fetch } = await serve(() => ({
      headers: { 'content-type': 'image/png' },
      body: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
    }))
    const { text, artifact } = await fetch('/a.png')
    expect(text).toContain('the file contains no text (image/png, 16 bytes)')
    expect(text).not.toContain('PNG\r')
    expect(artifact.observations[0]).toMatchObject({ textSha256: null, shown: [] })
  })

  it('reports that a page is written by JavaScript', async () => {
    const { fetch } = await serve(() =>
      html('<title>App</title><div id="root"></div><script src="/app.js"></script>'),
    )
    expect((await fetch('/')).text).toMatch(/Note: .*JavaScript/)
  })

  it('reads a page of unclosed tags at any nesting depth', async () => {
    const lines = Array.from({ length: 5_000 }, (_, index) => `<div>line ${index} of the register`)
    const { fetch } = await serve(() => html(lines.join('\n')))
    const { text, artifact } = await fetch('/register')
    expect(text).toMatch(/line 0 of the register\s+line 1 of the register/)
    expect(artifact.truncated).toBe(true)
    const last = await fetch('/register', Number(/Part 1 of (\d+)/.exec(text)?.[1]))
    expect(last.text).toMatch(/line 4998 of the register\s+line 4999 of the register/)
  })

  it('does not fetch the target of a redirect to a page fragment again', async () => {
    const { environment, fetch } = await serve(request =>
      request.path === '/old' ? { status: 302, headers: { location: '/new#part' } } : html('<p>Here</p>'),
    )
    await fetch('/old')
    expect((await fetch('/new')).text).toContain('Here')
    expect(environment.charged).toHaveLength(1)
  })

  it('reports an empty page', async () => {
    const { fetch } = await serve(() => ({ body: '' }))
    expect((await fetch('/')).text).toContain('Note: the page is empty')
  })

  it('returns the passages around words with the top of their table, in every part', async () => {
    const rows = Array.from({ length: 900 }, (_, n) => `<tr><td>Line ${n}</td><td>${n}</td></tr>`).join('')
    const { fetch } = await serve(() =>
      html(`<title>10-Q</title><p>${paragraph.repeat(150)}</p>
        <table><tr><th>Item</th><th>2023</th></tr>${rows}<tr><td>Net <a href="/n">income</a></td><td>4,321</td></tr></table>`),
    )
    const { text, artifact } = await fetch('/', undefined, { find: 'net income' })
    expect(text).toContain('Title: 10-Q\nFound in parts 1-2 of 2:\n"net income": parts 2')
    expect(text).toContain('| Net income [1] | 4,321 |')
    expect(text).toContain('| Item | 2023 |')
    expect(text).toContain(`Links:\n[1] ${web.url}/n`)
    expect(text).not.toContain('The court heard')
    expect(artifact.observations[0]).toMatchObject({ kind: 'body', shown: [2], total: 2 })
    const first = await fetch('/', 1, { find: ['net income', 'contract of sale'] })
    expect(first.text).toContain(
      'Found in parts 1-1 of 2:\n"net income": not found\n"contract of sale": parts 1',
    )
    await expect(fetch('/', 3, { find: ['a'] })).rejects.toThrow('part 3 does not exist')
  })

  it('names the arguments that it ignores', async () => {
    const { fetch } = await serve(() => html('<p>Word</p>'))
    const { text } = await fetch('/', undefined, { pages: '3-7', wait: 5 })
    expect(text).toMatch(
      /\[Ignored arguments: pages, wait\. fetch_page takes url \(text\), part \(whole number, optional\), view \(text, optional\), find \(list, optional\)\.\]$/,
    )
  })
})

/** 公司的资产总额为一百万元 in GBK. */
function gbk(): Buffer {
  return Buffer.from('b9abcbbeb5c4d7cab2fad7dcb6eecec2d2bbb0d9cdf2d4aa', 'hex')
}

/** 公司的資產總額 in Big5. */
function big5(): Buffer {
  return Buffer.from('a4bda571aabab8eab2a3c160c342', 'hex')
}
