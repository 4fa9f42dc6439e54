const CHUNK = 0x8000

/** Standard base64 of bytes, without `Buffer`: edge runtimes have none. */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (let at = 0; at < bytes.length; at += CHUNK) binary += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(binary)
}

/** Bytes of standard or URL-safe base64, padded or not; undefined when the text is neither. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    const bytes = new Uint8Array(binary.length)
    for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at)
    return bytes
  } catch {
    return undefined
  }
}

/** Standard base64 of a text in UTF-8. */
export function textToBase64(text: string): string {
  return toBase64(new TextEncoder().encode(text))
}
