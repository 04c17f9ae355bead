import type { RegisterCommand } from './command.ts'
import { registerDemo } from './demo.ts'
import { registerDoctor } from './doctor.ts'
import { registerModels } from './models.ts'
import { registerReport } from './report.ts'
import { registerRun } from './run.ts'
import { registerScore } from './score.ts'
import { registerScoreTable } from './score-table.ts'
import { registerTool } from './tool.ts'
import { registerWeb } from './web.ts'

/** Every command, in the order of --help. */
export const commands: Record<string, RegisterCommand> = {
  demo: registerDemo,
  run: registerRun,
  report: registerReport,
  score: registerScore,
  'score-table': registerScoreTable,
  tool: registerTool,
  web: registerWeb,
  models: registerModels,
  doctor: registerDoctor,
}
