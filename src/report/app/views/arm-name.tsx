import { Fragment } from 'preact'
import { fitNames } from '../../tables/fit-names.ts'

/** The columns of text that three lines of the name's cell in style.css hold, by the width of the page in pixels. */
const fitting: readonly (readonly [leastPixels: number, columns: number])[] = [
  [1600, 110],
  [641, 66],
  [0, 40],
]

/** Cuts the names of arms so that each takes about three lines. Different names stay different. */
export function fitArmNames(names: readonly string[], pagePixels: number): ReadonlyMap<string, string> {
  const [, columns = 0] = fitting.find(([leastPixels]) => pagePixels >= leastPixels) ?? []
  return fitNames(names, columns)
}

interface ArmNameProps {
  readonly name: string
  /** The name as `fitArmNames` cut it. */
  readonly shown: string
}

/** The head of an arm's row. It shows at most three lines. Its title, and screen readers, have the whole name. */
export function ArmName({ name, shown }: ArmNameProps) {
  return (
    <th scope="row" title={name}>
      <span class="arm-name" aria-hidden={shown === name ? undefined : 'true'}>
        {breakName(shown).map((part, at) => (
          <Fragment key={at}>
            {at > 0 && <wbr />}
            {part}
          </Fragment>
        ))}
      </span>
      {shown !== name && <span class="hidden">{name}</span>}
    </th>
  )
}

/** Splits a name after the separators of its parts, where a line may end. Browsers break lines at spaces themselves. */
export function breakName(name: string): string[] {
  return name.split(/(?<=[·,+])(?=\S)/u)
}
