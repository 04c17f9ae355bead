const irregular: ReadonlyMap<string, string> = new Map(
  Object.entries({
    be: ['am', 'is', 'are', 'was', 'were', 'been', 'being', "'m", "'re"],
    have: ['has', 'had', 'having', "'ve"],
    do: ['does', 'did', 'done', 'doing'],
    will: ["'ll"],
    not: ["n't"],
    good: ['best'],
    man: ['men'],
    woman: ['women'],
    child: ['children'],
    person: ['people'],
    foot: ['feet'],
  }).flatMap(([lemma, forms]) => forms.map(form => [form, lemma] as const)),
)

/**
 * Returns the lemma of a lower-case token by simple rules: the forms of common verbs, and the singular of a regular
 * plural. spaCy decides by the word's part of speech in its sentence, which rules cannot.
 */
export function lemmaOf(token: string): string {
  const known = irregular.get(token)
  if (known !== undefined) return known
  if (!/^\p{Ll}{3,}s$/u.test(token) || /(?:ss|us|is)$/.test(token)) return token
  if (token.endsWith('ies')) return `${token.slice(0, -3)}y`
  return token.slice(0, /(?:x|ch|sh|ss|zz)es$/.test(token) ? -2 : -1)
}
