/**
 * A script that returns the HTML of the page as it is shown: with the values of its fields and with its open shadow trees, which its
 * source lacks; null when it has none, or the browser cannot write them.
 */
export const shownHtml = `(() => {
  const trees = []
  const visit = root => {
    for (const field of root.querySelectorAll('input, textarea, option')) {
      if (field.localName === 'option') field.toggleAttribute('selected', field.selected)
      else if (/^(checkbox|radio)$/.test(field.type)) field.toggleAttribute('checked', field.checked)
      else if (field.localName === 'textarea') { if (field.textContent !== field.value) field.textContent = field.value }
      else if (field.type !== 'password' && field.type !== 'file' && field.value !== '') field.setAttribute('value', field.value)
    }
    for (const element of root.querySelectorAll('*'))
      if (element.shadowRoot) { trees.push(element.shadowRoot); visit(element.shadowRoot) }
  }
  visit(document)
  if (trees.length === 0 || !document.documentElement.getHTML) return null
  return document.documentElement.getHTML({ shadowRoots: trees })
})()`
