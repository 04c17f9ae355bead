import { expect, it } from 'vitest'
import { nameProgram } from '../../src/commands/print-summary.ts'
import { quoteForShell } from '../../src/text/plain-text.ts'

it('quotes a path for a shell only when necessary', () => {
  expect(quoteForShell('runs/demo-1')).toBe('runs/demo-1')
  expect(quoteForShell('my runs/first')).toBe("'my runs/first'")
  expect(quoteForShell("it's")).toBe("'it'\\''s'")
  expect(quoteForShell('-x')).toBe("'-x'")
  expect(quoteForShell('$HOME/a')).toBe("'$HOME/a'")
})

it('prints the command name that works in this installation', () => {
  expect(nameProgram('/usr/local/bin/tablehunt', {})).toBe('tablehunt')
  expect(nameProgram('/x/node_modules/.bin/tablehunt', { npm_command: 'exec' })).toBe('npx tablehunt')
  expect(nameProgram('/x/bin/tablehunt.js', {})).toBe('npx tablehunt')
})
