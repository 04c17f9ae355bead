/**
 * The part of the DOM that the report's page uses. These types check the page's functions without the browser's type
 * library. The page contains the functions as source text, so none of them can import anything at run time.
 */
export interface PageNode {
  textContent: string | null
}

/** The part of `HTMLElement` and its subclasses that the page uses. */
export interface PageElement extends PageNode {
  readonly dataset: Record<string, string | undefined>
  readonly children: ArrayLike<PageElement>
  readonly tagName: string
  hidden: boolean
  className: string
  value: string
  open: boolean
  href: string
  tabIndex: number
  append(...nodes: readonly (PageNode | string)[]): void
  replaceChildren(...nodes: readonly (PageNode | string)[]): void
  setAttribute(name: string, value: string): void
  getAttribute(name: string): string | null
  addEventListener(type: string, listener: (event: PageEvent) => void): void
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): Iterable<PageElement>
  focus(): void
  scrollIntoView(): void
}

/** The part of keyboard and pointer events that the page uses. */
export interface PageEvent {
  readonly key: string
  readonly target: PageElement
  readonly ctrlKey: boolean
  readonly metaKey: boolean
  readonly altKey: boolean
  preventDefault(): void
}

/** The part of `Document` that the page uses. */
export interface PageDocument {
  createElement(tag: string): PageElement
  getElementById(id: string): PageElement | null
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): Iterable<PageElement>
  addEventListener(type: string, listener: (event: PageEvent) => void): void
}

/** The part of `Window` that the page uses. */
export interface PageWindow {
  readonly location: { hash: string; readonly protocol: string }
  addEventListener(type: string, listener: (event: PageEvent) => void): void
  fetch(url: string): Promise<{ readonly ok: boolean; readonly status: number; text(): Promise<string> }>
  scrollTo(x: number, y: number): void
  readonly scrollY: number
}
