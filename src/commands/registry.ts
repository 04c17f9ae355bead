import type { RegisterCommand } from './command.ts'

/** A command. */
export interface CommandEntry {
  /** One line for `tablehunt --help`, which begins with a verb. */
  readonly summary: string
  /** Imports the module of the command. Only the called command is imported, so that help is fast. */
  load(): Promise<RegisterCommand>
}

/** Every command by its name, in the order of --help. */
export const commands = {
  demo: {
    summary: 'run the included tasks in three settings on a sealed web, then one task without document names',
    load: async () => (await import('./demo.ts')).registerDemo,
  },
  run: {
    summary: 'make attempts, score them and print the comparison; the same --out resumes a run',
    load: async () => (await import('./run.ts')).registerRun,
  },
  tasks: {
    summary: 'check tasks before a run, print their statistics, and make new ones',
    load: async () => (await import('./tasks.ts')).registerTasks,
  },
  worker: {
    summary: 'make attempts for runs with --queue until Ctrl-C; start any number, on any machines',
    load: async () => (await import('./worker.ts')).registerWorker,
  },
  status: {
    summary: 'show the progress, cost, failures and current attempts of a run, from any terminal',
    load: async () => (await import('./status.ts')).registerStatus,
  },
  report: {
    summary: "print a run's comparison and write its report.html",
    load: async () => (await import('./report.ts')).registerReport,
  },
  fork: {
    summary: 'continue an attempt from one of its steps with one thing changed, and replay what came before',
    load: async () => (await import('./fork.ts')).registerFork,
  },
  causes: {
    summary: 'fork a sample of the lost items of a run, and measure which change brings them back',
    load: async () => (await import('./causes.ts')).registerCauses,
  },
  pack: {
    summary:
      'write runs with all that their figures are computed from to one file, for the readers of a paper',
    load: async () => (await import('./pack.ts')).registerPack,
  },
  verify: {
    summary: 'check every file of a run or a pack; of a pack also its scores and figures',
    load: async () => (await import('./verify.ts')).registerVerify,
  },
  score: {
    summary: 'score a run again without calling its models, or score a file of tables, extractions or texts',
    load: async () => (await import('./score.ts')).registerScore,
  },
  audit: {
    summary: 'write a sample of judged items for a person to mark, and measure the agreement with the judge',
    load: async () => (await import('./audit.ts')).registerAudit,
  },
  compare: {
    summary: "compare runs side by side, in the layouts of AOE's tables",
    load: async () => (await import('./compare.ts')).registerCompare,
  },
  export: {
    summary:
      'write the records and traces of runs as flat tables (Parquet, CSV or JSON lines) for data analysis',
    load: async () => (await import('./export.ts')).registerExport,
  },
  view: {
    summary: 'show the runs of a folder in a browser, also while they go on, and mark their answers',
    load: async () => (await import('./view.ts')).registerView,
  },
  logs: {
    summary: 'show and compare traces, show why attempts ended, and import logs of other agents',
    load: async () => (await import('./logs.ts')).registerLogs,
  },
  tools: {
    summary: 'call the tools of the agent yourself, or serve them to any agent (MCP)',
    load: async () => (await import('./tools.ts')).registerTools,
  },
  web: {
    summary: 'build, serve and search a sealed web of your own',
    load: async () => (await import('./web.ts')).registerWeb,
  },
  init: {
    summary: 'make a project that runs: config file, example task, documents and a script',
    load: async () => (await import('./init.ts')).registerInit,
  },
  info: {
    summary: 'show the models, the benchmarks, the options in force, and what is installed',
    load: async () => (await import('./info.ts')).registerInfo,
  },
} as const satisfies Record<string, CommandEntry>
