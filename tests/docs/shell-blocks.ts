/** One step of a page: a file that a heredoc writes, a folder, or a command with the output that the page prints below it. */
export type PageStep =
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  | { readonly kind: 'folder'; readonly path: string }
  | { readonly kind: 'command'; readonly args: readonly string[]; readonly output: string | null }

/** The steps of a page's `sh` blocks, without those that begin with `# needs`. Throws for a line that no test can run. */
export function stepsOf(markdown: string): PageStep[] {
  const steps: PageStep[] = []
  for (const [, label, body] of markdown.matchAll(/^```(sh|text)\n(.*?)^```$/gms)) {
    if (label === 'sh' && body!.startsWith('# needs ')) continue
    if (label === 'sh') steps.push(...shellSteps(body!))
    else {
      const last = steps.at(-1)
      if (last?.kind === 'command') steps[steps.length - 1] = { ...last, output: body! }
    }
  }
  return steps
}

/** Words in single quotes may contain spaces. */
function wordsOf(command: string): string[] {
  return [...command.matchAll(/'([^']*)'|\S+/g)].map(([word, quoted]) => quoted ?? word)
}

function shellSteps(body: string): PageStep[] {
  const steps: PageStep[] = []
  const lines = body.trimEnd().split('\n')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    const heredoc = /^cat > (\S+) <<'EOF'$/.exec(line)?.[1]
    const folder = /^mkdir -p (\S+)$/.exec(line)?.[1]
    const command = /^npx tablehunt ((?:[^'"\\|&;]|'[^']*')+)$/.exec(line)?.[1]
    if (heredoc !== undefined) {
      const end = lines.indexOf('EOF', at)
      steps.push({ kind: 'file', path: heredoc, text: `${lines.slice(at + 1, end).join('\n')}\n` })
      at = end
    } else if (folder !== undefined) steps.push({ kind: 'folder', path: folder })
    else if (command !== undefined) steps.push({ kind: 'command', args: wordsOf(command), output: null })
    else throw new Error(`no test can run this line: ${line}`)
  }
  return steps
}
