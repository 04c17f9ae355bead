import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../src/system/paths.ts'

/** Real documents with their tasks, kept beside the repository; slow tests alone may use them. */
export const realTables = join(packageRoot, '../shared/data/tables')
export const hasRealTables = existsSync(realTables)

/** Ends the name of a test that needs them. */
export const withoutRealTables = hasRealTables ? '' : ' (skipped: ../shared/data/tables is not there)'
