const punctuation = String.raw`…|,|:|;|!|\?|¿|¡|\(|\)|\[|\]|\{|\}|<|>|_|#|\*|&`
const quotes = String.raw`'|"|\x60|´|»|«`
const currency = String.raw`us\$|c\$|a\$|\$|£|€|¥|฿|₽|₴|₹`
const ellipsis = String.raw`\.\.+`
const units = 'km²|km³|km|m²|m³|dm|cm|mm|µm|nm|ha|kg|mg|µg|lb|oz|kb|mb|gb|tb|mph|kmh|ft|in|mi|g|t|m|%'

const prefix = new RegExp(`^(?:§|%|=|—|–|\\+(?![0-9])|${ellipsis}|${punctuation}|${quotes}|${currency})`, 'u')
const suffix = new RegExp(
  `(?:${ellipsis}|${punctuation}|${quotes}|'s|—|–|(?<=[0-9])\\+|(?<=[0-9])(?:${currency})|(?<=[0-9])(?:${units})|(?<=[0-9\\p{Ll}%²\\-+'"])\\.)$`,
  'u',
)
const letter = String.raw`\p{L}`
const infix = new RegExp(
  [
    ellipsis,
    String.raw`(?<=[0-9])[+\-*^](?=[0-9-])`,
    `(?<=${letter}),(?=${letter})`,
    `(?<=[${letter}0-9])(?:-{1,3}|–|——?|~)(?=${letter})`,
    `(?<=[${letter}0-9])[:<>=/](?=${letter})`,
  ].join('|'),
  'gu',
)
const contraction = /^(.+)(n't|'(?:ll|re|ve|d|m))$/

/**
 * Divides a lower-case text into tokens by the main rules of spaCy's English tokenizer: punctuation, quotes, currency signs
 * and units are tokens of their own, and words with a hyphen are divided. Its list of abbreviations, emoticons and
 * web addresses is left out.
 */
export function tokenize(text: string): string[] {
  return text
    .split(/[\s\x1c-\x1f\x85]+/)
    .filter(word => word !== '')
    .flatMap(divideWord)
}

function divideWord(word: string): string[] {
  const before: string[] = []
  const after: string[] = []
  let rest = word
  for (;;) {
    const start = prefix.exec(rest)?.[0]
    if (start !== undefined && start.length < rest.length) {
      before.push(start)
      rest = rest.slice(start.length)
      continue
    }
    const end = suffix.exec(rest)?.[0]
    if (end === undefined || end.length === rest.length) break
    after.unshift(end)
    rest = rest.slice(0, -end.length)
  }
  const [, stem, ending] = contraction.exec(rest) ?? []
  const middle = stem === undefined || ending === undefined ? divided(rest) : [stem, ending]
  return [...before, ...middle, ...after]
}

function divided(word: string): string[] {
  const tokens: string[] = []
  let from = 0
  for (const match of word.matchAll(infix)) {
    if (match.index > from) tokens.push(word.slice(from, match.index))
    tokens.push(match[0])
    from = match.index + match[0].length
  }
  return [...tokens, word.slice(from)].filter(token => token !== '')
}
