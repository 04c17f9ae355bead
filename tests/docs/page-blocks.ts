/** A fenced block of a page that is marked `sh`. */
export interface ShellBlock {
  readonly text: string
  /** What the first line says that the block needs beyond this repository, such as `Redis`. Null when it needs nothing. */
  readonly needs: string | null
  /** The block marked `text` directly below: what the commands print. `…` stands for any text. */
  readonly output: string | null
}

/** Returns the blocks of a page that are marked `sh`, in the page's order. */
export function shellBlocksOf(markdown: string): ShellBlock[] {
  const blocks = markdown.matchAll(/^```sh\n(.*?)^```\n(?:\n```text\n(.*?)^```$)?/gms)
  return [...blocks].map(([, text, output]) => ({
    text: text!,
    needs: /^# needs (.+)$/m.exec(text!.split('\n', 1)[0]!)?.[1] ?? null,
    output: output ?? null,
  }))
}

/** Returns the lines of all other blocks marked `text`: each is an excerpt of what the page's commands print. */
export function excerptLinesOf(markdown: string): string[] {
  const rest = markdown.replace(/^```sh\n(?:.*?)^```\n(?:\n```text\n(?:.*?)^```$)?/gms, '')
  const blocks = [...rest.matchAll(/^```text\n(.*?)^```$/gms)].map(([, text]) => text!)
  return blocks.flatMap(text => text.trimEnd().split('\n')).filter(line => line.trim() !== '…')
}

/** Returns a pattern for a printed block: a line of `…` alone stands for any lines, `…` in a line for any text. */
export function patternOf(output: string): RegExp {
  const lines = output
    .trimEnd()
    .split('\n')
    .map(line =>
      line.trim() === '…' ? '(?:[^\\n]*\\n)*?[^\\n]*' : escapePattern(line).replaceAll('…', '[^\\n]*'),
    )
  return new RegExp(`^${lines.join('\\n')}\\s*$`)
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** Returns every `npx tablehunt` command line of a page, in shell blocks, indented blocks and inline code, as its words. */
export function commandLinesOf(markdown: string): string[][] {
  const fenced = [...markdown.matchAll(/^```(?:sh|console)\n(.*?)^```$/gms)].map(([, text]) => text!)
  const indented = [...markdown.matchAll(/(?:^ {4}.+\n)+/gm)].map(([text]) => text.replace(/^ {4}/gm, ''))
  const inline = [...markdown.matchAll(/`((?:npx )?tablehunt [^`]+)`/g)].map(([, text]) => text!)
  const lines = [...fenced, ...indented, ...inline].flatMap(text => withoutFiles(text).split('\n'))
  return lines.flatMap(line => {
    const command = /^(?:\$ )?(?:\w+=\S* )*(?:npx )?tablehunt (\w.*)$/.exec(line.trim())?.[1]
    return command === undefined ? [] : [wordsOf(command)]
  })
}

/** Joins continued lines and leaves out what heredocs contain. */
function withoutFiles(text: string): string {
  return text.replace(/<<'(\w+)'\n.*?^\1$/gms, '').replace(/\\\n\s*/g, '')
}

/** The words of a command up to a comment, a pipe or a redirection. Quoted words may contain spaces. */
function wordsOf(command: string): string[] {
  const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|\S+/g)]
  const end = words.findIndex(([word]) => /^(?:#|[|<>&])/.test(word))
  return (end === -1 ? words : words.slice(0, end)).map(([word, single, double]) => single ?? double ?? word)
}
