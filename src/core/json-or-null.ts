/** The value that a text holds as JSON; null where it is no JSON, for whoever then says, by a schema, what was expected. */
export function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
