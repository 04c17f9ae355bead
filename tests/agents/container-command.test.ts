import { expect, it } from 'vitest'
import { buildContainerCommand } from '../../agents/external/isolation/container.ts'

it('mounts folders whose names have commas and quotes', () => {
  const { command } = buildContainerCommand('podman', 'python:3', {
    ...{ name: 'attempt', program: ['node'], cwd: '/', home: null, memoryMb: 512, processes: 10 },
    mounts: [
      { from: '/data/a, b', to: '/data/"quoted"', access: 'read' },
      { from: '/data/plain', to: '/data/plain', access: 'write' },
    ],
  })
  const mounts = command.filter((_word, index) => command[index - 1] === '--mount')
  expect(mounts.slice(1)).toEqual([
    'type=bind,"source=/data/a, b","target=/data/""quoted""",readonly',
    'type=bind,source=/data/plain,target=/data/plain',
  ])
})
