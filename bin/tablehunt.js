#!/usr/bin/env node
import { existsSync } from 'node:fs'
import module from 'node:module'
import { setFlagsFromString } from 'node:v8'

const built = new URL('../dist/bundle/cli.js', import.meta.url)
if (!existsSync(built)) {
  console.error('tablehunt: not built yet: run `npm install` (or `npm run build`) in its folder')
  process.exit(2)
}
// Loading the program fills the young generation of V8's heap many times, which otherwise grows by doubling.
setFlagsFromString('--semi-space-growth-factor=16')
// Node 22 keeps what it compiled for the next start; Node 20 cannot.
module.enableCompileCache?.()
// Node ends with this code when nothing is left that could settle what it awaits.
process.on('exit', () => {
  if (process.exitCode !== 13) return
  process.exitCode = 1
  console.error(
    'tablehunt: stopped: it waits for something that can no longer come, such as a promise of a plug-in that stays pending. Recorded attempts are kept.',
  )
})
const { guardProcess, main } = await import(built.href)
guardProcess()
process.exitCode = await main(process.argv.slice(2))
