import { useState } from 'preact/hooks'
import type { Mark } from '../../page/served-data.ts'
import { marks } from '../audit-sheet.ts'
import { canWrite, markerName, readOnlyText, setMarkerName } from '../server.ts'

interface MarkButtonsProps {
  readonly current: string
  onMark(mark: Mark): void
}

/** Buttons that mark an answer. The button of the current mark removes it. */
export function MarkButtons({ current, onMark }: MarkButtonsProps) {
  return (
    <fieldset class="marks">
      <legend class="hidden">mark</legend>
      {marks.map(([mark, key]) => (
        <button
          key={mark}
          type="button"
          class={`plain mark-${mark}`}
          aria-pressed={current === mark}
          disabled={!canWrite()}
          onClick={() => onMark(current === mark ? '' : mark)}
        >
          {mark} <kbd>{key}</kbd>
        </button>
      ))}
      {!canWrite() && <span class="remark">{readOnlyText}</span>}
    </fieldset>
  )
}

/** A field for the name of the person who marks. */
export function MarkerField({ onChange }: { onChange(name: string): void }) {
  const [name, setName] = useState(markerName())
  return (
    <label class="marker">
      your name{' '}
      <input
        value={name}
        autocomplete="off"
        maxLength={60}
        onInput={({ currentTarget }) => {
          setName(currentTarget.value)
          setMarkerName(currentTarget.value.trim())
          onChange(currentTarget.value.trim())
        }}
      />
    </label>
  )
}
