/**
 * The first program in an enclosure, as source text of Node. It makes the ports of the gateway on 127.0.0.1 lead through unix
 * sockets to the run's process, starts the agent, passes SIGTERM on, and reports how the agent ended. Its argument is the
 * folder with `start.json`, `control` and a socket for each port. When the run's process ends, so does it, and with it
 * everything in the enclosure.
 */
export const bridgeScript = `
const { readFileSync, writeFileSync } = require('node:fs')
const { connect, createServer } = require('node:net')
const { constants } = require('node:os')
const folder = process.argv[1]
const { command, cwd, env, ports } = JSON.parse(readFileSync(folder + '/start.json', 'utf8'))
// The system ends the agent first when memory runs out.
try { writeFileSync('/proc/self/oom_score_adj', '1000') } catch {}
for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, () => {})
const options = { allowHalfOpen: true }
const listen = port => new Promise((resolve, reject) => {
  createServer(options, inner => {
    const outer = connect({ path: folder + '/' + port, ...options })
    inner.on('error', () => outer.destroy()).pipe(outer)
    outer.on('error', () => inner.destroy()).pipe(inner)
  }).on('error', reject).listen(port, '127.0.0.1', resolve)
})
const control = connect(folder + '/control')
control.on('error', () => process.exit(125)).on('close', () => process.exit(125))
control.on('connect', async () => {
  await Promise.all(ports.map(listen))
  const { spawn } = require('node:child_process')
  const [program, ...args] = command
  const tell = (message, code) => control.end(JSON.stringify(message) + '\\n', () => process.exit(code))
  let child
  try {
    child = spawn(program, args, { cwd, env: { PATH: process.env.PATH, ...env }, stdio: 'inherit', detached: true })
  } catch (error) {
    return tell({ problem: error.code }, 127)
  }
  child.on('error', error => tell({ problem: error.code }, 127))
  child.on('exit', (exitCode, signal) =>
    tell({ exitCode, signal }, exitCode ?? 128 + constants.signals[signal]))
  if (child.pid === undefined) return
  control.write('{"started":true}\\n')
  control.on('data', () => { try { process.kill(-child.pid, 'SIGTERM') } catch {} })
})
`
