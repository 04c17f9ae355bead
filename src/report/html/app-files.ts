import { readFile } from 'node:fs/promises'
import { packageRoot } from '../../system/paths.ts'

/** The built app: its script and its style sheet. */
export interface AppFiles {
  readonly script: string
  readonly style: string
}

let loaded: Promise<AppFiles> | null = null

/** Reads the app that `npm run build` made from src/report/app. */
export function appFiles(): Promise<AppFiles> {
  loaded ??= readBuilt()
  return loaded
}

async function readBuilt(): Promise<AppFiles> {
  const read = async (name: string): Promise<string> =>
    await readFile(`${packageRoot}/dist/report-app/${name}`, 'utf8')
  const [script, style] = await Promise.all([read('app.js'), read('app.css')])
  // A script element ends at these characters, also within a string.
  return { script: script.replace(/<(?=\/script|!--)/gi, '\\x3c').trimEnd(), style }
}
