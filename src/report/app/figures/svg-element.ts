type Attributes = Readonly<Record<string, string | number>>

/** Creates SVG elements in a document. */
export type MakeSvg = (
  name: string,
  attributes: Attributes,
  children?: string | readonly SVGElement[],
) => SVGElement

/** Returns a function that creates SVG elements with attributes, and with a text or elements in them. */
export function makeSvgMaker(document: Document): MakeSvg {
  return (name, attributes, children = []) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name)
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
    if (typeof children === 'string') element.textContent = children
    else element.append(...children)
    return element
  }
}
