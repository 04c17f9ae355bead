import { expect, it } from 'vitest'
import { readMcpServer } from '../../agents/online-options.ts'

it('reads a command and a URL of an MCP server', () => {
  expect(readMcpServer('command: node my-server.js')).toMatchObject({ command: ['node', 'my-server.js'] })
  expect(readMcpServer('https://a.example/mcp')).toEqual({ name: 'a.example', url: 'https://a.example/mcp' })
})

it.each([
  [
    'node my-server.js',
    /^--mcp 'node my-server\.js': .*neither a command nor a URL.*Write 'command: PROGRAM/,
  ],
  ['ftp://a.example/mcp', /^--mcp 'ftp:\/\/a\.example\/mcp': .*an http\(s\) URL\.$/],
  ['https://', /neither a command nor a URL/],
  ['node server.js --api-key hidden-word', /^(?!.*hidden-word)/],
])('refuses %s, and the error names place and fix', (given, words) => {
  expect(() => readMcpServer(given)).toThrow(expect.objectContaining({ code: 'invalid-mcp-server' }))
  expect(() => readMcpServer(given)).toThrow(words)
})
