// The documentation's site: `npm run docs` builds it from docs/*.md into dist-docs, and the API reference into dist-docs/api.
// A dead link fails the build.
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
  markdown: {
    html: false,
    anchor: { slugify: githubSlug },
    config: md => md.core.ruler.push('plain-markdown', adaptTokens),
  },
  vite: { build: { chunkSizeWarningLimit: 2_000 } },
  themeConfig: {
    search: { provider: 'local' },
    nav: [{ text: 'API', link: '/api/index.html', target: '_self' }],
    outline: { level: [2, 3] },
    sidebar: [
      ...groupsOfIndex(),
      { text: 'Decisions', collapsed: true, items: pagesOf('decisions') },
      { text: 'Extending', collapsed: true, items: pagesOf('extending') },
    ],
    ...(repository === undefined ? {} : { socialLinks: [{ icon: 'github', link: repository }] }),
  },
})

/** Makes the same anchors as GitHub, so that links to headings work in both places. */
function githubSlug(text) {
  return text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\s_-]/gu, '')
    .replace(/\s/g, '-')
}

/** The sidebar: each section of index.md is a group, each page that it links to is an item, in that order. */
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
  return { text: titleOf(join(docs, page)), link: `/${page.replace(/\.md$/, '')}` }
}

function titleOf(path) {
  return /^# (.+)$/m.exec(readFileSync(path, 'utf8'))?.[1] ?? relative(docs, path)
}

function adaptTokens({ tokens, env }) {
  for (const { children } of tokens) {
    for (const [at, token] of (children ?? []).entries()) {
      if (token.type === 'code_inline') token.attrSet('v-pre', '')
      if (token.type === 'link_open') rewriteLink(token, children[at + 1], env.path)
    }
  }
}

/** Turns a link to a file or folder that the site lacks into a link to the repository. Throws when there is no such file. */
function rewriteLink(token, text, page) {
  const href = token.attrGet('href')
  if (/^(?:[a-z]+:|#)/i.test(href)) return
  const target = join(dirname(page), decodeURI(href.replace(/[#?].*$/, '')))
  const isOnSite = !relative(docs, target).startsWith('..') && target.endsWith('.md')
  if (isOnSite) {
    // In the repository, links show file names. Readers of the site do not see files.
    if (/^[\w/-]+\.md$/.test(text.content) && existsSync(target)) text.content = `“${titleOf(target)}”`
    return
  }
  if (!existsSync(target)) throw new Error(`${relative(root, page)}: the link to ${href} is dead.`)
  if (repository !== undefined) {
    const kind = statSync(target).isDirectory() ? 'tree' : 'blob'
    token.attrSet('href', `${repository}/${kind}/main/${relative(root, target)}`)
    return
  }
  token.attrs = token.attrs.filter(([name]) => name !== 'href')
}
