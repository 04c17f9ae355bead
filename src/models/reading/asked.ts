/** A document as the prompt or the tools showed it. */
export interface SeenDocument {
  /** The name it is asked for by. */
  readonly name: string
  readonly text: string
}

/** What the first user message asks. */
export interface Asked {
  readonly query: string
  readonly names: readonly string[]
  /** Offline and rag; null where the documents must be found. */
  readonly documents: readonly SeenDocument[] | null
  readonly chinese: boolean
  /** The JSON Schema that the answer must follow; absent or null where a table is asked for. */
  readonly schema?: unknown
}

/** Reads question, names and contents out of the user message, whose headings are English or Chinese. */
export function readAsked(message: string): Asked {
  const contents = /^# (?:Contents|内容)\s*$/m.exec(message)
  const head = contents === null ? message : message.slice(0, contents.index)
  const [asked = head, list = ''] = head.split(/^# (?:Documents|文档)\s*$/m)
  const [question = asked, schema = null] = asked.split(/^# Schema\s*$/m)
  const documents = /<document name=/.test(message) ? readDocuments(message) : null
  // Prompts of another layout name the documents without a heading: file names in a list.
  const lines =
    list === '' && documents === null
      ? head.matchAll(/^- (.+\.[A-Za-z]{2,5})$/gm)
      : list.matchAll(/^- (.+)$/gm)
  const listed = [...lines].map(match => match[1]!.trim())
  return {
    query: question.replace(/^# .*$/m, '').trim(),
    names: listed.length > 0 ? listed : [...new Set((documents ?? []).map(document => document.name))],
    documents,
    schema: schema === null ? null : readSchema(schema),
    chinese: /\p{Script=Han}/u.test(question.replace(/^# .*$/m, '')),
  }
}

/** The schema in its fence; null where it is none. */
function readSchema(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\s*```json\n/, '').replace(/```\s*$/, ''))
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function readDocuments(message: string): SeenDocument[] {
  return message
    .split(/^<document name="/m)
    .slice(1)
    .map(part => {
      const name = part.slice(0, part.indexOf('"')).replaceAll('&quot;', '"')
      const end = part.lastIndexOf('</document>')
      return { name, text: part.slice(part.indexOf('>\n') + 2, end < 0 ? undefined : end) }
    })
}
