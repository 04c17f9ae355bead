import { useEffect } from 'preact/hooks'
import type { PageData, PageSection } from '../../page/page-data.ts'
import { formatAddress } from '../address.ts'
import { FigureView } from './figure.tsx'
import { RunHeader } from './run-header.tsx'
import { SortableTable } from './table.tsx'

interface OverviewProps {
  readonly data: PageData
  /** The section to scroll to. */
  readonly section: string | null
}

/** The first page: what was run, the results, then the sections of figures and tables. */
export function Overview({ data, section }: OverviewProps) {
  useEffect(() => {
    if (section !== null) document.getElementById(section)?.scrollIntoView()
  }, [section])
  return (
    <>
      <RunHeader data={data} />
      <nav class="contents" aria-label="sections">
        {data.sections.map(({ id, title }) => (
          <a key={id} href={formatAddress({ name: 'overview', section: id })}>
            {title}
          </a>
        ))}
      </nav>
      {data.sections.map(part => (
        <SectionView key={part.id} section={part} />
      ))}
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
