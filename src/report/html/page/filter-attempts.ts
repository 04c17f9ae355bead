import type { PageDocument, PageElement } from './dom.ts'

/** Shows only the attempts that match every filter, and their number. Runs in the browser. */
export function filterAttempts(page: PageDocument): void {
  const controls = Array.from(page.querySelectorAll('[data-filter]'))
  const count = page.getElementById('attempt-count')
  const rows = Array.from(page.querySelectorAll('#attempts tbody tr'))
  const apply = (): void => {
    const active = controls.filter(control => control.value !== '')
    let shown = 0
    for (const row of rows) {
      const passes = active.every(control => passesFilter(row, control))
      if (row.hidden === passes) row.hidden = !passes
      if (passes) shown += 1
    }
    if (count !== null) count.textContent = `${shown} of ${rows.length} attempts`
  }
  for (const control of controls) control.addEventListener('input', apply)
  page.getElementById('filter-reset')?.addEventListener('click', () => {
    for (const control of controls) control.value = ''
    apply()
  })
  apply()
}

function passesFilter(row: PageElement, control: PageElement): boolean {
  const wanted = control.value
  const name = control.dataset.filter ?? ''
  if (name === 'text') return (row.textContent ?? '').toLowerCase().includes(wanted.toLowerCase())
  if (name !== 'score') return row.dataset[name] === wanted
  const score = Number.parseFloat(row.dataset.score ?? '')
  if (wanted === 'unscored') return Number.isNaN(score)
  const [low = 0, high = 1] = wanted.split('-').map(Number)
  return score >= low && (high === 1 ? score <= 1 : score < high)
}

/** The functions of this file that become part of the page's script. */
export const filterAttemptsSource: readonly ((...args: never[]) => unknown)[] = [filterAttempts, passesFilter]
