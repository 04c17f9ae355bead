import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'
import { taskProblemCodes } from '../../src/core/task-problem.ts'
import { pluginFields } from '../../src/plugins/plugin-kinds.ts'
import { packageRoot } from '../../src/system/paths.ts'

const rooms = ['agents', 'logs', 'retrieval', 'src', 'tasks', 'tools']

/** Every TypeScript file of the rooms, `src/testing` aside: its errors are for those who write tests. */
function sourceFiles(): string[] {
  return rooms.flatMap(room =>
    readdirSync(join(packageRoot, room), { recursive: true, encoding: 'utf8' })
      .map(name => `${room}/${name}`)
      .filter(path => path.endsWith('.ts') && !path.startsWith('src/testing/')),
  )
}

/** Every stable code that a user can meet, with the files that use it. */
export function errorCodes(): Map<string, string[]> {
  const codes = new Map<string, string[]>(taskProblemCodes.map(code => [code, ['src/core/task.ts']]))
  for (const path of sourceFiles()) {
    const text = readFileSync(join(packageRoot, path), 'utf8')
    for (const code of [...codesIn(path, text), ...printedCodesIn(text)])
      codes.set(code, [...new Set([...(codes.get(code) ?? []), path])])
  }
  // `Registry.get` makes one code of each kind.
  for (const { registry } of Object.values(pluginFields))
    codes.set(`unknown-${registry.kind.replaceAll(' ', '-')}`, ['src/core/registry.ts'])
  return codes
}

/** The texts that a member or a variable `code` may have. */
function codesIn(path: string, text: string): string[] {
  const codes: string[] = []
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const addTexts = (node: ts.Node): void => {
    if (ts.isStringLiteral(node) && /^[a-z]+(-[a-z0-9]+)+$/.test(node.text)) codes.push(node.text)
    ts.forEachChild(node, addTexts)
  }
  const visit = (node: ts.Node): void => {
    const isValue = ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)
    if (isValue && ts.isIdentifier(node.name) && node.name.text === 'code' && node.initializer !== undefined)
      addTexts(node.initializer)
    else ts.forEachChild(node, visit)
  }
  visit(file)
  return codes
}

/** Codes that the end of a printed line contains without an error: `… [fail-under]`. */
function printedCodesIn(text: string): string[] {
  return [...text.matchAll(/ \[([a-z]+(?:-[a-z]+)+)\]`/g)].map(hit => hit[1]!)
}

/** The members of a union of texts that src/core/errors.ts declares. */
export function unionMembers(name: string): string[] {
  const source = readFileSync(join(packageRoot, 'src', 'core', 'errors.ts'), 'utf8')
  const declared = new RegExp(`^export type ${name} =\\n((?:  \\| '[\\w-]+'\\n)+)`, 'm').exec(source)
  return [...(declared?.[1] ?? '').matchAll(/'([\w-]+)'/g)].map(hit => hit[1]!)
}
