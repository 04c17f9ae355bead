/** A document as the prompt or the tools showed it; '' where nothing was shown. */
export type SeenDocument = { readonly name: string; readonly text: string }
export type Cell = string | null
export type Table = { readonly columns: readonly string[]; readonly rows: readonly (readonly Cell[])[] }

/** A document name without folder and extension. */
export const stemOf = (name: string): string => name.replace(/^.*\/|\.[A-Za-z0-9]{1,5}$/g, '')
