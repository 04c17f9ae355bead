const tag = /<(\/?)think(?:ing)?>/gi

/**
 * Separates reasoning between `<think>` tags from a text. After a tag that is never closed, everything is reasoning (the
 * answer was cut). Before a tag that was never opened, everything is reasoning (the chat template opened it). Takes time
 * in proportion to the length.
 */
export function splitThinking(text: string): { text: string; thought: string } {
  if (!/<\/?think(?:ing)?>/i.test(text)) return { text, thought: '' }
  const thoughts: string[] = []
  let rest = ''
  let at = 0
  let open: { start: number; end: number } | null = null
  for (const match of text.matchAll(tag)) {
    const end = match.index + match[0].length
    if (match[1] === '') open ??= { start: match.index, end }
    else if (open !== null) {
      thoughts.push(text.slice(open.end, match.index))
      rest += text.slice(at, open.start)
      at = end
      open = null
    }
  }
  rest += text.slice(at)
  const take = (_all: string, inner: string): string => {
    thoughts.push(inner)
    return ''
  }
  rest = rest.replace(/^([\s\S]*)<\/think(?:ing)?>/i, take).replace(/<think(?:ing)?>([\s\S]*)$/i, take)
  return { text: rest.trim(), thought: thoughts.map(thought => thought.trim()).join('\n\n') }
}
