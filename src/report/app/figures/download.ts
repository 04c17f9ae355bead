import { pageColour } from './looks.ts'

/** Saves a text as a file of the reader. */
export function download(name: string, type: string, text: string): void {
  save(name, new Blob([text], { type: `${type};charset=utf-8` }))
}

function save(name: string, content: Blob): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // The browser reads the file after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}

/** Returns a drawn figure as a file of its own, with the colours of the page. */
export function svgText(svg: SVGElement): string {
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
export async function downloadPng(name: string, svg: SVGElement): Promise<void> {
  const { width, height } = svg.getBoundingClientRect()
  const image = new Image(width * pngScale, height * pngScale)
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svgText(svg))}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = width * pngScale
  canvas.height = height * pngScale
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  canvas.toBlob(picture => {
    if (picture !== null) save(name, picture)
  })
}
