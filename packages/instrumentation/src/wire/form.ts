import type { Fields } from '../gen-ai/read.ts'

/** The headers of a text field; one with a file has more. */
const TEXT_FIELD = /^\r\ncontent-disposition: form-data; name="(\w{1,99})"\r\n\r\n/i

/** Whether a body is a form, as uploads are: it begins with a boundary. */
export function isForm(bytes: Buffer): boolean {
  return bytes.subarray(0, 2).toString() === '--'
}

/** Returns the text fields of a form, as far as it was kept: what is missing in the middle is of a file. */
export function readForm(bytes: Buffer): Fields {
  const text = `\r\n${bytes}`
  const [boundary] = /^\r\n--[^\r\n]{1,200}/.exec(text) ?? []
  const parts = boundary === undefined ? [] : text.split(boundary)
  return Object.fromEntries(
    parts.flatMap((part) => {
      const [headers, name] = TEXT_FIELD.exec(part) ?? []
      return headers === undefined || name === undefined ? [] : [[name, part.slice(headers.length)]]
    }),
  )
}
