import { useState } from 'preact/hooks'
import type { PageData, RunFacts } from '../../page/page-data.ts'
import { ArmResults } from './arm-results.tsx'

/**
 * The first screen: what came out in a sentence for each comparison, the score of each arm and warnings. What was run is
 * beside them, or below them on a narrow screen.
 */
export function RunHeader({ data }: { readonly data: PageData }) {
  return (
    <>
      <header>
        <h1>{data.title}</h1>
        <p class="subtitle">{describeCounts(data)}</p>
      </header>
      <div class="first-screen">
        <div class="outcome">
          <Sentences sentences={data.sentences} />
          <ArmResults data={data} />
          {data.warnings.map(warning => (
            <p class="note" key={warning}>
              {warning}
            </p>
          ))}
          {data.remarks.map(remark => (
            <p class="remark" key={remark}>
              {remark}
            </p>
          ))}
        </div>
        <section class="what-was-run" aria-label="what was run">
          {data.runs.map(run => (
            <RunDetails key={run.runId} run={run} isOnly={data.runs.length === 1} />
          ))}
        </section>
        <details class="cite" open={data.runs.length === 1}>
          <summary>Cite and reproduce</summary>
          {data.runs.map(({ name, runId, command, bibtex }) => (
            <div key={runId}>
              {data.runs.length > 1 && <h3>{name}</h3>}
              {command !== null && <CopyBox label="Command" text={command} />}
              <CopyBox label="BibTeX" text={bibtex} />
            </div>
          ))}
        </details>
      </div>
    </>
  )
}

/** With more comparisons, the first screen shows the first ones and a button for the others. */
const mostSentences = 4

function Sentences({ sentences }: { readonly sentences: readonly string[] }) {
  const [isWhole, setWhole] = useState(false)
  if (sentences.length === 0) return null
  const isLong = sentences.length > mostSentences
  const shown = isLong && !isWhole ? sentences.slice(0, mostSentences - 1) : sentences
  return (
    <>
      <ul class="sentences">
        {shown.map(sentence => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
      {isLong && (
        <button
          type="button"
          class="plain"
          aria-expanded={isWhole}
          onClick={() => setWhole(before => !before)}
        >
          {isWhole ? 'Show fewer comparisons' : `Show all ${sentences.length} comparisons`}
        </button>
      )}
    </>
  )
}

/** Counts what the report is about: `84 attempts · 28 tasks · 3 arms · 2026-11-23`. */
function describeCounts({ attempts, tasks, arms, runs, scoring }: PageData): string {
  const models = new Set(arms.map(({ model }) => model))
  const day = runs[0]?.startedAt?.slice(0, 10)
  return [
    counted(attempts.id.length, 'attempt'),
    counted(tasks.length, 'task'),
    counted(arms.length, 'arm'),
    models.size === 1 ? [...models].join('') : counted(models.size, 'model'),
    scoring,
    ...(day === undefined ? [] : [day]),
  ].join(' · ')
}

function counted(n: number, noun: string): string {
  return `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`
}

/** What was run. Open when the page is about one run. */
function RunDetails({ run, isOnly }: { readonly run: RunFacts; readonly isOnly: boolean }) {
  return (
    <details class="run" open={isOnly}>
      <summary>{isOnly ? 'What was run' : `Run ${run.name}`}</summary>
      <dl class="facts">
        {run.facts.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
    </details>
  )
}

/** A text with a button that copies it. */
function CopyBox({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div class="copy">
      <p class="copy-name">
        {label}{' '}
        <button type="button" class="plain" onClick={() => void navigator.clipboard.writeText(text)}>
          Copy<span class="hidden"> {label}</span>
        </button>
      </p>
      <pre tabIndex={0}>{text}</pre>
    </div>
  )
}
