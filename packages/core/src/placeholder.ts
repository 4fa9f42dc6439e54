/** Returns the placeholder of bytes, blobs and streams: `[Buffer: 10485760 bytes]`; undefined for anything else. */
export function placeholderOf(value: unknown): string | undefined {
  if (Object(value) !== value) return undefined
  try {
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer)
      return `[${typeOf(value)}: ${value.byteLength} bytes]`
    if (globalThis.Blob && value instanceof Blob) return `[${typeOf(value)}: ${value.size} bytes]`
    const { pipe, pipeTo } = value as { pipe?: unknown; pipeTo?: unknown }
    return typeof pipe === 'function' || typeof pipeTo === 'function' ? `[${typeOf(value)}]` : undefined
  } catch {
    return undefined
  }
}

const typeOf = (value: unknown): string => (value as object).constructor?.name || 'Object'
