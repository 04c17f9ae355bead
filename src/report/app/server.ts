/** The token in the address that `view` printed. It stays in this browser, so that every tab can write. */
function readToken(): string {
  const address = new URL(location.href)
  const addressToken = address.searchParams.get('token')
  if (addressToken === null) return localStorage.getItem('token') ?? ''
  localStorage.setItem('token', addressToken)
  address.searchParams.delete('token')
  history.replaceState(null, '', address)
  return addressToken
}

let token: string | null = null

/** Whether the page may write. It may when the browser was opened with the address that `view` printed. */
export function canWrite(): boolean {
  token ??= readToken()
  return token !== ''
}

/**
 * Sends a change to the server.
 *
 * @returns the new state, as the server has it
 * @throws Error with the server's message
 */
export async function sendChange<T>(path: string, change: unknown): Promise<T> {
  canWrite()
  const answer = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-tablehunt-token': token ?? '' },
    body: JSON.stringify(change),
  })
  if (!answer.ok) throw new Error(await answer.text())
  return (await answer.json()) as T
}

const nameKey = 'marker'

/** The name of the person who marks, which this browser keeps. */
export function readMarkerName(): string {
  return localStorage.getItem(nameKey) ?? ''
}

export function setMarkerName(name: string): void {
  localStorage.setItem(nameKey, name)
}

/** Says why nothing can be written. */
export const readOnlyText =
  'Read only: to write, open the address that `tablehunt view` printed, with its token.'
