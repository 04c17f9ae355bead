import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Figure } from '../../figures/figure.ts'
import { figureCsv } from '../../figures/figure-csv.ts'
import { download, downloadPng, svgText } from '../figures/download.ts'
import { drawFigure } from '../figures/draw-figure.ts'
import { figureParts } from '../figures/figure-parts.ts'

/** A figure. With many arms, all tasks come first. Controls and single domains are folded. */
export function FigureView({ figure }: { readonly figure: Figure }) {
  const [first, ...foldedParts] = useMemo(() => figureParts(figure), [figure])
  if (first === undefined) return null
  return (
    <>
      {first.isFolded === true ? <FoldedFigure figure={first} /> : <OneFigure figure={first} />}
      {foldedParts.map(part => (
        <FoldedFigure key={part.id} figure={part} />
      ))}
    </>
  )
}

/** A figure that is drawn when it is opened. */
function FoldedFigure({ figure }: { readonly figure: Figure }) {
  const [wasOpened, setWasOpened] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setWasOpened(before => before || currentTarget.open)}>
      <summary>{figure.title}</summary>
      {wasOpened && <OneFigure figure={figure} />}
    </details>
  )
}

/** Returns the width of a drawing that fits between the margins of the page and of the figure, as style.css sets them. */
function figureWidth(): number {
  const { clientWidth } = document.documentElement
  return clientWidth - (clientWidth <= 640 ? 64 : 84)
}

/** One drawing with its caption, legend and downloads. */
function OneFigure({ figure }: { readonly figure: Figure }) {
  const place = useRef<HTMLDivElement>(null)
  const { svg, legend } = useMemo(() => drawFigure(figure, document, figureWidth()), [figure])
  useEffect(() => place.current?.replaceChildren(svg), [svg])
  const save = (type: 'csv' | 'svg' | 'png'): void => {
    if (type === 'csv') download(`${figure.id}.csv`, 'text/csv', figureCsv(figure))
    else if (type === 'svg') download(`${figure.id}.svg`, 'image/svg+xml', svgText(svg))
    else void downloadPng(`${figure.id}.png`, svg)
  }
  return (
    <figure id={`figure-${figure.id}`}>
      <figcaption>{figure.title}</figcaption>
      <p class="remark">{figure.caption}</p>
      <p class="chart-tools">
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
      {legend.length > 0 && (
        <ul class="legend">
          {legend.map(({ number, name, color }) => (
            <li key={name}>
              <span class="swatch" style={{ background: color }} />
              {number} {name}
            </li>
          ))}
        </ul>
      )}
      <div class="chart" tabIndex={0} role="group" aria-label={figure.title} ref={place} />
    </figure>
  )
}
