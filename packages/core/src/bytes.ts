/**
 * Bytes in a buffer that no other thread shares: `Uint8Array<ArrayBuffer>`. Compilers before TypeScript 5.7 cannot read
 * that, so no declaration may say it.
 */
export type Bytes = ReturnType<Uint8ArrayConstructor['from']>
