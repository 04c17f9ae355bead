import { turnBox } from './page-characters.ts'
import type { Pdfium, PdfiumExports } from './pdfium.ts'

/** A horizontal or vertical line on a page: drawn, or the edge of a filled area. Positions are in points. */
export interface Rule {
  /** The y of a horizontal line, the x of a vertical one. */
  readonly at: number
  readonly start: number
  readonly end: number
}

/** The rules of a page that are parallel to a line of text, and those at a right angle to it. */
export interface Rules {
  readonly horizontal: readonly Rule[]
  readonly vertical: readonly Rule[]
}

/** The end points of a line, before the page is turned. */
export type Stroke = readonly [x0: number, y0: number, x1: number, y1: number]

const [pathType, formType] = [2, 5]
const [lineSegment, moveSegment] = [0, 2]
/** A path with more segments is a drawing, and a page with more is a map or a chart. */
const [maxPathSegments, maxSegments] = [2_000, 20_000]
/** An area narrower than this is drawn as a line. */
const maxLineWidth = 3.5
/** Lines at most this far apart continue each other; parallel lines at most this far apart are the same. */
const [maxBreak, maxShift] = [3, 1.5]
/** A shorter line is a dash, a tick mark or a part of a letter. */
const minLength = 7

/** Reads the lines that a page draws. */
export function readStrokes(pdfium: Pdfium, page: number): Stroke[] {
  const reader = new StrokeReader(pdfium)
  const { exports } = pdfium
  const count = exports.FPDFPage_CountObjects(page)
  for (let index = 0; index < count; index++) {
    const object = exports.FPDFPage_GetObject(page, index)
    const type = exports.FPDFPageObj_GetType(object)
    if (type === pathType || type === formType) reader.read(object, type, identity, 0)
  }
  return reader.finish()
}

/** Returns the rules among the strokes of a page, turned like text at an angle in degrees. */
export function findRules(strokes: readonly Stroke[], angle: number): Rules {
  const horizontal: Rule[] = []
  const vertical: Rule[] = []
  for (const [x0, y0, x1, y1] of strokes) {
    const box = turnBox({ left: x0, bottom: y0, right: x1, top: y1 }, angle)
    const { left, right, bottom, top } = box
    if (right - left >= top - bottom) horizontal.push({ at: (bottom + top) / 2, start: left, end: right })
    else vertical.push({ at: (left + right) / 2, start: bottom, end: top })
  }
  return { horizontal: joinRules(horizontal), vertical: joinRules(vertical) }
}

type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]
const identity: Matrix = [1, 0, 0, 1, 0, 0]
const maxFormDepth = 4

/** An area of one colour. */
interface Fill {
  readonly left: number
  readonly right: number
  readonly bottom: number
  readonly top: number
  readonly color: number
}

/** The colour of the paper, and of areas whose colour is a pattern. */
const [white, pattern] = [0xffffffff, -1]
/** Areas are looked up in bands of this height, in points. An area higher than these bands is larger than any page. */
const [bandHeight, maxBands] = [24, 1_000]
/** The distance from an edge, in points, at which the colours beside it are compared. */
const besideEdge = 0.6

class StrokeReader {
  readonly #pdfium: Pdfium
  readonly #exports: PdfiumExports
  readonly #strokes: Stroke[] = []
  readonly #fills: Fill[] = []
  /** Memory inside PDFium for a matrix, or a point, or two integers. */
  readonly #scratch: number
  #segments = 0

  constructor(pdfium: Pdfium) {
    this.#pdfium = pdfium
    this.#exports = pdfium.exports
    this.#scratch = pdfium.exports.malloc(24)
  }

  finish(): Stroke[] {
    this.#exports.free(this.#scratch)
    if (this.#segments > maxSegments) return []
    const areas = new Areas(this.#fills)
    return [...this.#strokes, ...this.#fills.flatMap(fill => listVisibleEdges(fill, areas))]
  }

  read(object: number, type: number, outer: Matrix, depth: number): void {
    const exports = this.#exports
    if (this.#segments > maxSegments) return
    if (type === pathType && !(depth === 0 && this.#isReadByBounds(object))) this.#readPath(object, outer)
    if (type === pathType || depth >= maxFormDepth) return
    const matrix = this.#matrixOf(object, outer)
    const count = exports.FPDFFormObj_CountObjects(object)
    for (let index = 0; index < count; index++) {
      const part = exports.FPDFFormObj_GetObject(object, index)
      const partType = exports.FPDFPageObj_GetType(part)
      if (partType === pathType || partType === formType) this.read(part, partType, matrix, depth + 1)
    }
  }

  /** Reads a path that is one line or dash, or too small for a cell. Most paths are, and reading their points takes longer. */
  #isReadByBounds(path: number): boolean {
    const exports = this.#exports
    const at = this.#scratch
    if (exports.FPDFPageObj_GetBounds(path, at, at + 4, at + 8, at + 12) === 0) return false
    const [left, bottom, right, top] = new Float32Array(
      this.#pdfium.memory().buffer,
      at,
      4,
    ) as unknown as Matrix
    const [width, height] = [right - left, top - bottom]
    if (Math.min(width, height) > maxLineWidth) return Math.max(width, height) < minLength
    this.#segments++
    const mode = this.#readDrawMode(path)
    if (mode === null) return true
    // The bounds of a drawn line include its width on all sides.
    const edge = mode.isStroked ? Math.min(width, height) / 2 : 0
    const [x, y] = [(left + right) / 2, (bottom + top) / 2]
    this.#strokes.push(
      width >= height ? [left + edge, y, right - edge, y] : [x, bottom + edge, x, top - edge],
    )
    return true
  }

  #readPath(path: number, outer: Matrix): void {
    const exports = this.#exports
    const count = exports.FPDFPath_CountSegments(path)
    if (count < 2 || count > maxPathSegments) return
    const mode = this.#readDrawMode(path)
    if (mode === null) return
    const { isFilled, isStroked } = mode
    this.#segments += count
    const matrix = this.#matrixOf(path, outer)
    const color = isFilled ? this.#colorOf(path) : pattern
    let points: (readonly [x: number, y: number])[] = []
    let isStraight = true
    const endPart = (): void => {
      if (isStraight) this.#addPart(points, isStroked, color)
      points = []
      isStraight = true
    }
    for (let index = 0; index < count; index++) {
      const segment = exports.FPDFPath_GetPathSegment(path, index)
      const type = exports.FPDFPathSegment_GetType(segment)
      if (type === moveSegment) endPart()
      else if (type !== lineSegment) isStraight = false
      points.push(this.#pointOf(segment, matrix))
      if (exports.FPDFPathSegment_GetClose(segment) !== 0) points.push(points[0]!)
    }
    endPart()
  }

  #addPart(points: readonly (readonly [x: number, y: number])[], isStroked: boolean, color: number): void {
    if (points.length < 2) return
    const xs = points.map(([x]) => x)
    const ys = points.map(([, y]) => y)
    const [left, right, bottom, top] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
    if (Math.min(right - left, top - bottom) <= maxLineWidth) {
      const [x, y] = [(left + right) / 2, (bottom + top) / 2]
      this.#strokes.push(right - left >= top - bottom ? [left, y, right, y] : [x, bottom, x, top])
    } else if (!isStroked) this.#fills.push({ left, right, bottom, top, color })
    else {
      for (const [at, [x1, y1]] of points.entries()) {
        const [x0, y0] = points[at - 1] ?? [x1, y1]
        if (Math.abs(x1 - x0) > maxShift && Math.abs(y1 - y0) > maxShift) continue
        this.#strokes.push([Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)])
      }
    }
  }

  /** Returns how a path is drawn; null when it is not. */
  #readDrawMode(path: number): { readonly isFilled: boolean; readonly isStroked: boolean } | null {
    const scratch = this.#scratch
    if (this.#exports.FPDFPath_GetDrawMode(path, scratch, scratch + 4) === 0) return null
    const integers = new Int32Array(this.#pdfium.memory().buffer, scratch, 2)
    const [isFilled, isStroked] = [integers[0] !== 0, integers[1] !== 0]
    return isFilled || isStroked ? { isFilled, isStroked } : null
  }

  #colorOf(path: number): number {
    const at = this.#scratch
    if (this.#exports.FPDFPageObj_GetFillColor(path, at, at + 4, at + 8, at + 12) === 0) return pattern
    const [red, green, blue, alpha] = new Uint32Array(
      this.#pdfium.memory().buffer,
      at,
      4,
    ) as unknown as Matrix
    return ((red << 24) | (green << 16) | (blue << 8) | alpha) >>> 0
  }

  #matrixOf(object: number, outer: Matrix): Matrix {
    if (this.#exports.FPDFPageObj_GetMatrix(object, this.#scratch) === 0) return outer
    const inner = new Float32Array(this.#pdfium.memory().buffer, this.#scratch, 6)
    const [a, b, c, d, e, f] = inner as unknown as Matrix
    const [A, B, C, D, E, F] = outer
    return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F]
  }

  #pointOf(segment: number, [a, b, c, d, e, f]: Matrix): readonly [x: number, y: number] {
    this.#exports.FPDFPathSegment_GetPoint(segment, this.#scratch, this.#scratch + 4)
    const point = new Float32Array(this.#pdfium.memory().buffer, this.#scratch, 2)
    const [x, y] = [point[0]!, point[1]!]
    return [a * x + c * y + e, b * x + d * y + f]
  }
}

/** Returns the edges of an area beside which the colour is another one. */
function listVisibleEdges({ left, right, bottom, top }: Fill, areas: Areas): Stroke[] {
  const edges: readonly [stroke: Stroke, dx: number, dy: number][] = [
    [[left, bottom, right, bottom], 0, besideEdge],
    [[left, top, right, top], 0, besideEdge],
    [[left, bottom, left, top], besideEdge, 0],
    [[right, bottom, right, top], besideEdge, 0],
  ]
  return edges.flatMap(([stroke, dx, dy]) => {
    const [x0, y0, x1, y1] = stroke
    if (x1 - x0 < minLength && y1 - y0 < minLength) return []
    const isVisible = [0.2, 0.5, 0.8].some(share => {
      const [x, y] = [x0 + share * (x1 - x0), y0 + share * (y1 - y0)]
      return areas.colorAt(x - dx, y - dy) !== areas.colorAt(x + dx, y + dy)
    })
    return isVisible ? [stroke] : []
  })
}

/** The areas of a page by their height. Later areas cover earlier ones. */
class Areas {
  readonly #bands = new Map<number, Fill[]>()

  constructor(fills: readonly Fill[]) {
    for (const fill of fills) {
      const [first, last] = [stripAt(fill.bottom), stripAt(fill.top)]
      for (let band = first; band <= last && band < first + maxBands; band++) {
        const fillsOfBand = this.#bands.get(band)
        if (fillsOfBand === undefined) this.#bands.set(band, [fill])
        else fillsOfBand.push(fill)
      }
    }
  }

  colorAt(x: number, y: number): number {
    const fill = this.#bands
      .get(stripAt(y))
      ?.findLast(({ left, right, bottom, top }) => x >= left && x <= right && y >= bottom && y <= top)
    return fill?.color ?? white
  }
}

const stripAt = (y: number): number => Math.floor(y / bandHeight)

/** Joins lines that continue each other, such as the edges of cells and the dashes of a dashed line. */
function joinRules(rules: readonly Rule[]): Rule[] {
  const sorted = [...rules].sort((first, second) => first.at - second.at || first.start - second.start)
  const joined: Rule[] = []
  for (let from = 0; from < sorted.length; ) {
    let to = from + 1
    while (to < sorted.length && sorted[to]!.at - sorted[from]!.at <= maxShift) to++
    const level = sorted.slice(from, to).sort((first, second) => first.start - second.start)
    const at = level.reduce((sum, rule) => sum + rule.at, 0) / level.length
    let [start, end] = [level[0]!.start, level[0]!.end]
    for (const rule of level) {
      if (rule.start > end + maxBreak) {
        joined.push({ at, start, end })
        start = rule.start
        end = rule.end
      } else end = Math.max(end, rule.end)
    }
    joined.push({ at, start, end })
    from = to
  }
  return joined.filter(({ start, end }) => end - start >= minLength)
}
