import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import type { Figure } from '../../figures/figure.ts'
import { writeFigureCsv } from '../../figures/figure-csv.ts'
import { drawFigure } from '../figures/draw-figure.ts'
import { divideFigure } from '../figures/figure-parts.ts'
import { pageColour } from '../figures/looks.ts'

/** A figure. With many arms, all tasks come first. Controls and single domains are folded. */
export function FigureView({ figure }: { readonly figure: Figure }) {
  const [first, ...foldedParts] = useMemo(() => divideFigure(figure), [figure])
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
function measureFigureWidth(): number {
  const { clientWidth } = document.documentElement
  return clientWidth - (clientWidth <= 640 ? 64 : 84)
}

/** One drawing with its caption, legend and downloads. */
function OneFigure({ figure }: { readonly figure: Figure }) {
  const place = useRef<HTMLDivElement>(null)
  const { svg, legend } = useMemo(() => drawFigure(figure, document, measureFigureWidth()), [figure])
  useEffect(() => place.current?.replaceChildren(svg), [svg])
  const save = (type: 'csv' | 'svg' | 'png'): void => {
    if (type === 'csv') downloadText(`${figure.id}.csv`, 'text/csv', writeFigureCsv(figure))
    else if (type === 'svg') downloadText(`${figure.id}.svg`, 'image/svg+xml', writeSvg(svg))
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
          {legend.map(({ number, name, color, dash }) => (
            <li key={name}>
              {dash === undefined ? (
                <span class="swatch" style={{ background: color }} />
              ) : (
                <svg class="line-swatch" width="30" height="10" aria-hidden="true">
                  <line
                    x1="0"
                    x2="30"
                    y1="5"
                    y2="5"
                    stroke={color}
                    stroke-width="3"
                    stroke-dasharray={dash}
                  />
                </svg>
              )}
              {number} {name}
            </li>
          ))}
        </ul>
      )}
      <div class="chart" tabIndex={0} role="group" aria-label={figure.title} ref={place} />
    </figure>
  )
}

/** Saves a text as a file of the reader. */
function downloadText(name: string, type: string, text: string): void {
  saveFile(name, new Blob([text], { type: `${type};charset=utf-8` }))
}

function saveFile(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** Returns a drawn figure as a file of its own, with the colours of the page. */
function writeSvg(svg: SVGElement): string {
  const copy = svg.cloneNode(true) as SVGElement
  const { color, backgroundColor, fontFamily } = getComputedStyle(document.body)
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  Object.assign(copy.style, { color, background: backgroundColor, fontFamily })
  for (const part of copy.querySelectorAll(`[stroke="${pageColour}"]`))
    part.setAttribute('stroke', backgroundColor)
  return new XMLSerializer().serializeToString(copy)
}

/** Pixels of the picture for each pixel of the figure. */
const pngScale = 2

/** Saves a drawn figure as a picture. */
async function downloadPng(name: string, svg: SVGElement): Promise<void> {
  const { width, height } = svg.getBoundingClientRect()
  const image = new Image(width * pngScale, height * pngScale)
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(writeSvg(svg))}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = width * pngScale
  canvas.height = height * pngScale
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  canvas.toBlob(picture => {
    if (picture !== null) saveFile(name, picture)
  })
}
