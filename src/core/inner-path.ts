import { z } from 'zod/v4'

/**
 * Whether a path stays below the folder to which it is relative. Every path and id that comes from another machine or from a
 * record, and becomes part of a path here, is checked by this function.
 */
export function isInnerPath(path: string): boolean {
  return !/[\\\0]/.test(path) && path.split('/').every(part => part !== '' && part !== '.' && part !== '..')
}

/** The id of an attempt. It is part of the names of its files. */
export const attemptIdSchema = z
  .string()
  .refine(
    id => isInnerPath(id) && !id.includes('/'),
    'the id of an attempt must be usable as the name of a file',
  )
