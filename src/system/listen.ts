import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ConfigError } from '../core/errors.ts'

const portProblems: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use',
  EACCES: 'is reserved for the system',
}

/**
 * Starts a server on 127.0.0.1.
 *
 * @param port 0 chooses any free port
 * @returns the port
 * @throws ConfigError [port-not-available] when the port is in use, or this user may not use it
 */
export async function listenOnLocalhost(server: Server, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const problem = portProblems[error.code ?? '']
      reject(
        problem === undefined
          ? error
          : new ConfigError(`port ${port} ${problem}. Choose another.`, {
              cause: error,
              code: 'port-not-available',
            }),
      )
    })
    server.listen(port, '127.0.0.1', resolve)
  })
  const { port: actualPort } = server.address() as AddressInfo
  serversByPort.set(actualPort, server)
  server.once('close', () => serversByPort.delete(actualPort))
  return actualPort
}

/** Reads the body of a request as text. Returns null when it is longer than `mostBytes`. */
export async function readBodyWithin(
  request: AsyncIterable<Buffer>,
  mostBytes: number,
): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > mostBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

const serversByPort = new Map<number, Server>()

/** Closes a server and its connections. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>(resolve => server.close(() => resolve()))
  server.closeAllConnections()
  await closed
}

/** Returns the server of this process at a port of 127.0.0.1. */
export function findLocalServer(port: number): Server | undefined {
  return serversByPort.get(port)
}
