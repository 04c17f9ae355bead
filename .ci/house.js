/**
 * Prints how large the code is and how it is named: files, lines, files with one importer, functions named `xOf`, `Pick<…>`,
 * variables without a noun, and type names that are declared more than once. Tests and generated files do not count.
 *
 * node .ci/house.js [FOLDER]
 */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import ts from 'typescript'

const root = resolve(process.argv[2] ?? '.')
const isCode = path => /\.(?:tsx?|js)$/.test(path) && !/^tests\/|\.test\./.test(path)
const paths = execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8' }).split('\n').filter(isCode)

/** Participles, numerals and pronouns that name nothing. */
const nounless = new Set(
  'given found known asked own one other others made kept read wanted needed taken done seen used it this that these those some any all both each'.split(
    ' ',
  ),
)

const counts = { lines: 0, functions: 0, of: 0, pick: 0, variables: 0, nounless: 0 }
const importers = new Map(paths.map(path => [path, new Set()]))
const declared = new Map()

function importedFile(from, specifier) {
  if (!specifier.startsWith('.')) return null
  const path = join(dirname(from), specifier)
  return (
    [path, path.replace(/\.js$/, '.ts'), path.replace(/\.js$/, '.tsx')].find(file => importers.has(file)) ??
    null
  )
}

function countName(name) {
  if (ts.isIdentifier(name)) {
    counts.variables++
    if (nounless.has(name.text)) counts.nounless++
  } else for (const element of name.elements) if (!ts.isOmittedExpression(element)) countName(element.name)
}

for (const path of paths) {
  if (!existsSync(join(root, path))) continue
  const text = readFileSync(join(root, path), 'utf8')
  counts.lines += text.split('\n').length - 1
  const visit = node => {
    const specifier =
      node.moduleSpecifier ??
      (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword
        ? node.arguments[0]
        : undefined)
    if (specifier !== undefined && ts.isStringLiteralLike(specifier)) {
      const file = importedFile(path, specifier.text)
      if (file !== null) importers.get(file).add(path)
    }
    if (ts.isFunctionDeclaration(node) && node.name !== undefined) {
      counts.functions++
      if (/[a-z]Of$/.test(node.name.text)) counts.of++
    }
    if (ts.isTypeReferenceNode(node) && node.typeName.getText() === 'Pick') counts.pick++
    if (ts.isVariableDeclaration(node) || ts.isParameter(node)) countName(node.name)
    if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
      declared.set(node.name.text, (declared.get(node.name.text) ?? 0) + 1)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))
}

const percent = (part, whole) => `${((100 * part) / whole).toFixed(1)}%`
const once = [...importers.values()].filter(files => files.size === 1).length
console.log(`files                      ${paths.length}
lines                      ${counts.lines}
files with one importer    ${percent(once, paths.length)}
functions named xOf        ${percent(counts.of, counts.functions)} of ${counts.functions}
Pick<…>                    ${counts.pick}
variables without a noun   ${percent(counts.nounless, counts.variables)} of ${counts.variables}
type names declared twice  ${[...declared.values()].filter(count => count > 1).length}`)
