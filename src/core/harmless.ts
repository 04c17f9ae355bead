/** What a web page, a model or a service wrote must not steer the terminal: control characters become spaces. */
export function harmless(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, ' ')
}
