import { chmod, mkdir, stat, writeFile } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { findLocalServer } from '../../../src/system/listen.ts'
import { runProgram } from '../../../src/system/run-program.ts'
import { parseJsonOrNull } from '../../../src/text/json.ts'
import { type EnclosedEnd, type Enclosure, IsolationFailure } from '../agent-process.ts'
import { bridgeScript } from './bridge-script.ts'
import { nodeInContainer } from './container.ts'
import type { Mount } from './enclosing-command.ts'
import type { AgentIsolation } from './isolation.ts'
import type { AgentFiles } from './visible-files.ts'

/** One attempt's program, before it is enclosed. */
export interface AttemptToEnclose {
  readonly command: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Addresses of the gateway and the proxy, and paths of files that the agent reads, by variable. */
  readonly addresses: Readonly<Record<string, string>>
  /** A folder of this attempt. The program sees the folder `work` in it. */
  readonly base: string
  readonly memoryMb: number
  readonly processes: number
}

/** Variables that describe this machine, not the image of a container. */
const machineVariables = new Set(['PATH', 'HOME', 'SHELL', 'USER', 'LOGNAME', 'LD_LIBRARY_PATH'])
/** bubblewrap reads its arguments here. */
const argumentDescriptor = 3

/** Prepares the enclosure of one attempt: its folders, and the sockets through which it reaches the gateway. */
export async function openEnclosure(
  isolation: AgentIsolation,
  attempt: AttemptToEnclose,
): Promise<Enclosure> {
  const { base } = attempt
  const isContainer = isolation.mode === 'container'
  const bridge = join(base, 'bridge')
  const home = isContainer ? join(base, 'home') : null
  const ports = listPorts(attempt.addresses)
  await writeStartFiles(attempt, home, ports)
  const control = new Control()
  const servers = [control.server, ...ports.map(forwardTo)]
  try {
    for (const [index, server] of servers.entries())
      await listenOn(server, join(bridge, index === 0 ? 'control' : String(ports[index - 1])))
  } catch (error) {
    await Promise.all(servers.map(closeBridgeServer))
    throw new IsolationFailure(`the isolation of the agent failed: ${(error as Error).message}`)
  }
  const name = `tablehunt-${base.slice(-12).replace(/\W/g, '')}-${process.pid}`
  const { command: enclosing, argumentList } = isolation.build(
    {
      name,
      program: [isContainer ? nodeInContainer : process.execPath, '-e', bridgeScript, bridge],
      mounts: await listMounts(attempt, isolation.files, isContainer),
      cwd: '/',
      home,
      memoryMb: attempt.memoryMb,
      processes: attempt.processes,
    },
    argumentDescriptor,
  )
  return {
    command: enclosing,
    argumentList,
    terminate: () => control.terminate(),
    ended: () => control.ended(),
    async close() {
      control.close()
      await Promise.all(servers.map(closeBridgeServer))
      // The engine's daemon runs the container, not a process of ours.
      if (isContainer) await runProgram(enclosing[0]!, ['rm', '--force', name], 30_000).catch(() => undefined)
    },
  }
}

/**
 * Writes what the program in the enclosure starts with.
 *
 * @param home - the home folder in a container; null outside of one
 */
async function writeStartFiles(
  { base, command, cwd, env: given }: AttemptToEnclose,
  home: string | null,
  ports: readonly number[],
): Promise<void> {
  for (const name of ['home', 'tmp', 'shm', 'bridge', 'bridge/empty']) await mkdir(join(base, name))
  const imageVariables = Object.entries(given).filter(([name]) => !machineVariables.has(name))
  const env = home === null ? given : { ...Object.fromEntries(imageVariables), HOME: home }
  await writeFile(join(base, 'bridge', 'start.json'), JSON.stringify({ command, cwd, env, ports }))
  await writeEtc(join(base, 'bridge'))
}

async function listMounts(
  { base, addresses }: AttemptToEnclose,
  { shown, hidden }: AgentFiles,
  isContainer: boolean,
): Promise<Mount[]> {
  const place = (name: string): string => join(base, name)
  const bridge = place('bridge')
  const read = (from: string, to = from): Mount => ({ from, to, access: 'read' })
  const write = (from: string, to = from): Mount => ({ from, to, access: 'write' })
  const { HOME: home = '/' } = process.env
  const hasHome = isAbsolute(home) && home !== '/'
  const systemFiles = ['passwd', 'group', 'hosts', 'resolv.conf'].map(name =>
    read(join(bridge, name), `/etc/${name}`),
  )
  return [
    write(place('tmp'), '/tmp'),
    ...(isContainer ? [] : [write(place('tmp'), '/var/tmp'), write(place('shm'), '/dev/shm')]),
    ...(isContainer ? [write(place('home'))] : systemFiles),
    ...(isContainer || !hasHome ? [] : [write(place('home'), home)]),
    ...shown.map(({ from, to }) => read(from, to)),
    // A private place is covered by something empty.
    ...hidden.map(({ path, isFolder }) => read(join(bridge, isFolder ? 'empty' : 'resolv.conf'), path)),
    ...(isContainer ? [] : [read(process.execPath)]),
    ...(await listFiles(addresses)).map(path => read(path)),
    read(bridge),
    write(place('work')),
  ]
}

/** The ports of this machine in addresses, each once. */
function listPorts(addresses: Readonly<Record<string, string>>): number[] {
  const urls = Object.values(addresses).filter(value => URL.canParse(value))
  const ports = urls
    .map(value => new URL(value))
    .flatMap(({ hostname, port }) => (hostname === '127.0.0.1' && port !== '' ? [Number(port)] : []))
  return [...new Set(ports)]
}

/** The files that variables name, such as the certificates of the proxy. */
async function listFiles(addresses: Readonly<Record<string, string>>): Promise<string[]> {
  const paths = [...new Set(Object.values(addresses).filter(isAbsolute))]
  const exist = await Promise.all(
    paths.map(path =>
      stat(path).then(
        stats => stats.isFile(),
        () => false,
      ),
    ),
  )
  return paths.filter((_path, index) => exist[index])
}

/** Writes the files of /etc that name users and hosts. */
async function writeEtc(folder: string): Promise<void> {
  const { uid, gid, username } = userInfo()
  const { HOME: home = '/' } = process.env
  const user = uid === 0 ? '' : `${username}:x:${uid}:${gid}::${home}:/bin/sh\n`
  const group = gid === 0 ? '' : `${username}:x:${gid}:\n`
  await writeFile(join(folder, 'passwd'), `root:x:0:0::${uid === 0 ? home : '/'}:/bin/sh\n${user}`)
  await writeFile(join(folder, 'group'), `root:x:0:\n${group}`)
  await writeFile(join(folder, 'hosts'), '127.0.0.1 localhost\n::1 localhost\n')
  await writeFile(join(folder, 'resolv.conf'), '')
}

/** A line from the bridge. */
interface BridgeMessage {
  readonly started?: true
  /** The code of the error with which the program could not be started. */
  readonly problem?: string
  readonly exitCode?: number | null
  readonly signal?: string | null
}

/** The connection to the bridge: it receives how the agent ended, and sends that the agent must stop. */
class Control {
  readonly server: Server
  #socket: Socket | null = null
  #text = ''
  #isStopping = false
  #hasStarted = false
  #end: EnclosedEnd | null = null

  constructor() {
    this.server = createServer(socket => {
      socket.on('error', () => socket.destroy())
      // The agent can connect too, but the bridge was first.
      if (this.#socket !== null) return void socket.destroy()
      this.#socket = socket
      socket.on('data', chunk => this.#read(chunk))
    })
  }

  terminate(): void {
    this.#isStopping = true
    if (this.#hasStarted) this.#socket!.write('stop\n')
  }

  /** Returns how the agent ended, when its bridge has ended. */
  async ended(): Promise<EnclosedEnd> {
    const socket = this.#socket
    if (socket !== null && !socket.closed) await new Promise(resolve => socket.once('close', resolve))
    return this.#end ?? { kind: this.#hasStarted ? 'killed' : 'never-started' }
  }

  close(): void {
    this.#socket?.destroy()
  }

  #read(chunk: Buffer): void {
    this.#text += chunk.toString('utf8')
    const lines = this.#text.split('\n')
    this.#text = lines.pop()!
    for (const line of lines) {
      const message = parseJsonOrNull(line) as BridgeMessage | null
      if (message === null) continue
      if (message.started === true) {
        this.#hasStarted = true
        if (this.#isStopping) this.terminate()
      } else if (message.problem !== undefined) this.#end = { kind: 'not-startable', code: message.problem }
      else this.#end = { kind: 'exited', exitCode: message.exitCode ?? null, signal: message.signal ?? null }
    }
  }
}

/** A server whose connections are served by the one at a port of this process. */
function forwardTo(port: number): Server {
  const target = findLocalServer(port)
  const server = createServer({ allowHalfOpen: true }, socket => {
    if (target?.listening === true) target.emit('connection', socket)
    else socket.destroy()
  })
  if (target !== undefined) server.maxConnections = target.maxConnections
  return server
}

async function listenOn(server: Server, path: string): Promise<void> {
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
  await chmod(path, 0o600)
}

async function closeBridgeServer(server: Server): Promise<void> {
  await new Promise<void>(resolve => server.close(() => resolve()))
}
