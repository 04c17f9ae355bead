import { afterEach, expect, it } from 'vitest'
import type { PageRenderer } from '../../tools/page/renderer.ts'
import { createTools } from '../../tools/registry.ts'
import { testEnvironment } from './support/environment.ts'
import { type LocalWeb, localWeb } from './support/local-web.ts'

let web: LocalWeb | null = null
afterEach(async () => {
  await web?.close()
  web = null
})

async function readPage(body: string | Buffer, rendered: string): Promise<string> {
  web = await localWeb(() => ({ headers: { 'content-type': 'text/html' }, body }))
  const renderer: PageRenderer = {
    name: 'fixed',
    render: async ({ url }) => ({ html: rendered, finalUrl: url }),
    open: () => Promise.reject(new Error('not used')),
    release: async () => undefined,
    close: async () => undefined,
  }
  const [tool] = await createTools(['fetch_page'], { ...testEnvironment(), renderer })
  const args = { url: `${web.url}/page` }
  const answer = await tool?.invoke({ type: 'tool_call', id: 'c', name: 'fetch_page', args })
  return String((answer as { content: unknown }).content)
}

it('shows what the scripts of a short page write', async () => {
  expect(await readPage('<p>Loading</p><script>1</script>', '<p>Rooms: 17</p>')).toContain('Rooms: 17')
})

it('keeps the text of a page that a browser shows without text', async () => {
  const text = await readPage('<p>Rooms: 17</p><script>1</script>', '<p></p>')
  expect(text).toContain('Rooms: 17')
  expect(text).toContain('Note: a browser shows no text of this page')
})
