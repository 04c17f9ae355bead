import { isObject, jsonOrNull } from '../../text/json.ts'

/**
 * Returns the name under which a tool is offered. Many agents put the name of the MCP server in front, as in
 * `tablehunt_web_search`. Agents without a tool for PDFs get the call of the tool for pages.
 */
export function offeredName(name: string, offered: readonly string[]): string {
  if (offered.includes(name)) return name
  const prefixed = offered.find(
    one => /[^A-Za-z0-9]/.test(one.at(-name.length - 1) ?? '') && one.endsWith(name),
  )
  if (prefixed !== undefined) return prefixed
  return name === 'read_pdf' ? offeredName('fetch_page', offered) : name
}

/** Returns the name of a tool without the name of a server in front. */
export function bareName(name: string): string {
  return /(?:^|[^A-Za-z0-9])(web_search|fetch_page|read_pdf)$/.exec(name)?.[1] ?? name
}

/**
 * Returns the text of a tool result. Agents that do not pass the text itself on write the parts of an MCP result, or its
 * structured content, as JSON.
 */
export function resultText(result: string): string {
  const start = result.search(/^[[{]/m)
  const value = start < 0 ? null : jsonOrNull(result.slice(start))
  const parts = Array.isArray(value) ? value : [value]
  const texts = parts.map(part => (isObject(part) && typeof part.text === 'string' ? part.text : null))
  return texts.some(text => text === null) ? result : texts.join('\n')
}
