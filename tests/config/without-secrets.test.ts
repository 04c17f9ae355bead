import { expect, it } from 'vitest'
import {
  namesWithSecrets,
  optionsWithoutSecrets,
  ownCommandWithoutSecrets,
} from '../../src/config/without-secrets.ts'

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
  expect(optionsWithoutSecrets(given)).toEqual({
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
  expect(ownCommandWithoutSecrets(words)).toEqual([
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
    namesWithSecrets({ mcp: ['http://h/mcp'], agents: { one: { command: ['a'], env: { MODE: 'fast' } } } }),
  ).toEqual([])
  expect(namesWithSecrets({ mcp: [`http://h/mcp?key=\${MY_KEY}`], agents: {} })).toEqual([])
  expect(namesWithSecrets({ mcp: ['http://h/mcp?key=abc'], agents })).toEqual(['mcp', 'agents'])
  const hidden = { one: { command: ['a'], env: { DATABASE: 'postgres://me:word@h/db' } } }
  expect(namesWithSecrets({ agents: hidden })).toEqual(['agents'])
})
