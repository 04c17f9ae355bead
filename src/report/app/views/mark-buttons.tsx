import { useState } from 'preact/hooks'
import type { Mark } from '../../page/served-data.ts'
import { findMarkerPlace, marks, placeOfMarks, useAuditSheet, useMarkKeys } from '../audit-sheet.ts'
import { canWrite, readMarkerName, readOnlyText, setMarkerName } from '../server.ts'

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
  const [name, setName] = useState(readMarkerName())
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

interface ReadingMarkProps {
  readonly attemptId: string
  /** The index of an item in the attempt's first score. Null: the whole answer. */
  readonly item: number | null
}

/** A person's mark and note where they read: of one cell, or of the whole answer. The audit sheet of the run keeps them. */
export function ReadingMark({ attemptId: idInPage, item }: ReadingMarkProps) {
  const noun = item === null ? 'answer' : 'value'
  const { base, attemptId } = placeOfMarks(idInPage)
  const { sheet, problem, change } = useAuditSheet(base)
  const [name, setName] = useState(readMarkerName())
  const send = (what: { readonly mark: Mark } | { readonly note: string }): void =>
    void change('marks', { attemptId, id: null, item, marker: name, ...what })
  useMarkKeys({ isReady: name !== '' && canWrite(), mark: mark => send({ mark }) })
  const entry =
    item === null
      ? sheet?.answers.find(answer => answer.attemptId === attemptId)
      : sheet?.items.find(marked => marked.attemptId === attemptId && marked.item === item)
  const current = sheet === null || name === '' ? '' : (entry?.marks[findMarkerPlace(sheet, name)] ?? '')
  return (
    <section class="reading-mark" aria-label="your mark">
      <div class="bar">
        <b>{name === '' ? `To mark this ${noun}, write` : `This ${noun} is`}</b>
        {name !== '' && <MarkButtons current={current} onMark={mark => send({ mark })} />}
        <MarkerField onChange={setName} />
      </div>
      {name !== '' && canWrite() && sheet !== null && (
        <NoteField key={entry?.note} note={entry?.note ?? ''} onSave={note => send({ note })} />
      )}
      <span role="alert">{problem}</span>
    </section>
  )
}

interface NoteFieldProps {
  readonly note: string
  onSave(note: string): void
}

/** A free text with a button that appears when it was changed. */
function NoteField({ note, onSave }: NoteFieldProps) {
  const [text, setText] = useState(note)
  return (
    <form
      class="bar"
      onSubmit={event => {
        event.preventDefault()
        onSave(text)
      }}
    >
      <label class="marker">
        note{' '}
        <textarea
          rows={1}
          maxLength={4000}
          value={text}
          onInput={event => setText(event.currentTarget.value)}
        />
      </label>
      {text.trim() !== note && (
        <button type="submit" class="plain">
          Save the note
        </button>
      )}
    </form>
  )
}
