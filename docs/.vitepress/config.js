// The documentation's site: `npm run docs` builds it from docs/*.md into dist-docs. A dead link fails the build.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'

const docs = fileURLToPath(new URL('..', import.meta.url))
const root = join(docs, '..')

/** Where links to files outside docs/ point, such as https://github.com/OWNER/NAME. Without it they are plain text. */
const repository = process.env.DOCS_REPOSITORY

export default defineConfig({
  title: 'Tablehunt',
  description: 'Evaluates how well language models build tables when they must first find the documents',
  base: process.env.DOCS_BASE ?? '/',
  outDir: '../dist-docs',
  cacheDir: '../node_modules/.cache/vitepress',
  // Pages are plain Markdown: no HTML, and braces are text.
  markdown: { html: false, config: md => md.core.ruler.push('plain-markdown', adaptTokens) },
  vite: { build: { chunkSizeWarningLimit: 2_000 } },
  themeConfig: {
    search: { provider: 'local' },
    outline: { level: [2, 3] },
    sidebar: [
      ...groupsOfIndex(),
      { text: 'Decisions', collapsed: true, items: pagesOf('decisions') },
      { text: 'Extending', collapsed: true, items: pagesOf('extending') },
    ],
    ...(repository === undefined ? {} : { socialLinks: [{ icon: 'github', link: repository }] }),
  },
})

/** The sidebar: each section of index.md is a group, each page that it links to is an item. */
function groupsOfIndex() {
  const [, ...sections] = readFileSync(join(docs, 'index.md'), 'utf8').split(/^## /m)
  return sections.map(section => {
    const pages = [...section.matchAll(/\]\(([\w-]+\.md)\)/g)].map(hit => hit[1])
    return { text: section.split('\n', 1)[0], items: [...new Set(pages)].map(itemOf) }
  })
}

function pagesOf(folder) {
  if (!existsSync(join(docs, folder))) return []
  const names = readdirSync(join(docs, folder)).filter(name => name.endsWith('.md'))
  return names.sort().map(name => itemOf(`${folder}/${name}`))
}

function itemOf(page) {
  const title = /^# (.+)$/m.exec(readFileSync(join(docs, page), 'utf8'))?.[1] ?? page
  return { text: title, link: `/${page.replace(/\.md$/, '')}` }
}

function adaptTokens({ tokens, env }) {
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type === 'link_open') rewriteLink(token, env.path)
    if (token.type === 'code_inline') token.attrSet('v-pre', '')
  }
}

/** Turns a link to a file or folder that the site lacks into a link to the repository. Throws when there is no such file. */
function rewriteLink(token, page) {
  const href = token.attrGet('href')
  if (/^(?:[a-z]+:|#)/i.test(href)) return
  const target = join(dirname(page), decodeURI(href.replace(/[#?].*$/, '')))
  const isOnSite = !relative(docs, target).startsWith('..') && target.endsWith('.md')
  if (isOnSite) return
  if (!existsSync(target)) throw new Error(`${relative(root, page)}: the link to ${href} is dead.`)
  if (repository !== undefined) {
    const kind = statSync(target).isDirectory() ? 'tree' : 'blob'
    token.attrSet('href', `${repository}/${kind}/main/${relative(root, target)}`)
    return
  }
  token.attrs = token.attrs.filter(([name]) => name !== 'href')
}
