#!/usr/bin/env node
import { existsSync } from 'node:fs'

const built = new URL('../dist/src/cli.js', import.meta.url)
if (!existsSync(built)) {
  console.error('tablehunt: not built yet: run `npm install` (or `npm run build`) in its folder')
  process.exit(2)
}
const { main } = await import(built.href)
process.exitCode = await main(process.argv.slice(2))
