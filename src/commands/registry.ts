import type { RegisterCommand } from './command.ts'

export interface CommandEntry {
  /** One line for `tablehunt --help`. */
  readonly summary: string
  /** Imports the command's module when it is called, so that help waits for nothing. */
  load(): Promise<RegisterCommand>
}

/** Every command by its name, in the order of --help. */
export const commands = {
  demo: {
    summary: 'the three settings on the shipped tasks, on a sealed web, then the comparison',
    load: async () => (await import('./demo.ts')).registerDemo,
  },
  run: {
    summary: 'make attempts, score them, print the comparison; the same --out goes on where it stopped',
    load: async () => (await import('./run.ts')).registerRun,
  },
  tasks: {
    summary: 'check tasks before a run, and print their statistics',
    load: async () => (await import('./tasks.ts')).registerTasks,
  },
  benchmarks: {
    summary: 'the benchmarks that --benchmark can name: their answers, settings and scorers',
    load: async () => (await import('./benchmarks.ts')).registerBenchmarks,
  },
  worker: {
    summary:
      'make attempts for runs with --queue, until Ctrl-C; any number of them on any number of machines',
    load: async () => (await import('./worker.ts')).registerWorker,
  },
  status: {
    summary: 'how far a run is, what it costs, what fails, what runs now; from any terminal',
    load: async () => (await import('./status.ts')).registerStatus,
  },
  report: {
    summary: "print a run's comparison and write its report.html",
    load: async () => (await import('./report.ts')).registerReport,
  },
  score: {
    summary: 'score a run again; no model under test is called',
    load: async () => (await import('./score.ts')).registerScore,
  },
  'score-table': {
    summary: 'score tables without a run: one JSON line a case',
    load: async () => (await import('./score-table.ts')).registerScoreTable,
  },
  'score-extract': {
    summary: "score extractions as ExtractBench's published package does: one JSON line a case",
    load: async () => (await import('./score-extract.ts')).registerScoreExtract,
  },
  'score-text': {
    summary:
      'metrics of other benchmarks on any table or answer (H-Score, answer F1, ROUGE-L, …): one JSON line a case',
    load: async () => (await import('./score-text.ts')).registerScoreText,
  },
  audit: {
    summary: 'a sample of judged items for a person to mark; the marks read back: agreement with the judge',
    load: async () => (await import('./audit.ts')).registerAudit,
  },
  compare: {
    summary: "several runs side by side, in the layouts of AOE's tables",
    load: async () => (await import('./compare.ts')).registerCompare,
  },
  view: {
    summary: "serve a run's report on this machine, traces loaded as they are opened",
    load: async () => (await import('./view.ts')).registerView,
  },
  logs: {
    summary: "what the traces say: why attempts ended, side by side, other agents' logs",
    load: async () => (await import('./logs.ts')).registerLogs,
  },
  tool: {
    summary: 'call a tool as the agent would: one JSON line an input, failures included',
    load: async () => (await import('./tool.ts')).registerTool,
  },
  web: {
    summary: 'a sealed web of your own: build it, serve it, search it',
    load: async () => (await import('./web.ts')).registerWeb,
  },
  init: {
    summary: 'write a commented tablehunt.config.ts here',
    load: async () => (await import('./init.ts')).registerInit,
  },
  config: {
    summary: 'every option of run, its value, and where that comes from',
    load: async () => (await import('./config.ts')).registerConfig,
  },
  models: {
    summary: 'the models that --model can name',
    load: async () => (await import('./models.ts')).registerModels,
  },
  doctor: {
    summary: 'what is here (browser, Chroma, Redis, keys by name), and what each lack costs',
    load: async () => (await import('./doctor.ts')).registerDoctor,
  },
} as const satisfies Record<string, CommandEntry>
