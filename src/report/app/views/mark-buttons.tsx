import { useState } from 'preact/hooks'
import type { Mark } from '../../page/served-data.ts'
import { canWrite, markerName, readOnlyText, setMarkerName } from '../server.ts'

/** The marks with their keys. */
export const marks: readonly (readonly [mark: Exclude<Mark, ''>, key: string])[] = [
  ['right', 'r'],
  ['wrong', 'w'],
  ['unsure', 'u'],
]

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

/** Returns the mark that a key sets, or null. */
export function markOfKey(key: string): Mark | null {
  return marks.find(([, own]) => own === key)?.[0] ?? null
}
