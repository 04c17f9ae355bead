import { useEffect, useMemo, useRef } from 'preact/hooks'
import type { Figure } from '../../figures/figure.ts'
import { figureCsv } from '../../figures/figure-csv.ts'
import { mostBars } from '../figures/bars.ts'
import { download, downloadPng, svgText } from '../figures/download.ts'
import { drawFigure } from '../figures/draw-figure.ts'

/** A figure. With many series, a bar figure shows all tasks first, and the other panels folded. */
export function FigureView({ figure }: { readonly figure: Figure }) {
  if (figure.kind !== 'bars' || new Set(figure.bars.map(({ label }) => label)).size <= mostBars)
    return <OneFigure figure={figure} />
  const panels = [...new Set(figure.bars.map(({ panel }) => panel))]
  const [last, others] = [panels.at(-1), panels.slice(0, -1)]
  const only = (panel: string | undefined): Figure => ({
    ...figure,
    id: panel === last ? figure.id : `${figure.id}-${panel}`,
    title: `${figure.title}: ${panel}`,
    bars: figure.bars.filter(bar => bar.panel === panel),
  })
  return (
    <>
      <OneFigure figure={only(last)} />
      {others.length > 0 && (
        <details>
          <summary>{others.join(', ')}</summary>
          {others.map(panel => (
            <OneFigure key={panel} figure={only(panel)} />
          ))}
        </details>
      )}
    </>
  )
}

/** One drawing with its caption, legend and downloads. */
function OneFigure({ figure }: { readonly figure: Figure }) {
  const place = useRef<HTMLDivElement>(null)
  const { svg, legend } = useMemo(() => drawFigure(figure, document), [figure])
  useEffect(() => place.current?.replaceChildren(svg), [svg])
  const save = (type: 'csv' | 'svg' | 'png'): void => {
    if (type === 'csv') download(`${figure.id}.csv`, 'text/csv', figureCsv(figure))
    else if (type === 'svg') download(`${figure.id}.svg`, 'image/svg+xml', svgText(svg))
    else void downloadPng(`${figure.id}.png`, svg)
  }
  return (
    <figure id={`figure-${figure.id}`}>
      <figcaption>{figure.title}</figcaption>
      <p class="remark">
        {figure.caption}{' '}
        {(['csv', 'svg', 'png'] as const).map(type => (
          <button
            type="button"
            class="download"
            key={type}
            onClick={() => save(type)}
            aria-label={`${figure.title} as ${type.toUpperCase()}`}
          >
            {type.toUpperCase()}
          </button>
        ))}
      </p>
      <ul class="legend" hidden={legend.length > mostBars && figure.kind === 'bars'}>
        {legend.map(({ number, name, color }) => (
          <li key={number}>
            <span class="swatch" style={{ background: color }} />
            {number} {name}
          </li>
        ))}
      </ul>
      <div class="chart" tabIndex={0} role="group" aria-label={figure.title} ref={place} />
    </figure>
  )
}
