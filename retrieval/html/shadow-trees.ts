import { isElement, type PageDocument, type PageElement, type PageNode } from './dom.ts'

/**
 * Puts the content of `<template shadowrootmode>` into the place where a browser shows it: in the element around it, with
 * the other children of that element in its slots. Children without a slot are not shown and become hidden.
 */
export function placeShadowTrees(document: PageDocument): void {
  const selector = 'template[shadowrootmode]'
  // A template in another one is found when that one has been placed.
  for (let next = document.querySelector(selector); next !== null; next = document.querySelector(selector))
    for (const template of document.querySelectorAll(selector)) placeTree(template, document)
}

function placeTree(template: PageElement, document: PageDocument): void {
  const host = template.parentNode
  template.remove()
  if (host === null) return
  // The sheets of a tree say nothing of the elements outside it.
  for (const sheet of template.querySelectorAll('style')) sheet.remove()
  const shadow = [...template.childNodes]
  const children = [...host.childNodes]
  host.replaceChildren(...shadow)
  const rest = fillSlots(host, children)
  if (rest.length === 0) return
  const hidden = document.createElement('div')
  hidden.setAttribute('hidden', '')
  hidden.append(...rest)
  host.append(hidden)
}

/**
 * Replaces the slots of a shadow tree by the nodes that name them. A slot that nothing names keeps its own content.
 *
 * @returns the nodes without a slot
 */
function fillSlots(host: PageElement, nodes: readonly PageNode[]): PageNode[] {
  const waiting = new Map<string, PageNode[]>()
  for (const node of nodes) {
    const name = isElement(node) ? (node.getAttribute('slot') ?? '') : ''
    waiting.set(name, [...(waiting.get(name) ?? []), node])
  }
  for (const slot of host.querySelectorAll('slot')) {
    const name = slot.getAttribute('name') ?? ''
    const filling = waiting.get(name) ?? []
    waiting.delete(name)
    const hasContent = filling.some(node => isElement(node) || /\S/.test(node.textContent ?? ''))
    slot.replaceWith(...(hasContent ? filling : [...slot.childNodes]))
  }
  return [...waiting.values()].flat()
}
