import { Unfit } from '../http/checks.ts'

/** The values that a listing is ordered by, in one of its rows. */
export type Place = readonly (string | number)[]

/** A place in a listing, as text that says nothing to whoever carries it. */
export const cursorAt = (place: Place): string => Buffer.from(JSON.stringify(place)).toString('base64url')

/**
 * The place a cursor stands for; undefined when there is no cursor.
 *
 * @param like a place of the same kind.
 * @throws Unfit when the text is no cursor of such a listing.
 */
export function placeFrom(cursor: string | null, like: Place): Place | undefined {
  if (!cursor) return undefined
  const place = decodedPlace(cursor)
  if (place.length !== like.length || !place.every((value, at) => isLike(value, like[at]))) {
    throw new Unfit('not a cursor of this listing')
  }
  return place as Place
}

function decodedPlace(cursor: string): readonly unknown[] {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'))
    return Array.isArray(place) ? place : []
  } catch {
    return []
  }
}

const isLike = (value: unknown, like: string | number | undefined): boolean =>
  typeof like === 'number' ? Number.isSafeInteger(value) : typeof value === 'string'
