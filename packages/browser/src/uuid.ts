/** Returns a random UUID (RFC 9562, version 4). `crypto.randomUUID` does not exist in pages served over http. */
export function uuid(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (Number(bytes[6]) & 0x0f) | 0x40
  bytes[8] = (Number(bytes[8]) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
