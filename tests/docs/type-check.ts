import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { packageRoot } from '../../src/system/paths.ts'

const compilerOptions: ts.CompilerOptions = {
  ...ts.parseJsonConfigFileContent(
    { compilerOptions: JSON.parse(readFileSync(join(packageRoot, 'tsconfig.json'), 'utf8')).compilerOptions },
    ts.sys,
    packageRoot,
  ).options,
  incremental: false,
}
delete compilerOptions.tsBuildInfoFile

/**
 * Compiles files that need not exist, beside those of the repository.
 *
 * @param files texts by path, relative to the package's root
 * @returns the compiler's errors in these files, one line each
 */
export function typeErrorsOf(files: Readonly<Record<string, string>>): string[] {
  const texts = new Map(Object.entries(files).map(([path, text]) => [join(packageRoot, path), text]))
  const host = ts.createCompilerHost(compilerOptions)
  const { getSourceFile, fileExists, readFile } = host
  host.fileExists = path => texts.has(path) || fileExists(path)
  host.readFile = path => texts.get(path) ?? readFile(path)
  host.getSourceFile = (path, target, ...rest) => {
    const text = texts.get(path)
    return text === undefined ? getSourceFile(path, target, ...rest) : ts.createSourceFile(path, text, target)
  }
  const program = ts.createProgram([...texts.keys()], compilerOptions, host)
  return [...texts.keys()].flatMap(path => {
    const source = program.getSourceFile(path)!
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)]
    return found.map(one => `${path}: ${ts.flattenDiagnosticMessageText(one.messageText, '\n')}`)
  })
}

/** Returns the members that an interface of a file declares or inherits from another of the same file. */
export function membersOf(path: string, name: string): string[] {
  const source = ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
  const declared = source.statements.find(
    (one): one is ts.InterfaceDeclaration => ts.isInterfaceDeclaration(one) && one.name.text === name,
  )
  if (declared === undefined) return []
  const inherited = (declared.heritageClauses ?? []).flatMap(clause =>
    clause.types.flatMap(type => membersOf(path, type.expression.getText())),
  )
  return [...inherited, ...declared.members.map(member => member.name!.getText())]
}
