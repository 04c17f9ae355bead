import type { PageData, RunFacts } from '../../page/page-data.ts'
import { ArmResults } from './arm-results.tsx'

/** The first screen: what was run, what came out in a sentence for each comparison, warnings, and the score of each arm. */
export function RunHeader({ data }: { readonly data: PageData }) {
  return (
    <>
      <header>
        <h1>{data.title}</h1>
        <p class="subtitle">{subtitleOf(data)}</p>
      </header>
      {data.runs.map(run => (
        <RunDetails key={run.runId} run={run} isOnly={data.runs.length === 1} />
      ))}
      {data.sentences.length > 0 && (
        <ul class="sentences">
          {data.sentences.map(sentence => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
      )}
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
    </>
  )
}

/** Counts what the report is about: `84 attempts · 28 tasks · 3 arms · 2026-11-23`. */
function subtitleOf({ attempts, tasks, arms, runs, scoring }: PageData): string {
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

/** What was run, folded, with what a paper needs to cite and repeat it. */
function RunDetails({ run, isOnly }: { readonly run: RunFacts; readonly isOnly: boolean }) {
  return (
    <details class="run">
      <summary>{isOnly ? 'What was run, and how to cite and repeat it' : `Run ${run.name}`}</summary>
      <dl class="facts">
        {run.facts.map(([name, value]) => (
          <>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </>
        ))}
      </dl>
      {run.command !== null && <CopyBox label="Command" text={run.command} />}
      <CopyBox label="BibTeX" text={run.bibtex} />
    </details>
  )
}

/** A text with a button that copies it. */
function CopyBox({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div class="copy">
      <h3>
        {label}{' '}
        <button type="button" class="plain" onClick={() => void navigator.clipboard.writeText(text)}>
          Copy<span class="hidden"> {label}</span>
        </button>
      </h3>
      <pre tabIndex={0}>{text}</pre>
    </div>
  )
}
