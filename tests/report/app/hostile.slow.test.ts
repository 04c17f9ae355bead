import fc from 'fast-check'
import { parseHTML } from 'linkedom'
import { h, render } from 'preact'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { App } from '../../../src/report/app/app.tsx'
import { readPageData } from '../../../src/report/app/read-page.ts'
import { writePageJson } from '../../../src/report/figures/escape-html.ts'
import { renderHtml } from '../../../src/report/html/html.ts'
import { hostileTexts, reportWith } from '../hostile-report.ts'

vi.mock('../../../src/report/html/app-files.ts', () => ({
  appFiles: async () => ({ script: 'app', style: 'style' }),
}))

const text = fc
  .array(fc.oneof(fc.constantFrom(...hostileTexts), fc.string({ unit: 'binary' })), {
    minLength: 1,
    maxLength: 5,
  })
  .map(parts => parts.join(''))

/** Elements that could run code, load something or change the page's style. */
const forbidden = 'script,style,link,img,image,iframe,object,embed,base,meta,form,foreignObject,audio,video'

/** Calls the listeners that the app has attached to the window. */
let listeners: Map<string, Set<() => void>>

describe('a page with hostile texts', () => {
  beforeAll(() => {
    // They stay after the tests: the app calls them until its last effect has run.
    listeners = new Map()
    const nothing = (): void => {}
    vi.stubGlobal('addEventListener', (name: string, listener: () => void) =>
      listeners.set(name, (listeners.get(name) ?? new Set()).add(listener)),
    )
    vi.stubGlobal('removeEventListener', (name: string, listener: () => void) =>
      listeners.get(name)?.delete(listener),
    )
    vi.stubGlobal('scrollTo', nothing)
    vi.stubGlobal('scrollY', 0)
    vi.stubGlobal('CSS', { escape: (value: string) => value.replace(/[^\w-]/g, '\\$&') })
    const query = { matches: false, addEventListener: nothing, removeEventListener: nothing }
    vi.stubGlobal('matchMedia', () => query)
    vi.stubGlobal(
      'ResizeObserver',
      class {
        observe = nothing
        disconnect = nothing
      },
    )
  })

  it('shows them as text in every view', async () => {
    const showsText = fc.asyncProperty(text, async one => {
      const { document, HTMLElement } = parseHTML(await renderHtml(reportWith(one)))
      Object.assign(HTMLElement.prototype, { scrollIntoView: () => {} })
      expect(document.querySelectorAll('script')).toHaveLength(6 + 2)
      const location = { hash: '', protocol: 'file:' }
      vi.stubGlobal('document', document)
      vi.stubGlobal('location', location)
      const data = readPageData()
      const root = document.getElementById('app') as unknown as Element
      render(h(App, { data }), root)
      for (const [hash, drawn] of viewsOf(data.tasks[0]?.id ?? '', pageText(one))) {
        location.hash = hash
        await vi.waitFor(
          () => {
            for (const listener of listeners.get('hashchange') ?? []) listener()
            expect(root.querySelector(drawn)).not.toBeNull()
          },
          { interval: 5 },
        )
        expect(dangersIn(root)).toEqual([])
      }
      render(null, root)
    })
    await fc.assert(showsText, { numRuns: 10, examples: [[hostileTexts.join('')]] })
  })
})

const pageText = (one: string): string => JSON.parse(writePageJson(one)) as string

/** The address of each view, and what it draws. */
function viewsOf(task: string, one: string): [string, string][] {
  const item = encodeURIComponent(`${one} · ${one}`)
  return [
    ['#', '.arms'],
    ['#view=matrix', '.matrix'],
    ['#view=attempts', '#attempts tbody'],
    [`#task=${encodeURIComponent(task)}&item=${item}&attempt=1.0`, '.cause'],
    ['#attempt=1.0&event=1', '.trace'],
  ]
}

/** Returns the elements and attributes that could run code, load something or change the style. */
function dangersIn(root: Element): string[] {
  const attributes = [...root.querySelectorAll('*')].flatMap(element =>
    [...element.attributes].filter(({ name, value }) => !isHarmless(name, value)),
  )
  return [
    ...[...root.querySelectorAll(forbidden)].map(({ outerHTML }) => outerHTML),
    ...attributes.map(({ name, value }) => `${name}=${value}`),
  ]
}

function isHarmless(name: string, value: string): boolean {
  if (/^on|^(?:src|srcdoc|srcset|action|formaction|data|ping)$/.test(name)) return false
  if (/href$/.test(name)) return value.startsWith('#')
  return name !== 'style' || !/url\(|expression|@import/i.test(value)
}
