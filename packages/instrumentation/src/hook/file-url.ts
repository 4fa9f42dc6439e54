import { createRequire } from 'node:module'

const require = createRequire(import.meta.filename)

/** Returns the URL of a file. The module of Node is loaded when it is used: in a thread that takes longer than the hook. */
export function fileUrl(path: string): string {
  const { pathToFileURL }: typeof import('node:url') = require('node:url')
  return pathToFileURL(path).href
}
