import { expect, it } from 'vitest'
import { cleanOptions, cleanOwnCommand, listSecretNames } from '../../src/config/without-secrets.ts'

const agents = {
  mine: { command: ['node', 'agent.js', '--token', 'abc'], env: { MODE: 'fast' } },
  other: { command: ['node', 'other.js'], env: ['MY_API_KEY'] },
}

it('writes options without keys in commands and addresses, and without the values of variables', () => {
  const given = {
    mcp: ['https://h/mcp?key=abc'],
    agent: ['mine', 'command: a.py --token abc'],
    agents,
    limit: 3,
  }
  expect(cleanOptions(given)).toEqual({
    mcp: ['https://h/mcp?key=[redacted]'],
    agent: ['mine', 'command: a.py --token [redacted]'],
    agents: {
      mine: { command: ['node', 'agent.js', '--token', '[redacted]'], env: { MODE: '[redacted]' } },
      other: agents.other,
    },
    limit: 3,
  })
})

it('writes its own command line without them', () => {
  const words = ['run', '--mcp', 'https://h/mcp?key=abc', '--agent=command: a.py --token abc', '--limit', '3']
  expect(cleanOwnCommand(words)).toEqual([
    'run',
    '--mcp',
    'https://h/mcp?key=[redacted]',
    '--agent=command: a.py --token [redacted]',
    '--limit',
    '3',
  ])
})

it('names the options that contain keys; plain variables of agents are none', () => {
  expect(
    listSecretNames({ mcp: ['http://h/mcp'], agents: { one: { command: ['a'], env: { MODE: 'fast' } } } }),
  ).toEqual([])
  expect(listSecretNames({ mcp: [`http://h/mcp?key=\${MY_KEY}`], agents: {} })).toEqual([])
  expect(listSecretNames({ mcp: ['http://h/mcp?key=abc'], agents })).toEqual(['mcp', 'agents'])
  const hidden = { one: { command: ['a'], env: { DATABASE: 'postgres://me:word@h/db' } } }
  expect(listSecretNames({ agents: hidden })).toEqual(['agents'])
})
