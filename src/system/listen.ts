import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ConfigError } from '../core/errors.ts'

const refusals: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use',
  EACCES: 'is kept for the system',
}

/**
 * Serves on 127.0.0.1 and gives the port; 0 takes any free one. Rejects with ConfigError for a port that is in use, or
 * that this user may not take.
 */
export async function listenOnLocalhost(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const refusal = refusals[error.code ?? '']
      reject(
        refusal === undefined
          ? error
          : new ConfigError(`port ${port} ${refusal}; choose another with --port`, { cause: error }),
      )
    })
    server.listen(port, '127.0.0.1', resolve)
  })
  return (server.address() as AddressInfo).port
}
