import { createServer } from 'node:http'
import { expect, it, vi } from 'vitest'
import { listenOnLocalhost } from '../../src/system/listen.ts'

it.each([
  ['EADDRINUSE', 'port 80 is in use. Choose another.'],
  ['EACCES', 'port 80 is reserved for the system. Choose another.'],
])('names the port and the fix for %s', async (code, message) => {
  const server = createServer()
  vi.spyOn(server, 'listen').mockImplementation(() => {
    server.emit('error', Object.assign(new Error(code), { code }))
    return server
  })
  await expect(listenOnLocalhost(server, 80)).rejects.toMatchObject({
    name: 'ConfigError',
    code: 'port-not-available',
    message,
  })
})
