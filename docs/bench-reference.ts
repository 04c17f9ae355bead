// Writes the text of docs/bench.md from the benches and one recorded run of them.
import { type Bench, describeLine, type FigureLine, writeFigureTable } from '../bench/figure.ts'
import type { RecordedBench, RecordedRun } from '../bench/recorded-run.ts'

const intro = `# Speed

This page is generated (\`npm run reference\`) from the benches and one recorded run of them, \`bench/recorded-run.json\`. \`npm run bench\`
measures how fast Tablehunt is and how much memory it needs. Use it to see whether a change made something slower.

    npm run bench
    npm run bench -- scorer pdf
    npm run bench -- scorer pdf --json
    npm run bench -- --record bench/recorded-run.json
    npm run bench -- --record bench/recorded-run.json --resume

The names after \`--\` are benches or figures; without names, all benches run, each in a process of its own. The output has a row for each figure:
value, ratio, target and verdict. \`--json\` prints one JSON line for each. \`--record FILE\` also writes the figures and the facts of the machine to
a file, and \`--resume\` runs only the benches that are missing there or failed.

Compare ratios, not values: where both sides of a ratio are measured in the same run, the speed of the machine matters less. "Recorded"
marks a constant instead, which another program reached on 2026-11-21 on a shared machine with two cores.

| to measure | needs |
|---|---|
| real documents instead of those of the demo | \`TABLEHUNT_BENCH_TABLES\`: a folder with \`tasks.jsonl\` and \`documents/\` |
| \`pdftotext\` beside our PDF reader | \`apt-get install poppler-utils poppler-data\` |
| Python's Chroma beside ours | \`TABLEHUNT_BENCH_PYTHON\`: a Python with the packages \`chromadb\` and \`numpy\` |
| what is kept of articles and tables | \`TABLEHUNT_BENCH_READING\`: a folder with clones of \`scrapinghub/article-extraction-benchmark\`, \`adbar/trafilatura\`, \`ppasupat/WikiTableQuestions\`, \`tabulapdf/tabula-java\` and \`camelot-dev/camelot\` from GitHub |
| other readers beside ours | \`TABLEHUNT_BENCH_PYTHON\`: a Python with \`trafilatura\`, \`resiliparse\`, \`readability-lxml\`, \`pandas\`, \`markdownify\`, \`html2text\`, \`camelot-py\` or \`pdfplumber\` |
| the time to open a report | Chromium, as for \`--browser\` |
`

/** Returns the text of docs/bench.md. */
export function benchReference(benches: Readonly<Record<string, Bench>>, run: RecordedRun): string {
  const { cpu, cores, memoryGb, platform, node } = run.machine
  const recorded = `## The recorded run\n\n${cpu}, ${cores} cores, ${memoryGb} GB, ${platform}, Node ${node.replace('v', '')}.`
  const sections = Object.entries(benches).map(([name, bench]) =>
    section(name, bench, run.benches[name] ?? null),
  )
  return `${[intro, recorded, missed(benches, run), ...sections].join('\n\n').replaceAll('\n\n\n', '\n\n').trimEnd()}\n`
}

function missed(benches: Readonly<Record<string, Bench>>, run: RecordedRun): string {
  const lines = Object.entries(benches).flatMap(([name, bench]) =>
    listLines(name, bench, run.benches[name] ?? null),
  )
  const names = lines.filter(line => line.verdict === 'missed').map(line => `\`${line.figure}\``)
  const met = lines.filter(line => line.verdict === 'met').length
  const rest = names.length === 0 ? 'None is missed.' : `Missed: ${names.join(', ')}.`
  return `${met} of ${met + names.length} targets are met. ${rest}`
}

function listLines(name: string, bench: Bench, recorded: RecordedBench | null): readonly FigureLine[] {
  return (recorded?.figures ?? []).map(figure => describeLine(name, bench, figure))
}

function section(name: string, bench: Bench, recorded: RecordedBench | null): string {
  const { summary, read, notes = [] } = bench
  const about = [`### ${name}\n`, `${capital(summary)}. ${read}\n`]
  return [...about, ...notes.map(note => `- ${note}`), '', ...measured(name, bench, recorded)].join('\n')
}

/** The bench before it may have used both cores. Only a larger load shows other programs. */
const mostLoad = 2
const busyNote =
  ' **The machine was busy with other programs**, so times are too long. Processor times, recall, memory and growth are still meaningful.'

function measured(name: string, bench: Bench, recorded: RecordedBench | null): readonly string[] {
  if (recorded === null) return ['Not recorded yet.']
  if (recorded.figures === null) return [`The bench failed on ${recorded.date}.`]
  return [
    `Measured on ${recorded.date}. Before it, the load of the machine was ${recorded.load}, and \`node -e 0\` took ${recorded.nodeStartMs} ms.${recorded.load > mostLoad ? busyNote : ''}`,
    '',
    writeFigureTable(listLines(name, bench, recorded)),
  ]
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
