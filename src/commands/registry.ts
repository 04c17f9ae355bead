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
  benchmarks: {
    summary: 'list the benchmarks for --benchmark with their answers, settings and scorers',
    load: async () => (await import('./benchmarks.ts')).registerBenchmarks,
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
  verify: {
    summary: 'check every file of a run, and say what is whole, damaged or lost',
    load: async () => (await import('./verify.ts')).registerVerify,
  },
  score: {
    summary: 'score a run again, without calling the models under test',
    load: async () => (await import('./score.ts')).registerScore,
  },
  'score-table': {
    summary: 'score tables without a run, and print one JSON line for each case',
    load: async () => (await import('./score-table.ts')).registerScoreTable,
  },
  'score-extract': {
    summary:
      "score extractions as ExtractBench's published package does, and print one JSON line for each case",
    load: async () => (await import('./score-extract.ts')).registerScoreExtract,
  },
  'score-text': {
    summary:
      'score answers by metrics of other benchmarks (H-Score, answer F1, ROUGE-L, …), and print one JSON line for each case',
    load: async () => (await import('./score-text.ts')).registerScoreText,
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
  tool: {
    summary: 'call a tool as an agent would, and print one JSON line for each input, also for failures',
    load: async () => (await import('./tool.ts')).registerTool,
  },
  mcp: {
    summary: 'serve the tools by the Model Context Protocol (MCP) to any agent, over stdio or HTTP',
    load: async () => (await import('./mcp.ts')).registerMcp,
  },
  web: {
    summary: 'build, serve and search a sealed web of your own',
    load: async () => (await import('./web.ts')).registerWeb,
  },
  init: {
    summary: 'write a commented tablehunt.config.ts to the working folder',
    load: async () => (await import('./init.ts')).registerInit,
  },
  config: {
    summary: 'print every option of run with its value and the source of the value',
    load: async () => (await import('./config.ts')).registerConfig,
  },
  models: {
    summary: 'list the providers of models for --model',
    load: async () => (await import('./models.ts')).registerModels,
  },
  doctor: {
    summary: 'check what is installed (browser, Chroma, Redis, API keys) and what does not work without it',
    load: async () => (await import('./doctor.ts')).registerDoctor,
  },
} as const satisfies Record<string, CommandEntry>
