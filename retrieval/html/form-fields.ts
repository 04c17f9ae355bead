import type { PageDocument, PageElement } from './dom.ts'
import { isInline } from './inline.ts'

/** Types of `input` whose value a browser does not write as text. */
const withoutText = /^(?:hidden|password|submit|button|reset|image|file|color)$/i

/**
 * Replaces the fields of forms by the text that a browser shows in them: values, the chosen options of lists, ☒ and ☐ for
 * boxes, and the figure of an empty meter.
 */
export function writeFields(document: PageDocument): void {
  for (const field of document.querySelectorAll('input, select, textarea, meter, progress')) {
    const text = fieldText(field)
    if (text === '' || text === null) continue
    const shown = document.createElement('span')
    for (const name of ['hidden', 'style', 'class']) {
      const value = field.getAttribute(name)
      if (value !== null) shown.setAttribute(name, value)
    }
    const { previousSibling, nextSibling, parentNode } = field
    const isAlone = parentNode === null || !isInline(parentNode)
    const endsApart =
      previousSibling === null ? isAlone : !/[\p{L}\p{N}]$/u.test(previousSibling.textContent ?? '')
    const startsApart = nextSibling === null ? isAlone : !/^[\p{L}\p{N}]/u.test(nextSibling.textContent ?? '')
    shown.append(`${endsApart ? '' : ' '}${text}${startsApart ? '' : ' '}`)
    field.replaceWith(shown)
  }
}

/** Returns what a field shows; null when it is no text or the element has text of its own. */
function fieldText(field: PageElement): string | null {
  const value = field.getAttribute('value')?.trim() ?? ''
  switch (field.tagName.toLowerCase()) {
    case 'input': {
      const type = field.getAttribute('type') ?? 'text'
      if (/^(?:checkbox|radio)$/i.test(type)) return field.getAttribute('checked') === null ? '☐' : '☒'
      return withoutText.test(type) ? null : value
    }
    case 'textarea':
      return (field.textContent ?? '').trim()
    case 'select':
      return chosenOptions(field).join('; ')
    default: {
      if (/\S/.test(field.textContent ?? '')) return null
      const most = field.getAttribute('max')?.trim() ?? '1'
      return value === '' || most === '1' ? value : `${value} of ${most}`
    }
  }
}

/** Returns the chosen options of a list, or the first one, which a browser shows in a list of one line. */
function chosenOptions(list: PageElement): string[] {
  const options = [...list.querySelectorAll('option')]
  const chosen = options.filter(option => option.getAttribute('selected') !== null)
  const isOneLine = list.getAttribute('multiple') === null && /^1?$/.test(list.getAttribute('size') ?? '')
  const shown = isOneLine ? [chosen.at(-1) ?? options[0]] : chosen
  return shown.flatMap(option => {
    const text = (option?.getAttribute('label') || option?.textContent)?.replace(/\s+/g, ' ').trim()
    return text ? [text] : []
  })
}
