import { useState } from 'preact/hooks'
import type { Mark } from '../../page/served-data.ts'
import { markerPlace, useAuditSheet, useMarkKeys } from '../audit-sheet.ts'
import { canWrite, markerName } from '../server.ts'
import { MarkButtons, MarkerField } from './mark-buttons.tsx'

interface CellMarkProps {
  readonly attemptId: string
  /** The index of the item in the attempt's first score. */
  readonly item: number
}

/** A person's mark of one cell, which is kept in the audit sheet as chosen by hand. */
export function CellMark({ attemptId, item }: CellMarkProps) {
  const { sheet, problem, change } = useAuditSheet()
  const [name, setName] = useState(markerName())
  const send = (mark: Mark): void => void change('marks', { attemptId, id: null, item, mark, marker: name })
  useMarkKeys({ isReady: name !== '' && canWrite(), mark: send })
  const markedItem = sheet?.items.find(
    auditItem => auditItem.attemptId === attemptId && auditItem.item === item,
  )
  const current = sheet === null || name === '' ? '' : (markedItem?.marks[markerPlace(sheet, name)] ?? '')
  return (
    <section class="bar" aria-label="your mark">
      <MarkerField onChange={setName} />
      {name !== '' && <MarkButtons current={current} onMark={send} />}
      <span role="alert">{problem}</span>
    </section>
  )
}
