const open = '<think>'
const close = '</think>'

/**
 * Removes reasoning from an answer. It removes all `<think>` parts and an unclosed one up to the end. When a
 * template removed the opening tag, it removes everything before the last closing tag.
 */
export function withoutReasoning(text: string): string {
  if (!text.includes(open)) return text.slice(afterLastClose(text))
  let kept = ''
  let at =
    text.indexOf(open) > text.indexOf(close) && text.includes(close) ? text.indexOf(close) + close.length : 0
  for (;;) {
    const start = text.indexOf(open, at)
    if (start < 0) return kept + text.slice(at)
    kept += text.slice(at, start)
    const end = text.indexOf(close, start)
    if (end < 0) return kept
    at = end + close.length
  }
}

function afterLastClose(text: string): number {
  const last = text.lastIndexOf(close)
  return last < 0 ? 0 : last + close.length
}
