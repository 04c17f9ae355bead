import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ConfigError } from './errors.ts'

/** Serves on 127.0.0.1 and gives the port; 0 takes any free one. Rejects with ConfigError for a port that is in use. */
export async function listenHere(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE' || error.code === 'EACCES'
      reject(taken ? new ConfigError(`port ${port} is in use; choose another with --port`) : error)
    })
    server.listen(port, '127.0.0.1', resolve)
  })
  return (server.address() as AddressInfo).port
}
