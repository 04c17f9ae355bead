import { useState } from 'preact/hooks'
import type { RunNotes, ServedRun } from '../../page/served-data.ts'
import { canWrite, readOnlyText, sendChange } from '../server.ts'

/** The note and the tags of a run, which a person can change. */
export function Notes({ served }: { readonly served: ServedRun }) {
  const [saved, setSaved] = useState<RunNotes>(served)
  const [isOpen, setOpen] = useState(false)
  const [problem, setProblem] = useState('')
  const save = (change: RunNotes): void => {
    sendChange<RunNotes>('notes', change).then(
      notes => {
        setSaved(notes)
        setOpen(false)
        setProblem('')
      },
      (error: Error) => setProblem(error.message),
    )
  }
  if (isOpen)
    return <NotesForm notes={saved} problem={problem} onSave={save} onCancel={() => setOpen(false)} />
  return (
    <div class="notes">
      <Tags tags={saved.tags} />
      {saved.note !== '' && <p class="query">{saved.note}</p>}
      <button
        type="button"
        class="plain"
        disabled={!canWrite()}
        title={canWrite() ? undefined : readOnlyText}
        onClick={() => setOpen(true)}
      >
        {saved.note === '' && saved.tags.length === 0 ? 'Add a note or tags' : 'Change note and tags'}
      </button>
    </div>
  )
}

/** Tags as a row of labels. */
export function Tags({ tags }: { readonly tags: readonly string[] }) {
  if (tags.length === 0) return null
  return (
    <ul class="tags" aria-label="tags">
      {tags.map(tag => (
        <li key={tag}>{tag}</li>
      ))}
    </ul>
  )
}

interface NotesFormProps {
  readonly notes: RunNotes
  readonly problem: string
  onSave(notes: RunNotes): void
  onCancel(): void
}

function NotesForm({ notes, problem, onSave, onCancel }: NotesFormProps) {
  const [note, setNote] = useState(notes.note)
  const [tags, setTags] = useState(notes.tags.join(', '))
  const submit = (event: Event): void => {
    event.preventDefault()
    const list = tags.split(/[,，]/).map(tag => tag.trim())
    onSave({ note, tags: list.filter(tag => tag !== '') })
  }
  return (
    <form class="notes" onSubmit={submit}>
      <label>
        tags, separated by commas
        <input value={tags} onInput={event => setTags(event.currentTarget.value)} />
      </label>
      <label>
        note
        <textarea rows={4} value={note} onInput={event => setNote(event.currentTarget.value)} />
      </label>
      <div class="bar">
        <button type="submit" class="plain">
          Save
        </button>
        <button type="button" class="plain" onClick={onCancel}>
          Cancel
        </button>
        <span role="alert">{problem}</span>
      </div>
    </form>
  )
}
