import type { ComparisonSentence, PageData, RunFacts } from '../../page/page-data.ts'
import type { RunProgress } from '../../page/served-data.ts'
import { countText } from '../../tables/value-text.ts'
import { ArmResults } from './arm-results.tsx'
import { Changes, Comparison } from './comparison.tsx'
import { FactList, isNarrowPage, useFirstItems } from './parts.tsx'

interface RunHeaderProps {
  readonly data: PageData
  /** How far the run is. Null in a file. */
  readonly progress: RunProgress | null
}

/** From this width on, what was run is beside the results, as in style.css. */
const widePixels = 1600

/**
 * The first screen: the score of each arm, a sentence for each comparison, and warnings. What was run is below them, or
 * beside them on a wide screen.
 */
export function RunHeader({ data, progress }: RunHeaderProps) {
  const isPartial = progress !== null && progress.state !== 'done'
  // Before the first attempt has ended there is nothing to warn about.
  const warnings = isPartial && data.attempts.id.length === 0 ? [] : data.warnings
  const isOnly = data.runs.length === 1
  const isWide = document.documentElement.clientWidth >= widePixels
  return (
    <>
      <header>
        <h1>{data.title}</h1>
        <p class="subtitle">{describeCounts(data)}</p>
      </header>
      <div class="first-screen">
        <div class="outcome">
          {isPartial && <Partial progress={progress} />}
          <ArmResults data={data} />
          {data.runs.length > 1 && <Comparison data={data} />}
          <Sentences sentences={data.sentences} />
          {isOnly && data.results.some(({ difference }) => difference !== null) && <Changes data={data} />}
          <Warnings warnings={warnings} />
          {data.remarks.length > 0 && (
            <details class="remarks" open={!isNarrowPage()}>
              <summary>About these numbers</summary>
              {data.remarks.map(remark => (
                <p class="remark" key={remark}>
                  {remark}
                </p>
              ))}
            </details>
          )}
        </div>
        <section class="what-was-run" aria-label="what was run">
          {data.runs.map(run => (
            <RunDetails key={run.runId} run={run} isOnly={isOnly} isOpen={isOnly && isWide} />
          ))}
        </section>
        <details class="cite">
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

/** Says that the numbers are those of a part of the run. */
function Partial({ progress: { state, done, planned } }: { readonly progress: RunProgress }) {
  return (
    <p class="note">
      <b>Partial:</b> {done} of {countText(planned, 'attempt')}.{' '}
      {state === 'stopped'
        ? 'No process works on this run. Run its command again to make the others.'
        : done === 0
          ? 'The scores appear here when the first attempt has ended.'
          : 'The scores so far. They change as attempts end.'}
    </p>
  )
}

/** How many comparisons and warnings the first screen shows before a reader asks for all. */
const mostLines = 3

function Sentences({ sentences }: { readonly sentences: readonly ComparisonSentence[] }) {
  const { shown, button } = useFirstItems(sentences, mostLines, 'comparisons')
  if (sentences.length === 0) return null
  return (
    <>
      <ul class="sentences" aria-label="comparisons">
        {shown.map(({ claim, detail }) => (
          <li key={claim}>
            {claim} <small>{detail}</small>
          </li>
        ))}
      </ul>
      {button}
    </>
  )
}

function Warnings({ warnings }: { readonly warnings: readonly string[] }) {
  const { shown, button } = useFirstItems(warnings, mostLines, 'notes and warnings')
  return (
    <>
      {shown.map(warning => (
        <p class="note" key={warning}>
          {warning}
        </p>
      ))}
      {button}
    </>
  )
}

/** Counts what the report is about: `84 attempts · 28 tasks · 3 arms · 2026-11-23`. */
function describeCounts({ attempts, tasks, arms, runs, scoring }: PageData): string {
  const models = new Set(arms.map(({ model }) => model))
  const day = runs[0]?.startedAt?.slice(0, 10)
  return [
    countText(attempts.id.length, 'attempt'),
    countText(tasks.length, 'task'),
    countText(arms.length, 'arm'),
    models.size === 1 ? [...models].join('') : countText(models.size, 'model'),
    scoring,
    ...(day === undefined ? [] : [day]),
  ].join(' · ')
}

interface RunDetailsProps {
  readonly run: RunFacts
  readonly isOnly: boolean
  readonly isOpen: boolean
}

/** What was run. */
function RunDetails({ run, isOnly, isOpen }: RunDetailsProps) {
  return (
    <details class="run" open={isOpen}>
      <summary>{isOnly ? 'What was run' : `Run ${run.name}`}</summary>
      <FactList facts={run.facts} />
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
