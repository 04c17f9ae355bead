import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { packageRoot } from '../../src/system/paths.ts'

/** The options of tsconfig.json, with the package's name for its own sources. */
export const compilerOptions: ts.CompilerOptions = {
  ...ts.parseJsonConfigFileContent(
    { compilerOptions: JSON.parse(readFileSync(join(packageRoot, 'tsconfig.json'), 'utf8')).compilerOptions },
    ts.sys,
    packageRoot,
  ).options,
  incremental: false,
  paths: {
    tablehunt: [join(packageRoot, 'src', 'index.ts')],
    'tablehunt/testing': [join(packageRoot, 'src', 'testing', 'index.ts')],
  },
}
delete compilerOptions.tsBuildInfoFile

/**
 * Compiles files that need not exist, beside those of the repository.
 *
 * @param files texts by path, relative to the package's root
 * @param options in place of those of tsconfig.json
 * @returns the compiler's errors in these files, one line each
 */
export function typeErrorsOf(
  files: Readonly<Record<string, string>>,
  options: Pick<ts.CompilerOptions, 'noUnusedLocals'> = {},
): string[] {
  const allOptions = { ...compilerOptions, ...options }
  const texts = new Map(Object.entries(files).map(([path, text]) => [join(packageRoot, path), text]))
  const host = ts.createCompilerHost(allOptions)
  const { getSourceFile, fileExists, directoryExists, readFile } = host
  const folders = new Set([...texts.keys()].map(dirname))
  host.directoryExists = path => folders.has(path) || directoryExists!(path)
  host.fileExists = path => texts.has(path) || fileExists(path)
  host.readFile = path => texts.get(path) ?? readFile(path)
  host.getSourceFile = (path, target, ...rest) => {
    const text = texts.get(path)
    return text === undefined ? getSourceFile(path, target, ...rest) : ts.createSourceFile(path, text, target)
  }
  const program = ts.createProgram([...texts.keys()], allOptions, host)
  return [...texts.keys()].flatMap(path => {
    const source = program.getSourceFile(path)!
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
    return found.map(one => `${path}: ${ts.flattenDiagnosticMessageText(one.messageText, '\n')}`)
  })
}

/** Returns the members that an interface of a file declares or inherits from another of the same file. */
export function membersOf(path: string, name: string): string[] {
  const source = parse(path)
  const declared = source.statements.find(
    (one): one is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(one) && one.name.text === name,
  )
  if (declared === undefined) return []
  const inherited = (declared.heritageClauses ?? []).flatMap(clause =>
    clause.types.flatMap(type => membersOf(path, type.expression.getText())),
  )
  return [...inherited, ...declared.members.map(member => member.name!.getText())]
}

/** What a module exports from other files, each with the comment above its declaration. */
export function exportsOf(path: string): { readonly name: string; readonly text: string }[] {
  const source = parse(join(packageRoot, path))
  return source.statements.filter(ts.isExportDeclaration).flatMap(statement => {
    const from = join(packageRoot, dirname(path), (statement.moduleSpecifier as ts.StringLiteral).text)
    const names = (statement.exportClause as ts.NamedExports).elements.map(element => element.name.text)
    return names.map(name => ({ name, text: commentAbove(parse(from), name) }))
  })
}

const parse = (path: string): ts.SourceFile =>
  ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)

/** The comment above an exported interface, type or function; '' when there is none. */
function commentAbove(source: ts.SourceFile, name: string): string {
  const declared = source.statements.find(
    one =>
      (ts.isInterfaceDeclaration(one) || ts.isTypeAliasDeclaration(one) || ts.isFunctionDeclaration(one)) &&
      one.name?.text === name,
  )
  const [comment] = declared === undefined ? [] : ts.getJSDocCommentsAndTags(declared)
  return comment?.getText() ?? ''
}

/** The example of a doc comment; null when it has none. */
export function exampleOf(comment: string): string | null {
  const lines = comment.split('\n').map(line => line.replace(/^ \* ?/, ''))
  const start = lines.indexOf('@example')
  return start < 0 ? null : lines.slice(start + 1, -1).join('\n')
}
