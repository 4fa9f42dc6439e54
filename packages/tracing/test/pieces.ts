/** Everything that can be read from something, in order. */
export async function piecesOf<T>(source: AsyncIterable<T>): Promise<T[]> {
  const pieces: T[] = []
  for await (const piece of source) pieces.push(piece)
  return pieces
}
