import type { TraceStep } from '../../trace/trace-steps.ts'
import type { AttemptData, CellData, ScoringData } from './attempt-data.ts'
import type { PageDocument, PageElement, PageNode } from './dom.ts'

type Child = PageNode | string

/** Creates an element with a class and children. Strings become text, never HTML. Runs in the browser. */
export function make(
  page: PageDocument,
  tag: string,
  className: string,
  children: readonly Child[],
): PageElement {
  const element = page.createElement(tag)
  if (className !== '') element.className = className
  element.append(...children)
  return element
}

/** Builds the page of one attempt. Runs in the browser. */
export function attemptView(page: PageDocument, data: AttemptData): PageElement {
  const heading = make(page, 'h1', '', [data.title])
  heading.tabIndex = -1
  const explanations = data.scorings.flatMap(scoring => explanationView(page, scoring))
  const parts: Child[] = [heading, ...explanations, factList(page, data.facts)]
  for (const [at, question] of data.questions.entries()) {
    const title = data.questions.length === 1 ? 'Question' : `Question ${at + 1}`
    parts.push(make(page, 'h2', '', [title]), make(page, 'p', 'query', [question]))
  }
  if (data.documentNames.length > 0)
    parts.push(make(page, 'p', 'remark', [`Documents: ${data.documentNames.join(' · ')}`]))
  for (const scoring of data.scorings) parts.push(...scoringView(page, scoring))
  parts.push(make(page, 'h2', '', ['Answer']), make(page, 'p', 'remark', [data.answer.note]))
  if (data.answer.header.length > 0) parts.push(plainTable(page, data.answer.header, data.answer.rows))
  if (data.answer.text !== null) parts.push(textBox(page, data.answer.text))
  if (data.discovery.length > 0) {
    parts.push(make(page, 'h2', '', ['Discovery']), funnelView(page, data.funnel))
    parts.push(plainTable(page, data.discovery[0] ?? [], data.discovery.slice(1)))
  }
  return make(page, 'div', '', parts)
}

/** Builds a bar for each stage of discovery, with its numbers as text. */
function funnelView(page: PageDocument, funnel: AttemptData['funnel']): PageElement {
  const stages = funnel.map(({ stage, reached, of }) => {
    const bar = page.createElement('progress')
    bar.setAttribute('max', String(of))
    bar.setAttribute('value', String(reached))
    bar.setAttribute('aria-label', `${stage}: ${reached} of ${of} documents`)
    return make(page, 'li', '', [make(page, 'span', 'stage', [stage]), bar, ` ${reached} of ${of}`])
  })
  return make(page, 'ul', 'funnel', stages)
}

function factList(page: PageDocument, facts: AttemptData['facts']): PageElement {
  const items = facts.flatMap(([name, value]) => [
    make(page, 'dt', '', [name]),
    make(page, 'dd', '', [value]),
  ])
  return make(page, 'dl', 'facts', items)
}

function plainTable(
  page: PageDocument,
  header: readonly string[],
  rows: readonly (readonly string[])[],
): PageElement {
  const headCells = header.map(name => columnHead(page, name))
  const body = rows.map(row =>
    make(
      page,
      'tr',
      '',
      row.map(cell => make(page, 'td', '', [cell])),
    ),
  )
  return scrollable(page, [
    make(page, 'thead', '', [make(page, 'tr', '', headCells)]),
    make(page, 'tbody', '', body),
  ])
}

function columnHead(page: PageDocument, name: string): PageElement {
  const head = make(page, 'th', '', [name])
  head.setAttribute('scope', 'col')
  return head
}

function scrollable(page: PageDocument, children: readonly Child[]): PageElement {
  const box = make(page, 'div', 'scroll', [make(page, 'table', '', children)])
  box.tabIndex = 0
  box.setAttribute('role', 'group')
  box.setAttribute('aria-label', 'table, scrolls sideways')
  return box
}

function scoringView(page: PageDocument, scoring: ScoringData): PageElement[] {
  const head = make(
    page,
    'tr',
    '',
    scoring.columns.map(name => columnHead(page, name)),
  )
  const rows = scoring.rows.map(row =>
    make(
      page,
      'tr',
      '',
      row.map(cell => cellView(page, cell)),
    ),
  )
  return [
    make(page, 'h2', '', [scoring.title]),
    scoring.rows.length === 0
      ? make(page, 'p', 'remark', ['There was nothing to compare.'])
      : scrollable(page, [make(page, 'thead', '', [head]), make(page, 'tbody', '', rows)]),
    ...differenceView(page, scoring.difference),
  ]
}

/** Builds the result of a scoring with the sentences that explain it. */
function explanationView(page: PageDocument, scoring: ScoringData): PageElement[] {
  if (scoring.explanation.length === 0) return []
  const items = scoring.explanation.map(sentence => make(page, 'li', '', [sentence]))
  return [make(page, 'p', 'result', [scoring.result]), make(page, 'ul', 'explanation', items)]
}

function differenceView(page: PageDocument, difference: ScoringData['difference']): PageElement[] {
  if (difference === null) return []
  return [
    make(page, 'h3', '', [difference.title]),
    make(page, 'p', 'remark', [difference.remark]),
    plainTable(page, difference.header, difference.rows),
  ]
}

/** Builds a cell with gold above the answer, then class and rule as text, because colour alone is not accessible. */
function cellView(page: PageDocument, cell: string | CellData): PageElement {
  if (typeof cell === 'string') return make(page, 'td', 'key', [cell])
  const predicted = cell.predicted === null ? 'missing' : cell.predicted === '' ? 'empty' : cell.predicted
  const same = cell.predicted === cell.gold
  const verdict = `${cell.class === '' ? 'unknown class' : cell.class} · ${cell.rule}${cell.score !== null && cell.score > 0 && cell.score < 1 ? ` · ${cell.score.toFixed(2)}` : ''}`
  return make(page, 'td', `cell class-${cell.class === '' ? 'none' : cell.class}`, [
    make(page, 'div', 'gold', [cell.gold === '' ? '(empty)' : cell.gold]),
    ...(same ? [] : [make(page, 'div', cell.predicted === null ? 'absent' : 'predicted', [predicted])]),
    make(page, 'div', 'verdict', [verdict]),
    ...(cell.match === '' ? [] : [make(page, 'div', 'verdict match', [cell.match])]),
  ])
}

/** Builds the trace as a list of folded steps with a search field. Runs in the browser. */
export function traceView(page: PageDocument, attemptId: string, steps: readonly TraceStep[]): PageElement {
  const search = page.createElement('input')
  search.setAttribute('type', 'search')
  search.setAttribute('aria-label', 'search in the trace')
  search.setAttribute('placeholder', 'search in the trace')
  const folds = steps.map(step => stepView(page, attemptId, step))
  search.addEventListener('input', () => {
    const wanted = search.value.toLowerCase()
    for (const fold of folds) {
      const found = wanted !== '' && (fold.textContent ?? '').toLowerCase().includes(wanted)
      fold.hidden = wanted !== '' && !found
      fold.open = found
    }
  })
  return make(page, 'div', 'trace', [search, ...folds])
}

function stepView(page: PageDocument, attemptId: string, step: TraceStep): PageElement {
  const summary = make(page, 'summary', '', [
    make(page, 'span', 'step', [`${step.step}`]),
    ` ${step.title} `,
    make(page, 'span', 'remark', [step.facts]),
  ])
  const blocks = step.blocks.flatMap(block => [
    ...(block.label === '' ? [] : [make(page, 'h3', '', [block.label])]),
    textBox(page, block.text),
  ])
  const link = make(page, 'a', 'remark', ['link to this event'])
  link.href = `#attempt=${encodeURIComponent(attemptId)}&event=${step.seq}`
  const fold = make(page, 'details', '', [summary, link, ...blocks])
  fold.dataset.event = String(step.seq)
  return fold
}

/** Builds a box for a long text that can also be scrolled with the keyboard. */
function textBox(page: PageDocument, text: string): PageElement {
  const box = make(page, 'pre', '', [text])
  box.tabIndex = 0
  return box
}

/** The functions of this file that become part of the page's script. */
export const attemptViewSource: readonly ((...args: never[]) => unknown)[] = [
  make,
  attemptView,
  funnelView,
  factList,
  plainTable,
  columnHead,
  scrollable,
  scoringView,
  explanationView,
  differenceView,
  cellView,
  traceView,
  stepView,
  textBox,
]
