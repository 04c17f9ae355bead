import { describe, expect, it } from 'vitest'
import {
  commandLineWithoutSecrets,
  commandWithoutSecrets,
  messageWithoutSecrets,
  refusedValue,
  urlWithoutSecrets,
} from '../../logs/redact-command.ts'

describe('a command that is written down', () => {
  it.each([
    ['node server.js --port 8080 --max-tokens 4000'],
    ['npx -y @scope/server-files ./documents annual-report-2024-of-the-company'],
    ['python agent.py --model qwen3-30b-a3b-instruct-2507 --sort date'],
    [`env GITHUB_TOKEN=\${GITHUB_TOKEN} npx server --api-key \${MY_KEY}`],
  ])('keeps ordinary arguments and variables: %s', line => {
    expect(commandLineWithoutSecrets(line)).toBe(line)
    expect(commandWithoutSecrets(line.split(' '))).toEqual(line.split(' '))
  })

  it.each([
    ['server --api-key abc', 'server --api-key [redacted]'],
    ['server --api-key=abc --port 1', 'server --api-key=[redacted] --port 1'],
    ['server --token "a b" x', 'server --token [redacted] x'],
    ["server --token='a b' x", 'server --token=[redacted] x'],
    ['env DB_PASSWORD=abc server', 'env DB_PASSWORD=[redacted] server'],
    ['server sk-proj-a1b2c3d4e5f6g7h8', 'server [redacted]'],
    ['server 8Zk2LmQ0pR5tVx9WyB3n', 'server [redacted]'],
    ['server f47ac10b-58cc-4372-a567-0e02b2c3d479', 'server [redacted]'],
    [
      'server --header "Authorization: Bearer abc123456"',
      'server --header "Authorization: Bearer [redacted]"',
    ],
    ['npx remote http://me:word@h/mcp?k=v', 'npx remote http://h/mcp?k=[redacted]'],
  ])('has no keys: %s', (line, shown) => {
    expect(commandLineWithoutSecrets(line)).toBe(shown)
  })
})

it.each([
  ['http://127.0.0.1:9000/mcp', 'http://127.0.0.1:9000/mcp'],
  ['https://me:word@host.example/mcp', 'https://host.example/mcp'],
  [
    'https://host.example/mcp?apiKey=abc&tools=all#x',
    'https://host.example/mcp?apiKey=[redacted]&tools=[redacted]',
  ],
  [`https://host.example/mcp?key=\${MY_KEY}`, `https://host.example/mcp?key=\${MY_KEY}`],
  ['https://host.example/s/NjY0ZDk4YjQtOGQyMy00/mcp', 'https://host.example/s/[redacted]/mcp'],
])('an address that is written down has no user, values or keys: %s', (url, shown) => {
  expect(urlWithoutSecrets(url)).toBe(shown)
})

describe('a message', () => {
  it.each([
    ["'redis//me:word@127.0.0.1:6379' is no address", "'redis//[redacted]@127.0.0.1:6379' is no address"],
    ["'m@https://me:wo/r@d@h.example/v1' fails", "'m@https://[redacted]@h.example/v1' fails"],
    ["'http:/me:word@h.example' fails", "'http:/[redacted]@h.example' fails"],
    ['https://ghp-word@h.example/x fails', 'https://[redacted]@h.example/x fails'],
    ['http://h.example/v1?key=word fails', 'http://h.example/v1?key=[redacted] fails'],
  ])('has no secrets: %s', (message, shown) => {
    expect(messageWithoutSecrets(message)).toBe(shown)
  })

  it.each([
    ['https://pages.example/@author/post'],
    ['http://127.0.0.1:8000/@author/post'],
    ['openai:org/model:tag@http://127.0.0.1:8000/v1: no server answers'],
    ['docs/me@home.txt: this file does not exist'],
    ['/data/a:b@c.txt: this file does not exist'],
  ])('keeps addresses and paths: %s', message => {
    expect(messageWithoutSecrets(message)).toBe(message)
  })
})

it('hides user and password of a refused address without a scheme', () => {
  expect(refusedValue('me:word@127.0.0.1:6379/1')).toBe('[redacted]@127.0.0.1:6379/1')
  expect(refusedValue('redis:me:word@host')).toBe('[redacted]@host')
  expect(refusedValue('qwen3:8b@q4 x')).toBe('qwen3:8b@q4 x')
})
