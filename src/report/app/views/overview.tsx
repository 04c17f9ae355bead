import { useEffect, useState } from 'preact/hooks'
import type { PageData, PageSection } from '../../page/page-data.ts'
import type { RunProgress } from '../../page/served-data.ts'
import { formatAddress } from '../address.ts'
import { FigureView } from './figure.tsx'
import { isNarrowPage } from './parts.tsx'
import { RunHeader } from './run-header.tsx'
import { SortableTable } from './table.tsx'

interface OverviewProps {
  readonly data: PageData
  /** The section to scroll to. */
  readonly section: string | null
  /** How far the run is. Null in a file. */
  readonly progress: RunProgress | null
}

/** The first page: the results and what was run, then the sections of figures and tables. */
export function Overview({ data, section, progress }: OverviewProps) {
  return (
    <>
      <RunHeader data={data} progress={progress} />
      {data.sections.length > 0 && (
        <nav class="contents" aria-label="sections">
          {data.sections.map(({ id, title }) => (
            <a key={id} href={formatAddress({ name: 'overview', section: id })}>
              {title}
            </a>
          ))}
        </nav>
      )}
      {data.sections.map(part => (
        <SectionView key={part.id} section={part} isTarget={part.id === section} />
      ))}
    </>
  )
}

interface SectionProps {
  readonly section: PageSection
  /** Whether the address names the section. */
  readonly isTarget: boolean
}

/** A section that a reader can fold. On a narrow page it is folded until it is opened, or reached by a link. */
function SectionView({ section: { id, title, figures, tables }, isTarget }: SectionProps) {
  const [isOpen, setOpen] = useState(() => isTarget || !isNarrowPage())
  useEffect(() => {
    if (isTarget) setOpen(true)
  }, [isTarget])
  useEffect(() => {
    if (isTarget && isOpen) document.getElementById(id)?.scrollIntoView()
  }, [isTarget, isOpen])
  return (
    <section id={id}>
      <details class="folded" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <h2>{title}</h2>
        </summary>
        {figures.map(figure => (
          <FigureView key={figure.id} figure={figure} />
        ))}
        {tables.map(table => (
          <SortableTable key={table.title} table={table} />
        ))}
      </details>
    </section>
  )
}
