const mostLines = 5
const mostLineChars = 300

/** A line that names an error, as Python and JavaScript print it: `KeyError: 'a'`, `pkg.ApiError: no key`, `[Error: no]`. */
const errorLine = /^(?:Uncaught |\[)?[\w.]*(?:Error|Exception)\b/

/** The folders of a source file. Its name alone tells which file it is, and is the same on every machine. */
const sourceFolders = /(?:[A-Za-z]:)?(?:[\\/][\w.@+-]+)*[\\/]([\w.@+-]+\.(?:py|[cm]?[jt]sx?|sh|rb))(?![\w-])/g

/**
 * Describes a failure by what a program wrote to standard error: the line that names the error, then the last lines. The
 * error comes first because reports shorten long texts.
 *
 * @returns an empty text when the program wrote nothing
 */
export function readFailureText(stderr: string): string {
  const lines = stderr
    .replace(sourceFolders, '$1')
    .split('\n')
    .map(line => line.trim())
    .filter(line => line !== '' && !/^Node\.js v\d/.test(line))
  const error = lines.findLast(line => errorLine.test(line)) ?? lines.at(-1)
  if (error === undefined) return ''
  const otherLines = lines
    .slice(-mostLines)
    .filter(line => line !== error && !/^[~^]+$/.test(line.replace(/\s/g, '')))
  const rest = otherLines.join('; ').slice(-mostLineChars)
  return `${error.slice(0, mostLineChars)}${rest === '' ? '' : ` (last lines: ${rest})`}`
}
