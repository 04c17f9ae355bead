// The import direction of the design: src/core <- src/text <- src/system <- the rooms <- tasks <- tools <- agents; only run, cli, index and testing see all.
const rooms = ['src/models', 'retrieval', 'logs', 'src/score', 'src/evidence']
const forbid = (name, from, to, comment) => ({ name, severity: 'error', comment, from, to })
/** The rooms of src/report: each may import those named beside it, and itself. */
const reportRooms = {
  model: [],
  tables: ['model'],
  short: ['model', 'tables'],
  figures: ['model', 'tables'],
  trace: ['model', 'tables'],
  compare: ['model', 'tables'],
  page: ['model', 'tables', 'figures', 'trace'],
  html: ['model', 'tables', 'figures', 'trace', 'page'],
  app: ['model', 'tables', 'figures', 'trace', 'page'],
}
// Inside src/run each room sees itself and those before it. A side room sees all of these and itself. Only src/run.ts,
// src/commands and the files directly in src/run see side rooms.
const runRooms = ['plan', 'records', 'progress', 'open-run', 'attempt', 'scores']
const sideRooms = [
  'estimate',
  'tasks',
  'import',
  'score-files',
  'web-tools',
  'queue',
  'export',
  'view',
  'fork',
  'pack',
]
// Inside src/score each room sees itself and those before it. Only the files directly in src/score see all of them.
const scoreRooms = [
  ...['statistics', 'contract', 'python', 'pandas', 'fuzzy', 'text', 'answer', 'explain'],
  ...['judge', 'align', 'table', 'metrics', 'strict'],
]
const all = '^(agents|tools|retrieval|tasks|logs|src)/'

module.exports = {
  forbidden: [
    forbid(
      'no-cycles',
      {},
      { circular: true },
      'Modules that import each other cannot be read one at a time.',
    ),
    forbid(
      'core-is-a-leaf',
      { path: '^src/core/' },
      { path: all, pathNot: '^src/core/' },
      'Core imports nothing of ours.',
    ),
    forbid('text-sees-core', { path: '^src/text/' }, { path: all, pathNot: '^src/(core|text)/' }),
    forbid(
      'system-sees-core-and-text',
      { path: '^src/system/' },
      { path: all, pathNot: '^src/(core|text|system)/' },
    ),
    ...rooms.map(room =>
      forbid(
        `${room.replace('/', '-')}-stands-alone`,
        { path: `^${room}/` },
        { path: all, pathNot: `^(src/(core|text|system)|${room})/` },
        'Rooms see core, text, system and themselves; what they need of others is passed in.',
      ),
    ),
    forbid(
      'tasks-see-scoring',
      { path: '^tasks/' },
      { path: all, pathNot: '^(src/(core|text|system|score)|tasks)/' },
      'Benchmarks use what all scorers share. What they need of other rooms is passed in.',
    ),
    forbid(
      'benchmarks-stand-alone',
      { path: '^tasks/([^/]+)/', pathNot: '^tasks/(validate|kinds|spreadsheet)/' },
      { path: '^tasks/[^/]+/', pathNot: '^tasks/($1|validate)/' },
      'A benchmark sees its own folder and what all benchmarks share.',
    ),
    forbid(
      'benchmarks-do-not-see-the-registry',
      { path: '^tasks/[^/]+/', pathNot: '^tasks/(validate|kinds)/' },
      { path: '^tasks/(registry|scorers|load-benchmark)\\.ts$' },
      'The registry lists the benchmarks.',
    ),
    ...scoreRooms.map((room, place) =>
      forbid(
        `score-${room}-sees-earlier-rooms`,
        { path: `^src/score/${room}/` },
        {
          path: '^src/score/',
          pathNot: `^src/score/(${scoreRooms.slice(0, place + 1).join('|')})/`,
        },
        `Imports inside src/score flow in the order ${scoreRooms.join(' <- ')}.`,
      ),
    ),
    forbid(
      'score-has-no-other-rooms',
      {},
      { path: '^src/score/[^/]+/', pathNot: `^src/score/(${scoreRooms.join('|')})/` },
      'A new room of src/score is added to the order of its rooms.',
    ),
    forbid(
      'tools-below-agents',
      { path: '^tools/' },
      { path: '^(agents|src/(report|run|commands|config|plugins|api))/|^src/[^/]+\\.ts$' },
    ),
    forbid(
      'agents-below-run',
      { path: '^agents/' },
      { path: '^src/(report|run|commands|config|plugins|api)/|^src/[^/]+\\.ts$' },
    ),
    forbid(
      'plugins-below-config',
      { path: '^src/plugins/' },
      { path: '^src/(report|run|commands|config|api)/|^src/[^/]+\\.ts$' },
      'Plug-ins are loaded before options are read.',
    ),
    forbid(
      'config-below-run',
      { path: '^src/config(/|\\.ts$)' },
      { path: '^src/(run|report|commands|api)/|^src/(run|cli|index)\\.ts$' },
      'Options are read before there is a run or a report.',
    ),
    forbid(
      'index-is-light',
      { path: '^src/(index\\.ts$|api/)', pathNot: '^src/api/(score-answer|task-to-score)\\.ts$' },
      {
        path: '^(agents|retrieval|logs|src/(run|report|config))[./]',
        pathNot: '^(src/config/define-config|agents/external/behind-gateway)\\.ts$',
        dependencyTypesNot: ['type-only', 'dynamic-import'],
      },
      'Programs import the package quickly: its functions import what they need when they are called.',
    ),
    ...runRooms.map((room, place) =>
      forbid(
        `run-${room}-sees-earlier-rooms`,
        { path: `^src/run/${room}/` },
        { path: '^src/run(/|\\.ts$)', pathNot: `^src/run/(${runRooms.slice(0, place + 1).join('|')})/` },
        `Imports inside src/run flow in the order ${runRooms.join(' <- ')}.`,
      ),
    ),
    ...sideRooms.map(room =>
      forbid(
        `run-${room}-stands-beside-the-rooms`,
        { path: `^src/run/${room}/` },
        { path: '^src/run(/|\\.ts$)', pathNot: `^src/run/(${[...runRooms, room].join('|')})/` },
        'A side room sees the rooms of a run and itself.',
      ),
    ),
    forbid(
      'report-reads-records',
      { path: '^src/report/' },
      { path: all, pathNot: '^(src/report|src/score|src/evidence|src/core|src/text|src/system|logs)/' },
    ),
    ...Object.entries(reportRooms).map(([room, below]) =>
      forbid(
        `report-${room}-sees-rooms-below`,
        { path: `^src/report/${room}/` },
        { path: '^src/report/', pathNot: `^src/report/(${[room, ...below].join('|')})/` },
        'Records become numbers (model), numbers tables, tables and numbers what is shown.',
      ),
    ),
    forbid(
      'testing-is-not-imported',
      { pathNot: '^src/testing/' },
      { path: '^src/testing/' },
      'The contract tests of parts are for tests alone.',
    ),
    forbid(
      'report-has-rooms-alone',
      {},
      { path: '^src/report/[^/]+$' },
      'Every file of src/report stands in a room.',
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|node_modules)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'] },
  },
}
