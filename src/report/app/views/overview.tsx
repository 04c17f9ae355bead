import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import type { PageData, PageSection } from '../../page/page-data.ts'
import { addressOf } from '../address.ts'
import { AttemptList } from './attempt-list.tsx'
import { FigureView } from './figure.tsx'
import { RunHeader } from './run-header.tsx'
import { SortableTable } from './table.tsx'

interface OverviewProps {
  readonly data: PageData
  /** The section to scroll to. */
  readonly section: string | null
  /** Receives the ids of the attempts that the list shows, in its order. */
  readonly listed: RefObject<readonly string[]>
}

/** The first page: what was run, the results, the sections of figures and tables, then all attempts. */
export function Overview({ data, section, listed }: OverviewProps) {
  useEffect(() => {
    if (section !== null) document.getElementById(section)?.scrollIntoView()
  }, [section])
  const links = [...data.sections, { id: 'all-attempts', title: 'Attempts' }]
  return (
    <>
      <RunHeader data={data} />
      <nav class="contents" aria-label="sections">
        {links.map(({ id, title }) => (
          <a key={id} href={addressOf({ name: 'overview', section: id })}>
            {title}
          </a>
        ))}
      </nav>
      {data.sections.map(one => (
        <SectionView key={one.id} section={one} />
      ))}
      <section id="all-attempts">
        <h2>Attempts</h2>
        <AttemptList data={data} listed={listed} />
      </section>
    </>
  )
}

function SectionView({ section }: { readonly section: PageSection }) {
  return (
    <section id={section.id}>
      <h2>{section.title}</h2>
      {section.figures.map(figure => (
        <FigureView key={figure.id} figure={figure} />
      ))}
      {section.tables.map(table => (
        <SortableTable key={table.title} table={table} />
      ))}
    </section>
  )
}
