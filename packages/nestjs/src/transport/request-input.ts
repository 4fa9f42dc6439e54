/** Returns whether a request has a form with files, which an interceptor reads that runs after ours. */
export function isMultipart(request: unknown): boolean {
  const { headers } = request as { headers?: { readonly 'content-type'?: unknown } }
  return String(headers?.['content-type'] ?? '').startsWith('multipart/')
}

/** Returns the body of a request with its files named; without a body, the parameters in the address. */
export function inputOf(request: unknown): unknown {
  const { body, query, params, file, files } = request as Record<string, unknown>
  const uploads = [file, ...listFiles(files)].filter((each) => each !== undefined && each !== null)
  if (uploads.length > 0) return { ...fieldsOf(body), files: uploads.map(describedFile) }
  if (isMultipart(request)) return fieldsOf(body)
  if (body !== undefined && body !== null) return body
  const address = { ...(query as object | undefined), ...(params as object | undefined) }
  return Object.keys(address).length > 0 ? address : undefined
}

/** Multer has a list of files, or a list for each field. */
function listFiles(files: unknown): unknown[] {
  if (typeof files !== 'object' || files === null) return []
  return Array.isArray(files) ? files : Object.values(files).flat()
}

/** Returns the fields of a form. `@fastify/multipart` has an object for each, which refers to all others. */
function fieldsOf(body: unknown): Record<string, unknown> | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  return Object.fromEntries(
    Object.entries(body).map(([name, part]) => [name, Array.isArray(part) ? part.map(partOf) : partOf(part)]),
  )
}

function partOf(part: unknown): unknown {
  if (typeof part !== 'object' || part === null) return part
  const { type, value } = part as { type?: unknown; value?: unknown }
  if (type === 'file') return describedFile(part)
  return type === 'field' ? value : part
}

interface Upload {
  readonly fieldname?: unknown
  readonly originalname?: unknown
  readonly filename?: unknown
  readonly mimetype?: unknown
  readonly size?: unknown
}

function describedFile(file: unknown): object {
  const { fieldname, originalname, filename, mimetype, size } = file as Upload
  return { field: fieldname, name: originalname ?? filename, type: mimetype, bytes: size }
}
