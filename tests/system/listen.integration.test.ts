import { createServer } from 'node:http'
import { expect, it, vi } from 'vitest'
import { listenOnLocalhost } from '../../src/system/listen.ts'

it.each([
  ['EADDRINUSE', 'port 80 is in use; choose another with --port'],
  ['EACCES', 'port 80 is kept for the system; choose another with --port'],
])('names the mend of %s', async (code, message) => {
  const server = createServer()
  vi.spyOn(server, 'listen').mockImplementation(() => {
    server.emit('error', Object.assign(new Error(code), { code }))
    return server
  })
  await expect(listenOnLocalhost(server, 80)).rejects.toMatchObject({ name: 'ConfigError', message })
})
