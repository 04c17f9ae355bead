import { expect, it } from 'vitest'
import { nameProgram } from '../../src/commands/print-summary.ts'
import { shellWord } from '../../src/text/plain-text.ts'

it('quotes a path for a shell only when necessary', () => {
  expect(shellWord('runs/demo-1')).toBe('runs/demo-1')
  expect(shellWord('my runs/first')).toBe("'my runs/first'")
  expect(shellWord("it's")).toBe("'it'\\''s'")
  expect(shellWord('-x')).toBe("'-x'")
  expect(shellWord('$HOME/a')).toBe("'$HOME/a'")
})

it('prints the command name that works in this installation', () => {
  expect(nameProgram('/usr/local/bin/tablehunt', {})).toBe('tablehunt')
  expect(nameProgram('/x/node_modules/.bin/tablehunt', { npm_command: 'exec' })).toBe('npx tablehunt')
  expect(nameProgram('/x/bin/tablehunt.js', {})).toBe('npx tablehunt')
})
