import type { AttemptData, ForkData } from '../../page/attempt-data.ts'
import { countText } from '../../tables/value-text.ts'
import { formatAddress } from '../address.ts'

/** The forks of one source as a tree: the steps of the source from top to bottom, and at each the forks that part from it. */
export function ForkTree({ attempt: { id, forks } }: { readonly attempt: AttemptData }) {
  const steps = [...new Set(forks.map(({ step }) => step))]
  return (
    <section aria-label="forks">
      <h2>Forks of the same attempt</h2>
      <ol class="fork-tree">
        {steps.map(step => (
          <li key={step}>
            <span class="fork-step">step {step}</span>
            <ul>
              {forks
                .filter(fork => fork.step === step)
                .map(fork => (
                  <Fork key={fork.id} fork={fork} isShown={fork.id === id} />
                ))}
            </ul>
          </li>
        ))}
      </ol>
      <p class="remark">
        + and −: items that are right here and not in the fork of the same step without a change, and the
        reverse.
      </p>
    </section>
  )
}

function Fork({ fork, isShown }: { readonly fork: ForkData; readonly isShown: boolean }) {
  const { id, change, value, end, right, regained, lost } = fork
  const name = change === 'none' ? 'no change' : `${change} ${value ?? ''}`
  return (
    <li>
      {isShown ? (
        <strong>{name}</strong>
      ) : (
        <a href={formatAddress({ name: 'attempt', id, event: null })}>{name}</a>
      )}{' '}
      <small>
        {end}, {right === null ? 'unscored' : `${countText(right, 'item')} right`}
      </small>
      <div>
        {regained.map(item => (
          <span key={item} class="fork-item flip-gained">
            + {item}
          </span>
        ))}
        {lost.map(item => (
          <span key={item} class="fork-item flip-lost">
            − {item}
          </span>
        ))}
      </div>
    </li>
  )
}
