/** Longer texts are cut, so that one huge line cannot make the page slow. */
const longestTextChars = 50_000

/** Finds broken UTF-16, which JSON writes as `\ud800`, and marks that change the direction of a text. */
const changedTexts = /\\ud[89a-f]|[\u202a-\u202e\u2066-\u2069]/

/**
 * Formats data of the page as JSON. Broken UTF-16 is replaced, marks that change the direction of a text are written
 * out, as `[U+202E]`, and long texts are cut.
 */
export function writePageJson(value: unknown): string {
  const json = JSON.stringify(value)
  // A replacer makes JSON.stringify several times slower, and few texts need one.
  if (json.length <= longestTextChars && !changedTexts.test(json)) return json
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'string' ? cutText(part) : part))
}

function cutText(text: string): string {
  const rest = text.length - longestTextChars
  return (rest <= 0 ? text : `${text.slice(0, longestTextChars)}… ${rest} more characters`)
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, mark => `[U+${mark.charCodeAt(0).toString(16).toUpperCase()}]`)
}

/** Formats data for a `<script type="application/json">`, so that no value can end the element or start a comment. */
export function escapeJson(value: unknown): string {
  return writePageJson(value)
    .replace(/[<>&]/g, character => `\\u00${character.charCodeAt(0).toString(16)}`)
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
}
